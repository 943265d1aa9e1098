import RecordCoding

import struct Foundation.Data

/// A response over HTTP.
public struct WebResponse: Sendable, Hashable {
  /// The status code.
  public var status: Int
  /// The headers, without `Content-Length`.
  public var headers: WebHeaders
  /// The body.
  public var body: Data
  /// Whether the connection is closed instead of sending anything: a fault of a test.
  public private(set) var isCut = false

  /// Creates a response.
  public init(status: Int, headers: WebHeaders = [:], body: Data = Data()) {
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
