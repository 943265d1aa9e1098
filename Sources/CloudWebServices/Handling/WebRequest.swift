import struct Foundation.Data

/// A request over HTTP, as far as the handler needs it.
public struct WebRequest: Sendable, Hashable {
  /// The method, such as `POST`.
  public var method: String
  /// The path, percent-encoded as the client sent it.
  public var path: String
  /// What follows the `?` of the address, percent-encoded; empty for none.
  public var query: String
  /// The headers.
  public var headers: WebHeaders
  /// The body.
  public var body: Data

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - method: the method, in upper case.
  ///   - target: the path, and the query after a `?`, both percent-encoded.
  ///   - headers: the headers.
  ///   - body: the body.
  public init(
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

extension StringProtocol {
  /// The text without percent-encoding; nil if that is wrong, or what it encodes is not UTF-8.
  ///
  /// `removingPercentEncoding` loses a byte order mark at the beginning, which a name can have.
  var percentDecoded: String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    var rest = utf8.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.next().flatMap(Self.digit), let low = rest.next().flatMap(Self.digit)
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
