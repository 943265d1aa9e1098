import CloudKit
import CoreLocation
import Foundation

/// A note with a place.
struct Note: Equatable, Sendable {
  var title: String
  var latitude: Double

  init(title: String, latitude: Double) {
    self.title = title
    self.latitude = latitude
  }
}

/// Notes in the private database.
struct NoteStore: Sendable {
  let database: CKDatabase
  let zone = CKRecordZone(zoneName: "Notes")

  init(container: CKContainer = .default()) {
    database = container.privateCloudDatabase
  }

  func setUp() async throws { _ = try await database.save(zone) }

  func add(_ note: Note) async throws -> CKRecord.ID {
    let id = CKRecord.ID(recordName: UUID().uuidString, zoneID: zone.zoneID)
    let record = CKRecord(recordType: "Note", recordID: id)
    record["title"] = note.title
    record["place"] = CLLocation(latitude: note.latitude, longitude: 0)
    return try await database.save(record).recordID
  }

  func notes(titled title: String) async throws -> [Note] {
    let query = CKQuery(
      recordType: "Note", predicate: NSPredicate(format: "title = %@", title))
    query.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    let results = try await database.records(matching: query, inZoneWith: zone.zoneID)
    return results.matchResults.compactMap { _, result in
      guard let record = try? result.get(), let title = record["title"] as? String,
        let place = record["place"] as? CLLocation
      else { return nil }
      return Note(title: title, latitude: place.coordinate.latitude)
    }
  }

  func archive(of id: CKRecord.ID) async throws -> Data {
    let record = try await database.record(for: id)
    return try NSKeyedArchiver.archivedData(withRootObject: record, requiringSecureCoding: true)
  }
}
