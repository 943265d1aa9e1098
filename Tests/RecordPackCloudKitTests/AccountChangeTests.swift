#if os(Linux)
  import CloudInterface
  import CloudKit
  import Foundation
  import MockCloud
  import RecordModel
  import TestSupport
  import Testing

  @testable import RecordPackCloudKit

  @Suite("Changes of the account")
  struct AccountChangeTests {
    /// A container whose first answer about the account takes longer than the second.
    @Test("come in the order in which they happen")
    func order() async throws {
      let containers = try TwinContainers()
      let slow = SlowStatusContainer(containers.twin)
      let bridged = CloudKitContainer(CKContainer(mock: slow))
      let changes = bridged.accountChanges()
      NotificationCenter.default.post(name: .CKAccountChanged, object: nil)
      try await Task.sleep(for: .milliseconds(50))
      NotificationCenter.default.post(name: .CKAccountChanged, object: nil)
      var found: [AccountStatus] = []
      for await status in changes {
        found.append(status)
        if found.count == 2 { break }
      }
      #expect(found == [.noAccount, .available])
    }
  }

  /// A container whose first answer about the account is late.
  private final class SlowStatusContainer: CallHandlingContainer {
    private let base: MockContainer
    private let count = Counter()

    init(_ base: MockContainer) { self.base = base }

    var containerIdentifier: String? { base.containerIdentifier }
    func accountChanges() -> AsyncStream<AccountStatus> { base.accountChanges() }

    func handle(_ call: CloudCall) async throws -> CloudResponse {
      guard await count.next() == 1 else { return CloudResponse(accountStatus: .available) }
      try await Task.sleep(for: .milliseconds(300))
      return CloudResponse(accountStatus: .noAccount)
    }

    private actor Counter {
      private var value = 0
      func next() -> Int {
        value += 1
        return value
      }
    }
  }
#endif
