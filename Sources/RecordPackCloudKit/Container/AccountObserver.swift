#if canImport(CloudKit)
  import CloudKit
  import Foundation

  /// Runs an action each time that the account changes, until it is stopped.
  final class AccountObserver: @unchecked Sendable {
    // The observer is an opaque object that is only given back; it never changes.
    private let observer: any NSObjectProtocol

    /// - Parameter action: Runs for each change, where CloudKit posts it.
    init(_ action: @escaping @Sendable () -> Void) {
      observer = NotificationCenter.default.addObserver(
        forName: .CKAccountChanged, object: nil, queue: nil
      ) { _ in action() }
    }

    func stop() { NotificationCenter.default.removeObserver(observer) }
  }
#endif
