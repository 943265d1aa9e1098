import RecordCoding

import struct Foundation.Data

extension WebFault {
  /// A response that a test gives, such as one that was recorded from the server.
  public struct Response: Sendable, Hashable {
    /// The body, a JSON object of at most 16 MiB. It is sent as it is.
    public var body: Data
    /// The status code, from 200 to 599; none of 204, 205 and 304, which have no body.
    public var status: Int

    /// Creates a response. What is wrong with it is found when the fault is set up.
    public init(body: Data, status: Int = 200) {
      self.body = body
      self.status = status
    }

    init(_ object: inout RequestBody) throws {
      status = try object.value("status", Int64.self).map { Int(clamping: $0) } ?? 200
      guard let json = object.take("body"), json.members != nil else { throw Self.noObject }
      body = json.compactData
    }

    private static let noObject = WebError(.badRequest, "the body of a response is a JSON object")

    /// - Throws: ``WebError``: `BAD_REQUEST` for a body or status that cannot be sent.
    func check() throws {
      guard (200...599).contains(status), ![204, 205, 304].contains(status) else {
        throw WebError(
          .badRequest, "the status of a response is from 200 to 599, not 204, 205 or 304")
      }
      guard body.count <= WebServicesHandler.maxBodySize else {
        throw WebError(
          .badRequest,
          "the body of a response has more than \(WebServicesHandler.maxBodySize) bytes")
      }
      guard try WebServicesHandler.parse(body).members != nil else { throw Self.noObject }
    }
  }
}
