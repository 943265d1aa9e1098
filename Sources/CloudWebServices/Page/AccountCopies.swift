import MockCloud
import Synchronization

/// The contents of containers as users see them. The copies that were not used for the longest time are
/// dropped.
final class AccountCopies: Sendable {
  private struct Key: Equatable {
    var container: PageContainerName
    var user: String?
  }

  private static let capacity = 4

  private let copies = Mutex<[(key: Key, copy: AccountCopy)]>([])

  /// Returns the copy for a user; nil means that nobody is signed in.
  func copy(for user: String?, of container: PageContainerName) -> AccountCopy {
    let key = Key(container: container, user: user)
    return copies.withLock { copies in
      let found = copies.firstIndex { $0.key == key }.map { copies.remove(at: $0).copy }
      let copy = found ?? AccountCopy(of: user)
      copies.append((key, copy))
      if copies.count > Self.capacity { copies.removeFirst() }
      return copy
    }
  }
}
