/// The headers by which a browser lets pages of other origins read a response.
///
/// Source: the Fetch standard; the exposed header is that of CloudKit.
enum CrossOrigin {
  static let tokenHeader = "X-Apple-CloudKit-Web-Auth-Token"

  static func add(to response: inout WebResponse, for request: WebRequest, _ origins: WebOrigins) {
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Origin"
    guard let origin = request.headers["Origin"], origins.allows(origin: origin) else { return }
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] = tokenHeader
    guard request.method == "OPTIONS" else { return }
    response.headers["Access-Control-Allow-Methods"] = "GET, POST, PUT, DELETE, OPTIONS"
    response.headers["Access-Control-Allow-Headers"] =
      "Content-Type, X-Apple-CloudKit-Request-KeyID, X-Apple-CloudKit-Request-ISO8601Date, "
      + "X-Apple-CloudKit-Request-SignatureV1"
    response.headers["Access-Control-Max-Age"] = "600"
  }
}
