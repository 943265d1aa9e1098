import RecordModel

/// The container and environment in an address.
struct WebPlace: Sendable, Hashable {
  var identifier: String
  var environment: ContainerInfo.Environment

  var words: [String] { [identifier, environment.rawValue] }

  /// - Throws: ``WebError``: `BAD_REQUEST` for another environment.
  init(_ identifier: String, environment: String) throws {
    self.identifier = identifier
    guard let environment = ContainerInfo.Environment(rawValue: environment) else {
      throw WebError(.badRequest, "the environment is neither 'development' nor 'production'")
    }
    self.environment = environment
  }
}
