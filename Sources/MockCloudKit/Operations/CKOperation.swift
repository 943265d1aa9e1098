import Foundation

open class CKOperation: Operation, @unchecked Sendable {
  public typealias ID = String

  private enum Stage {
    case waiting, running, finished
  }

  private struct State {
    var stage = Stage.waiting
    var task: Task<Void, Never>?
    var configuration = Configuration()
    var group: CKOperationGroup?
    var longLivedBlock: (() -> Void)?
  }

  public let operationID: CKOperation.ID = UUID().uuidString
  private let state = Locked(State())
  /// All blocks of an operation are called on a serial queue of its own (Apple's `CKOperation.h`).
  private let callbacks = DispatchQueue(label: "CKOperation.callbacks")
  /// A queue's threads do not inherit the test that the operation belongs to.
  private let scope = BackingScope.current

  public required override init() { super.init() }

  open override var description: String { described() }

  // MARK: Settings

  open var configuration: CKOperation.Configuration! {
    get { state.with { $0.configuration } }
    set { state.with { $0.configuration = newValue?.copied() ?? Configuration() } }
  }

  open var group: CKOperationGroup? {
    get { state.with { $0.group } }
    set { state.with { $0.group = newValue } }
  }

  open var longLivedOperationWasPersistedBlock: (() -> Void)? {
    get { state.with { $0.longLivedBlock } }
    set { state.with { $0.longLivedBlock = newValue } }
  }

  // MARK: Running

  open override var isAsynchronous: Bool { true }
  open override var isExecuting: Bool { state.with { $0.stage == .running } }
  open override var isFinished: Bool { state.with { $0.stage == .finished } }

  open override func start() {
    guard state.with({ $0.stage == .waiting }) else {
      return ClientException.raise("an operation was started that has been started before")
    }
    move(to: .running, "isExecuting")
    let task = Task { [self] in
      if let scope { await scope.run { await run() } } else { await run() }
      move(to: .finished, "isExecuting", "isFinished")
    }
    state.with { $0.task = task }
    if isCancelled { task.cancel() }
  }

  open override func cancel() {
    super.cancel()
    state.with { $0.task }?.cancel()
  }

  // swift-corelibs-foundation has no key-value observing: a queue hears of a change by these calls.
  private func move(to stage: Stage, _ keys: String...) {
    for key in keys { willChangeValue(forKey: key) }
    state.with { $0.stage = stage }
    for key in keys { didChangeValue(forKey: key) }
  }

  private func run() async {
    let isLongLived = configuration.isLongLived
    if isLongLived {
      LongLivedOperations.add(self)
      await call { [self] in longLivedOperationWasPersistedBlock?() }
    }
    do {
      try checkCancellation()
      try await perform()
    } catch {
      let error = CKError.translating(error)
      await call { [self] in end(error) }
    }
    if isLongLived { LongLivedOperations.remove(self) }
  }

  /// Makes the requests, and calls the blocks of the items and the end.
  ///
  /// - Throws: The error of the whole operation.
  func perform() async throws {}

  /// Calls the blocks of the end, after an error of the whole operation.
  func end(_ error: any Error) {}

  /// The error of an operation that was cancelled, whatever the server has done meanwhile.
  func checkCancellation() throws {
    if isCancelled { throw CKError(.operationCancelled) }
  }

  /// Calls blocks with the response to a request.
  ///
  /// - Throws: The error of an operation that was cancelled meanwhile; the blocks are not called.
  func reply(_ blocks: @escaping @Sendable () -> Void) async throws {
    try checkCancellation()
    await call(blocks)
  }

  /// Calls blocks, and returns when they have returned.
  func call(_ blocks: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      callbacks.async {
        blocks()
        continuation.resume()
      }
    }
  }
}

extension CKOperation {
  /// The container of the configuration, or the default one.
  var requestedContainer: CKContainer { configuration.container ?? .default() }

  @available(*, deprecated, message: "Use CKOperationConfiguration")
  public var container: CKContainer? {
    get { configuration.container }
    set { configuration.container = newValue }
  }

  @available(*, deprecated, message: "Use CKOperationConfiguration")
  public var allowsCellularAccess: Bool {
    get { configuration.allowsCellularAccess }
    set { configuration.allowsCellularAccess = newValue }
  }

  @available(*, deprecated, message: "Use CKOperationConfiguration")
  public var isLongLived: Bool {
    get { configuration.isLongLived }
    set { configuration.isLongLived = newValue }
  }

  @available(*, deprecated, message: "Use CKOperationConfiguration")
  public var timeoutIntervalForRequest: TimeInterval {
    get { configuration.timeoutIntervalForRequest }
    set { configuration.timeoutIntervalForRequest = newValue }
  }

  @available(*, deprecated, message: "Use CKOperationConfiguration")
  public var timeoutIntervalForResource: TimeInterval {
    get { configuration.timeoutIntervalForResource }
    set { configuration.timeoutIntervalForResource = newValue }
  }
}

open class CKDatabaseOperation: CKOperation, @unchecked Sendable {
  private let given = Locked<CKDatabase?>(nil)

  open var database: CKDatabase? {
    get { given.current }
    set {
      given.with { $0 = newValue }
      // Apple's documentation of `database`: setting it sets the container, too.
      configuration.container = newValue?.container
    }
  }

  /// The database of the requests. Apple's documentation of `database`: without one, the user's private
  /// database.
  var target: CKDatabase { database ?? requestedContainer.privateCloudDatabase }
}
