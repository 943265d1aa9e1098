import CloudKit
import CoreLocation
import CustomDump
import Foundation
import XCTest

@testable import PlaceNotes

final class NoteStoreTests: XCTestCase {
  // Reads an archive before the process uses another class of CloudKit.
  func testAnArchiveIsReadFirst() throws {
    let reader = try NSKeyedUnarchiver(forReadingFrom: Self.identifierArchive)
    reader.requiresSecureCoding = true
    let names = reader.decodeObject(of: [CKRecord.ID.self], forKey: "root")
    XCTAssertNotNil(names)
  }

  func testNotesAreFound() async throws {
    let store = NoteStore(container: CKContainer(identifier: "iCloud.com.example.sample"))
    do {
      _ = try await store.add(Note(title: "a", latitude: 1))
      XCTFail("the zone does not exist")
    } catch CKError.zoneNotFound {
    }
    try await store.setUp()
    let id = try await store.add(Note(title: "a", latitude: 1))
    _ = try await store.add(Note(title: "b", latitude: 2))
    let found = try await store.notes(titled: "a")
    XCTAssertEqual(found, [Note(title: "a", latitude: 1)])
    let archive = try await store.archive(of: id)
    let record = try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: archive)
    XCTAssertEqual(record?["title"], "a")
  }

  // CustomDump has code for CoreLocation, if a module of this name is there.
  func testALocationIsDumped() {
    var text = ""
    customDump(CLLocation(latitude: 1, longitude: 2), to: &text)
    XCTAssertTrue(text.contains("latitude: 1.0") && text.contains("speed: -1.0"), text)
  }

  /// The keyed archive of `CKRecord.ID(recordName: "a")`, as CloudKit writes it.
  private static let identifierArchive = Data(
    base64Encoded: """
      YnBsaXN0MDDUAQIDBAUGJShZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tl
      eWVkQXJjaGl2ZXKoBwgPEBobISJVJG51bGzTCQoLDA0OViRjbGFzc1pSZWNvcmROYW1lVlpvbmVJ
      RIAFgAKAA1Fh1QkREhMUFRYXGBlYWm9uZU5hbWVfEBFhbm9ueW1vdXNDS1VzZXJJRF8QEGRhdGFi
      YXNlU2NvcGVLZXlZb3duZXJOYW1lgAeABoAAEACABF8QEF9fZGVmYXVsdE93bmVyX1/SHB0eH1gk
      Y2xhc3Nlc1okY2xhc3NuYW1loh8gWkNLUmVjb3JkSURYTlNPYmplY3RcX2RlZmF1bHRab25l0hwd
      IySiJCBeQ0tSZWNvcmRab25lSUTRJidUcm9vdIABEgABhqAACAARABsAJAApADIARABNAFMAWgBh
      AGwAcwB1AHcAeQB7AIYAjwCjALYAwADCAMQAxgDIAMoA3QDiAOsA9gD5AQQBDQEaAR8BIgExATQB
      OQE7AAAAAAAAAgEAAAAAAAAAKQAAAAAAAAAAAAAAAAAAAUA=
      """, options: .ignoreUnknownCharacters)!
}
