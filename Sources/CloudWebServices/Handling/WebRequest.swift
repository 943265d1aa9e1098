import RecordCoding

import struct Foundation.Data

/// A request over HTTP, as far as the handler needs it.
package struct WebRequest: Sendable, Hashable {
  /// The method, such as `POST`.
  package var method: String
  /// The path, percent-encoded as the client sent it.
  package var path: String
  /// The text after the `?` of the address, percent-encoded; empty for none.
  package var query: String
  /// The headers.
  package var headers: WebHeaders
  /// The body.
  package var body: Data
  /// Whether the console sends the request: faults do not apply to it unless they say so.
  var isOfConsole = false

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: the method, in upper case.
  ///   - target: the path, and the query after a `?`, both percent-encoded.
  ///   - headers: the headers.
  ///   - body: the body.
  package init(
    _ method: String, _ target: String, headers: WebHeaders = [:], body: Data = Data()
  ) {
    self.method = method
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = parts.first.map(String.init) ?? ""
    query = parts.count > 1 ? String(parts[1]) : ""
    self.headers = headers
    self.body = body
  }

  /// The decoded names and values of the query, in their order. A name without a value has an empty
  /// one; one that is not valid is left out.
  var queryItems: [(name: String, value: String)] {
    query.split(separator: "&").compactMap { item in
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(parts[0]),
        let value = Self.decoded(parts.count > 1 ? parts[1] : "")
      else { return nil }
      return (name, value)
    }
  }

  /// Decodes a name or value of a query, in which a space can be a `+`.
  private static func decoded(_ text: Substring) -> String? {
    text.replacing("+", with: " ").percentDecoded
  }
}

/// A response over HTTP.
package struct WebResponse: Sendable, Hashable {
  /// The status code.
  package var status: Int
  /// The headers, without `Content-Length`.
  package var headers: WebHeaders
  /// The body.
  package var body: Data
  /// Whether the connection is closed instead of sending anything: a fault of a test.
  package private(set) var isCut = false

  /// Creates a response.
  package init(status: Int, headers: WebHeaders = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// No response.
  static let cut = {
    var response = WebResponse(status: 0)
    response.isCut = true
    return response
  }()

  /// Creates a response with JSON.
  init(status: Int = 200, json: JSONValue) {
    self.init(
      status: status, headers: ["Content-Type": Self.jsonType], body: json.compactData)
  }

  /// The `Content-Type` of JSON.
  static let jsonType = "application/json; charset=UTF-8"
}

/// The headers of a request or response. Names are compared without regard to case.
package struct WebHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
  private var values: [String: String] = [:]

  /// Creates headers.
  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a header.
  package subscript(name: String) -> String? {
    get { values[name.lowercased()] }
    set { values[name.lowercased()] = newValue }
  }

  /// The names in lower case, sorted, with the values.
  package var sorted: [(name: String, value: String)] {
    values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }
}

extension StringProtocol {
  /// The text without percent-encoding; nil if that is wrong, or what it encodes is not UTF-8.
  ///
  /// `removingPercentEncoding` loses a byte order mark at the beginning, which a name can have. So a
  /// letter stands before the text.
  var percentDecoded: String? {
    ("a" + self).removingPercentEncoding.map { String($0.unicodeScalars.dropFirst()) }
  }
}
