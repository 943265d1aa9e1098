import MockCloud
import RecordModel

/// A container that is served.
package struct WebContainer: Sendable {
  /// The container. Its rules should be those for clients of Web Services
  /// (`ServerRules.webServices`).
  package internal(set) var container: MockContainer
  /// The identifier in the address; nil for any.
  package var identifier: String?
  /// The environment in the address; nil for any.
  package var environment: ContainerInfo.Environment?
  /// The name of the file that the contents came from, without its folders, if that is not the file
  /// of the container.
  package var fileName: String?
  /// The tokens and keys of those who may send requests.
  package var access: WebAccess
  /// The contents that the container is reset to (``WebAdmin``); nil for one that is not reset.
  package var seed: MockContainer?
  /// Whether the container is its file: a reset changes the file.
  package var isInPlace = false

  /// Serves a container under the identifier and environment that its metadata names.
  ///
  /// - Throws: `ContainerStoreError` if the metadata cannot be read.
  package init(_ container: MockContainer, access: WebAccess = WebAccess()) throws {
    let info = try container.store.info()
    self.container = container
    identifier = info.identifier
    environment = info.environment
    self.access = access
  }

  /// The addresses that the container has: `identifier/environment`, with `*` for any.
  var addressPattern: String { "\(identifier ?? "*")/\(environment?.rawValue ?? "*")" }

  /// How much of an address the container names; nil if it has another address.
  func specificity(for address: ContainerAddress) -> Int? {
    guard identifier == nil || identifier == address.identifier,
      environment == nil || environment == address.environment
    else { return nil }
    return (identifier == nil ? 0 : 2) + (environment == nil ? 0 : 1)
  }
}

/// The container and environment in an address.
struct ContainerAddress: Sendable, Hashable, Codable {
  var identifier: String
  var environment: ContainerInfo.Environment

  /// - Throws: ``WebError``: `BAD_REQUEST` for another environment.
  init(_ identifier: String, environment: String) throws {
    self.identifier = identifier
    guard let environment = ContainerInfo.Environment(rawValue: environment) else {
      throw WebError(.badRequest, "the environment is neither 'development' nor 'production'")
    }
    self.environment = environment
  }
}
