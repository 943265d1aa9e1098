/// A request that was signed with the program of OpenSSL.
enum OpenSSLSample {
  static let pem = """
    -----BEGIN PUBLIC KEY-----
    MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEA1MYJ5oyFAbTPMXuFJ9Kg3HdSU0C
    UHxBwrifjLxQ4VIW7MyymdGp3fUbnneryloNG/H9QbfwaD2yN9mtPzH8lw==
    -----END PUBLIC KEY-----
    """
  static let path = "/database/1/iCloud.com.example.notes/development/public/records/query"
  static let body = #"{"query":{"recordType":"Note"}}"#
  static let date = "2027-01-15T08:00:00Z"
  static let signature =
    "MEUCIFliVRzDD5eAmbxx29T/ROtCrI2jvvLOnmempDdeVSjAAiEAuZC8XU5w"
    + "+Ov3IH+QDv5OI5lNukOl9yUs3izPM+ae+14="
}
