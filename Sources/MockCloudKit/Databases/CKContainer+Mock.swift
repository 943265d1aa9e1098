import CloudInterface
import Foundation
import MockCloud
import MockSync
import RecordModel

// Not part of CloudKit: how tests choose the container behind a `CKContainer`.
extension CKContainer {
  /// Creates a container in front of a mock container.
  ///
  /// - Parameters:
  ///   - mock: A `MockContainer`, for its signed-in user; a `MockAccount` or `MockDevice`; or a container
  ///     around one of them, such as a `FaultInjectingContainer`.
  ///   - syncRules: The behaviour of the `CKSyncEngine`s on the container.
  ///   - clock: The clock of the `CKSyncEngine`s, such as a `ManualClock`.
  public convenience init(
    mock: some CloudContainer, syncRules: SyncRules = SyncRules(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(backing: Backing(mock, syncRules: syncRules, clock: clock))
  }

  /// Runs code whose `CKContainer(identifier:)` and `.default()` use a mock container, in the tasks that
  /// it makes too. Containers that the code makes keep it.
  ///
  /// ```swift
  /// let phone = CKContainer.withMock(container.device("Phone")) { NoteStore() }
  /// let tablet = CKContainer.withMock(container.device("Tablet")) { NoteStore() }
  /// ```
  ///
  /// - Parameters:
  ///   - mock: The mock container, or one of its accounts or devices.
  ///   - syncRules: The behaviour of the `CKSyncEngine`s on the container.
  ///   - clock: The clock of the `CKSyncEngine`s, such as a `ManualClock`.
  ///   - body: The code that runs with the mock container.
  public static func withMock<Value>(
    _ mock: some CloudContainer, syncRules: SyncRules = SyncRules(),
    clock: any Clock<Duration> = ContinuousClock(), _ body: () throws -> Value
  ) rethrows -> Value {
    try BackingScope.run(with: Backing(mock, syncRules: syncRules, clock: clock), body)
  }

  /// Runs asynchronous code whose `CKContainer(identifier:)` and `.default()` use a mock container; see
  /// ``withMock(_:syncRules:clock:_:)-(_,_,_,()->Value)``.
  public static func withMock<Value>(
    _ mock: some CloudContainer, syncRules: SyncRules = SyncRules(),
    clock: any Clock<Duration> = ContinuousClock(), _ body: () async throws -> Value
  ) async rethrows -> Value {
    try await BackingScope.run(with: Backing(mock, syncRules: syncRules, clock: clock), body)
  }

  /// Sets the mock container of `CKContainer(identifier:)` and `.default()` in the process, for tests of
  /// XCTest.
  ///
  /// ```swift
  /// override func setUp() async throws {
  ///   CKContainer.setMock(try MockContainer.inMemory())
  ///   CKContainer.onException = { XCTFail($0) }
  /// }
  /// ```
  ///
  /// A container in a static property uses it from its next request on. A test of Swift Testing with the
  /// trait `.emptyContainer()` or `.container(…)` has its own.
  ///
  /// - Parameters:
  ///   - mock: The mock container, or one of its accounts or devices.
  ///   - identifier: Nil for all identifiers; the containers that were set before are forgotten.
  ///   - syncRules: The behaviour of the `CKSyncEngine`s on the container.
  ///   - clock: The clock of the `CKSyncEngine`s, such as a `ManualClock`.
  public static func setMock(
    _ mock: some CloudContainer, forIdentifier identifier: String? = nil,
    syncRules: SyncRules = SyncRules(), clock: any Clock<Duration> = ContinuousClock()
  ) {
    let backing = Backing(mock, syncRules: syncRules, clock: clock)
    BackingScope.setProcessBacking(backing, for: identifier)
  }

  /// The handler of a use of CloudKit for which Apple's framework raises an exception: `XCTFail`, in
  /// tests of XCTest.
  ///
  /// If it is nil, the exception is a failure of the running test that has the trait `.emptyContainer()`
  /// or `.container(…)`. Outside of such tests the process ends, as on Apple's platforms.
  public static var onException: (@Sendable (String) -> Void)? {
    get { ClientException.handler.current }
    set { ClientException.handler.with { $0 = newValue } }
  }
}
