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
