import CloudInterface
import MockCloud
import RecordModel

/// Who sent a request.
enum WebCaller: Sendable {
  /// Someone with an API token only: the public database can be read.
  case anonymous
  /// A user, by the record name; `__defaultOwner__` for a signed-in user without one.
  case user(String)
  /// Another server, which has the public database only.
  case server
}

/// A container as someone sees it.
protocol CallerContainer: CloudContainer where Database == MockDatabase {}

extension MockContainer: CallerContainer {}
extension MockAccount: CallerContainer {}
extension MockDevice: CallerContainer {}

extension WebContainer {
  /// Returns the container as the caller sees it.
  ///
  /// - Parameter device: the name of the caller's device; nil for none.
  func container(of caller: WebCaller, device: String? = nil) throws -> any CallerContainer {
    switch caller {
    case .anonymous:
      let device = container.device("web services: nobody")
      device.signOut()
      return device
    case .server: return container
    case .user(let name):
      let current = try container.store.info().currentUserRecordName
      if name == ZoneID.currentUserOwnerName || name == current {
        return device.map(container.device) ?? container
      }
      let account = try container.account(name)
      return device.map(account.device) ?? account
    }
  }

  /// Returns the record name under which the caller may own zones of a database; nil for none.
  func ownName(of caller: WebCaller, in scope: DatabaseScope) throws -> String? {
    guard case .user(let name) = caller, scope != .shared else { return nil }
    return name == ZoneID.currentUserOwnerName
      ? try container.store.info().currentUserRecordName : name
  }

  /// Whether the container has a user.
  func hasUser(_ name: String) throws -> Bool {
    let info = try container.store.info()
    return name == ZoneID.currentUserOwnerName || name == info.currentUserRecordName
      || info.accounts.contains { $0.userRecordName == name }
  }
}
