import RecordCoding

/// `records/accept`: accepts shares, by their short identifiers. Their records are in the user's
/// shared database from then on.
struct RecordsAccept: Endpoint {
  static let path = "records/accept"
  static let allowsServers = false

  private let shortGUIDs: ShortGUIDs

  init(_ body: inout RequestBody) throws { shortGUIDs = try ShortGUIDs(&body) }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    try await shortGUIDs.answer(call, accepts: true)
  }
}
