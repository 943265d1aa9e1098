import MockCloud
import RecordModel

/// A container that is served.
public struct WebContainer: Sendable {
  /// The container. Its rules should be those for clients of Web Services
  /// (`ServerRules.webServices`).
  public internal(set) var container: MockContainer
  /// The identifier in the address; nil for any.
  public var identifier: String?
  /// The environment in the address; nil for any.
  public var environment: ContainerInfo.Environment?
  /// Who may send requests.
  public var access: WebAccess
  /// The contents that the container is reset to (``WebAdmin``); nil for one that is not reset.
  public var seed: MockContainer?

  /// Serves a container under the identifier and environment that its metadata names.
  ///
  /// - Throws: `ContainerStoreError` if the metadata cannot be read.
  public init(_ container: MockContainer, access: WebAccess = WebAccess()) throws {
    let info = try container.store.info()
    self.container = container
    identifier = info.identifier
    environment = info.environment
    self.access = access
  }

  /// The addresses that the container has: `identifier/environment`, with `*` for any.
  var place: String { "\(identifier ?? "*")/\(environment?.rawValue ?? "*")" }

  /// How well the container fits an address; nil if not at all.
  func fit(_ identifier: String, _ environment: ContainerInfo.Environment) -> Int? {
    guard self.identifier == nil || self.identifier == identifier,
      self.environment == nil || self.environment == environment
    else { return nil }
    return (self.identifier == nil ? 0 : 2) + (self.environment == nil ? 0 : 1)
  }
}
