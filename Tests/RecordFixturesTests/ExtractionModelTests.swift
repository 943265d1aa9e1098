import Foundation
import RecordArchive
import RecordBundle
import RecordModel
import RecordStore
import TestSupport
import Testing

@testable import RecordFixtures

/// Extractions from random records, beside a plain model of what comes along.
struct ExtractionModelTests {
  @Test(
    "an extraction has what comes along, from a bundle and from a container",
    arguments: SeededGenerator.seeds(8))
  func extraction(seed: UInt64) throws {
    var model = ExtractionModel(seed)
    let folder = try TestFolder()
    let container = try model.write(to: folder.path("all.sqlite"))
    try Archiver().export(container, to: folder.path("all.recordpack"))
    let sources = [
      ArchiveSource.container(container), try .open([folder.path("all.recordpack")]),
    ]
    for round in 0..<6 {
      let closure = model.randomClosure()
      let asked = model.randomRecords()
      let expected = model.extracted(asked, closure)
      for (index, source) in sources.enumerated() {
        var extraction = Extraction(of: source)
        extraction.closure = closure
        let path = folder.path("part-\(index).recordpack")
        let report = try extraction.write(to: path) { ask in
          for recordID in asked {
            for found in try source.records(named: recordID.recordName)
            where found.record.recordID == recordID { try ask(found.record, found.database) }
          }
        }
        let part = try BundleReader(path: path)
        var found: Set<RecordID> = []
        try part.forEachRecord { record, _ in found.insert(record.recordID) }
        let place = "seed \(seed), round \(round), source \(index)"
        #expect(found == expected, "\(place): \(asked) \(closure)")
        #expect(report.records == expected.count, "\(place)")
        #expect(try part.verify().isIntact, "\(place)")
      }
      #expect(
        FileManager.default.contents(atPath: folder.path("part-0.recordpack"))
          == FileManager.default.contents(atPath: folder.path("part-1.recordpack")))
    }
  }
}

/// Random records, and what extractions of them have.
private struct ExtractionModel {
  private var random: SeededGenerator
  private var records: [RecordID: ResultRecord] = [:]
  private let zones = ["A", "B"].map { ZoneID(zoneName: $0) }

  init(_ seed: UInt64) {
    random = SeededGenerator(seed)
    for zoneID in zones {
      for number in 0..<(2 + random.below(25)) {
        let recordID = RecordID(recordName: "r\(number)", zoneID: zoneID)
        records[recordID] = record(recordID, number)
      }
    }
  }

  private mutating func record(_ recordID: RecordID, _ number: Int) -> ResultRecord {
    func reference(to number: Int) -> Reference {
      Reference(recordID: RecordID(recordName: "r\(number)", zoneID: recordID.zoneID))
    }
    var system = SystemFields(
      recordID: recordID, recordType: random.pick(["X", "Y", "Z"]), recordChangeTag: "1")
    // Cycles, and records that do not exist, are among them.
    if random.chance(2) { system.parent = reference(to: random.below(20)) }
    if random.chance(5) { system.share = reference(to: random.below(20)) }
    var fields: [Field] = []
    if random.chance(4) {
      fields.append(Field(name: "one", value: .reference(reference(to: random.below(30)))))
    }
    if random.chance(6) {
      let other = RecordID(recordName: "r\(random.below(20))", zoneID: random.pick(zones))
      fields.append(
        Field(
          name: "two",
          value: .referenceList([reference(to: random.below(20)), Reference(recordID: other)])))
    }
    return ResultRecord(systemFields: system, fields: fields)
  }

  func write(to path: String) throws -> ContainerStore {
    try ContainerStore.build(path: path) { writer in
      for zoneID in zones { try writer.add(RecordZone(zoneID: zoneID), to: .private) }
      for (_, record) in records { try writer.add(record, to: .private) }
    }
    return try ContainerStore.open(path: path)
  }

  mutating func randomClosure() -> ExtractionClosure {
    var closure = ExtractionClosure.nothing
    for relation in ExtractionClosure.Relation.allCases where random.chance(2) {
      closure.depths[relation] =
        random.chance(2) ? ExtractionClosure.unlimited : 1 + random.below(3)
    }
    return closure
  }

  mutating func randomRecords() -> [RecordID] {
    let all = records.keys.sorted()
    return (0..<(1 + random.below(3))).map { _ in random.pick(all) }
  }

  /// Follows every relation of every record until nothing changes.
  func extracted(_ asked: [RecordID], _ closure: ExtractionClosure) -> Set<RecordID> {
    typealias Steps = [ExtractionClosure.Relation: Int]
    var kept: [RecordID: [Steps]] = [:]
    var isChanged = false
    // Each path to a record has its own rest of steps.
    func reach(_ recordID: RecordID, _ steps: Steps) {
      guard records[recordID] != nil else { return }
      let isKnown = kept[recordID, default: []].contains { known in
        steps.allSatisfy { $0.value <= known[$0.key] ?? 0 }
      }
      guard !isKnown else { return }
      kept[recordID, default: []].append(steps)
      isChanged = true
    }
    for recordID in asked { reach(recordID, closure.depths) }
    repeat {
      isChanged = false
      for (recordID, steps) in kept.flatMap({ place, rests in rests.map { (place, $0) } }) {
        func go(_ relation: ExtractionClosure.Relation, _ target: RecordID?) {
          guard let target, let left = steps[relation], left > 0 else { return }
          var rest = steps
          if left != .max { rest[relation] = left - 1 }
          reach(target, rest)
        }
        guard let record = records[recordID] else { continue }
        go(.parents, record.parent?.recordID)
        go(.shares, record.share?.recordID)
        for field in record.fields {
          for reference in field.value.references { go(.references, reference.recordID) }
        }
        for child in records.values where child.parent?.recordID == recordID {
          go(.children, child.recordID)
        }
      }
    } while isChanged
    return Set(kept.keys)
  }
}
