import Foundation
import RecordStore
import RecordModel
import TestSupport

/// A process that does with a container what comes to its mind, and tells on standard output what
/// has been acknowledged. The tests run several of them on one file, and kill some.
///
///     ContainerWorker CONTAINER NAME SEED SECONDS
///
/// Lines: `saved RECORD VERSION`, `deleting RECORD`, `deleted RECORD`, `imported BATCH`.
@main
struct ContainerWorker {
  static let batchSize = 100

  let path: String
  let name: String
  var generator: SeededGenerator
  var opened: [ContainerStore] = []
  /// The records that are there, with their versions.
  var versions: [String: Int] = [:]
  var made = 0

  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 5, let seed = UInt64(arguments[3]), let seconds = Double(arguments[4])
    else { exit(2) }
    var worker = ContainerWorker(
      path: arguments[1], name: arguments[2], generator: SeededGenerator(seed))
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      do {
        try worker.step()
      } catch let error as ContainerStoreError where error.code == .busy {
        tell("busy")
      } catch {
        tell("error \(error)")
        exit(1)
      }
    }
    for container in worker.opened { try container.close() }
    tell("done")
  }

  /// Straight to the descriptor: what was told before a kill has been told.
  static func tell(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
  }

  mutating func step() throws {
    guard let container = opened.randomElement(using: &generator), opened.count < 4 else {
      if opened.isEmpty { return opened.append(try ContainerStore.open(path: path)) }
      return try closeOne()
    }
    switch Int.random(in: 0..<20, using: &generator) {
    case 0, 1: opened.append(try ContainerStore.open(path: path))
    case 2, 3: try closeOne()
    case 4: _ = ContainerStore.isDatabase(path: path)
    case 5, 6: try readElsewhere()
    case 7, 8: try read(container)
    case 9, 10: try importBatch(container)
    case 11: try delete(container)
    default: try save(container)
    }
  }

  private mutating func closeOne() throws {
    try opened.remove(at: Int.random(in: 0..<opened.count, using: &generator)).close()
  }

  private mutating func save(_ container: ContainerStore) throws {
    var drafts: [DraftRecord] = []
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      var record = versions.keys.sorted().randomElement(using: &generator)
      if record == nil || Bool.random(using: &generator) {
        record = "\(name)-\(made)"
        made += 1
      }
      guard let record, !drafts.contains(where: { $0.recordID.recordName == record }) else {
        continue
      }
      var draft = DraftRecord(recordType: "Note", recordID: RecordID(recordName: record))
      draft["version"] = (versions[record] ?? 0) + 1
      draft["text"] = String(repeating: "x", count: Int.random(in: 0..<3000, using: &generator))
      if Int.random(in: 0..<4, using: &generator) == 0 {
        let byte = UInt8.random(in: 0..<8, using: &generator)
        draft["file"] = Asset(data: Data(repeating: byte, count: 20_000))
      }
      drafts.append(draft)
    }
    try container.transaction { try $0.save(drafts, in: .private) }
    for draft in drafts {
      let record = draft.recordID.recordName
      versions[record, default: 0] += 1
      Self.tell("saved \(record) \(versions[record] ?? 0)")
    }
  }

  private mutating func delete(_ container: ContainerStore) throws {
    guard let record = versions.keys.sorted().randomElement(using: &generator) else { return }
    Self.tell("deleting \(record)")
    try container.transaction { try $0.delete(RecordID(recordName: record), in: .private) }
    versions[record] = nil
    Self.tell("deleted \(record)")
  }

  private mutating func importBatch(_ container: ContainerStore) throws {
    let batch = "batch-\(name)-\(made)"
    made += 1
    try container.importTransaction { writer in
      for number in 0..<Self.batchSize {
        let system = SystemFields(
          recordID: RecordID(recordName: "\(batch)-\(number)"), recordType: "Batch",
          recordChangeTag: "1", modified: RecordStamp(date: Date()))
        try writer.add(
          ResultRecord(
            systemFields: system, fields: [Field(name: "text", value: .string(batch))]),
          to: .private)
      }
    }
    Self.tell("imported \(batch)")
  }

  private mutating func readElsewhere() throws {
    let reader = try ContainerStore.open(path: path, mode: .readOnly)
    try read(reader)
    if Bool.random(using: &generator) { try reader.close() }
  }

  /// Reads slowly, twice: both times the same must be there, and nothing half.
  private mutating func read(_ container: ContainerStore) throws {
    let pause = UInt32.random(in: 0..<30_000, using: &generator)
    try container.snapshot { snapshot in
      var counts: [[String: Int]] = []
      for _ in 0..<2 {
        var batches: [String: Int] = [:]
        try snapshot.forEachRecord(in: .private) { record in
          if record.recordType == "Batch", let batch: String = record["text"] {
            batches[batch, default: 0] += 1
          } else {
            batches[record.recordID.recordName] = record["version"]
          }
        }
        counts.append(batches)
        usleep(pause)
      }
      guard counts[0] == counts[1] else { throw Half("two reads of a snapshot differ") }
      for (batch, count) in counts[0] where batch.hasPrefix("batch-") && count != Self.batchSize {
        throw Half("\(batch) has \(count) records")
      }
      for (record, version) in versions where (counts[0][record] ?? 0) < version {
        throw Half("\(record) has the version \(counts[0][record] ?? 0), saved was \(version)")
      }
    }
  }
}

/// What a reader must never see.
struct Half: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
