import RecordModel
import Testing

@Suite("Replacing a part of a text")
struct ReplacingLiterallyTests {
  @Test(
    "is by bytes, whatever marks come before or after",
    arguments: [
      ("a\"b", "a\"\"b"), ("\"\u{301}", "\"\"\u{301}"), ("\u{600}\"", "\u{600}\"\""),
      ("\"\u{FE0F}\u{200D}\"", "\"\"\u{FE0F}\u{200D}\"\""), ("", ""), ("\"\"", "\"\"\"\""),
    ])
  func quotes(text: String, expected: String) {
    let replaced = text.replacingLiterally("\"", with: "\"\"")
    #expect(Array(replaced.utf8) == Array(expected.utf8))
  }

  @Test("takes parts from the start, and none that overlap")
  func overlap() {
    #expect("aaaa!".replacingLiterally("aa", with: "b") == "bb!")
    #expect("aab".replacingLiterally("ab", with: "") == "a")
    #expect("é".replacingLiterally("e", with: "x") == "é")
    #expect("abc".replacingLiterally("", with: "x") == "abc")
  }
}
