#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif
import MockCloud

/// A container, the private database of its user in it, and a zone.
struct Fixture {
  let mock: MockContainer
  let container: CKContainer
  let zone = CKRecordZone.ID(zoneName: "Notes", ownerName: CKCurrentUserDefaultName)

  init() throws {
    mock = try MockContainer.inMemory()
    container = CKContainer(mock: mock)
  }

  var database: CKDatabase { container.privateCloudDatabase }

  static func withZone() async throws -> Fixture {
    let fixture = try Fixture()
    _ = try await fixture.database.save(CKRecordZone(zoneID: fixture.zone))
    return fixture
  }

  func record(_ name: String, type: String = "Note") -> CKRecord {
    CKRecord(recordType: type, recordID: CKRecord.ID(recordName: name, zoneID: zone))
  }
}

/// Returns the error that `body` throws, as the framework's.
func ckError<T>(_ body: () async throws -> T) async -> CKError? {
  do {
    _ = try await body()
    return nil
  } catch let error as CKError {
    return error
  } catch {
    return nil
  }
}

/// The results of blocks that an operation calls, in their order.
final class CallLog: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  func add(_ line: String) { lock.withLock { lines.append(line) } }
  var calls: [String] { lock.withLock { lines } }
}

/// Adds operations to a queue of the test's own, and waits for the end of the last.
func run(_ operations: CKOperation..., on queue: OperationQueue = OperationQueue()) async {
  await withCheckedContinuation { continuation in
    operations.last?.completionBlock = { continuation.resume() }
    for operation in operations { queue.addOperation(operation) }
  }
}

/// The name of an error's code, for a log.
func name(_ error: (any Error)?) -> String {
  guard let error = error as? CKError else { return error == nil ? "none" : "foreign" }
  return "\(error.code)"
}
