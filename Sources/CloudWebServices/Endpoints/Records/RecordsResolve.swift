import RecordCoding

/// `records/resolve`: returns what the user may know about shares, by their short identifiers.
struct RecordsResolve: Endpoint {
  static let path = "records/resolve"
  static let allowsServers = false

  private let shortGUIDs: ShortGUIDs

  init(_ body: inout RequestBody) throws { shortGUIDs = try ShortGUIDs(&body) }

  func answer(_ call: EndpointCall) async throws -> JSONValue {
    try await shortGUIDs.answer(call, accepts: false)
  }
}
