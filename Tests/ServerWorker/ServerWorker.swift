import CloudInterface
import Foundation
import MockCloud
import RecordModel

/// A process that saves and deletes families of records through the server's rules, until it is
/// killed, and tells on standard output what was acknowledged.
///
///     ServerWorker CONTAINER FIRST-NUMBER
///     ServerWorker CONTAINER gap
///
/// A family is a note with four others below it, which are deleted with it. Lines: `saving N`,
/// `saved N`, `deleting N`, `deleted N`.
///
/// With `gap`, a hundred tasks save at once, and the longest time is told, in milliseconds, in which the
/// main actor ran nothing else.
@main
struct ServerWorker {
  static let zoneID = ZoneID(zoneName: "Families")

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3 else { exit(2) }
    if arguments[2] == "gap" { return tell("\(try await MainActorGap.measure(arguments[1]))") }
    guard let first = Int(arguments[2]) else { exit(2) }
    let container = try MockContainer.open(path: arguments[1], mode: .openOrCreate)
    let database = container.privateCloudDatabase
    try await database.save(RecordZone(zoneID: zoneID))
    for number in first... {
      tell("saving \(number)")
      try await database.modifyRecords(saving: family(number), deleting: [])
      tell("saved \(number)")
      guard number % 2 == 0 else { continue }
      tell("deleting \(number)")
      let results = try await database.modifyRecords(
        saving: [], deleting: [id("f\(number)-0")]
      ).deleteResults
      for result in results.values { try result.get() }
      tell("deleted \(number)")
    }
  }

  private static func id(_ name: String) -> RecordID {
    RecordID(recordName: name, zoneID: zoneID)
  }

  private static func family(_ number: Int) -> [DraftRecord] {
    (0..<5).map { member in
      var draft = DraftRecord(recordType: "Note", recordID: id("f\(number)-\(member)"))
      draft["text"] = String(repeating: "x", count: 200 * member)
      draft["file"] = Asset(data: Data(repeating: UInt8(member), count: 3_000))
      if member > 0 {
        draft["owner"] = Reference(recordID: id("f\(number)-0"), action: .deleteSelf)
      }
      return draft
    }
  }

  /// Straight to the descriptor: what was told before a kill has been told.
  private static func tell(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }
}
