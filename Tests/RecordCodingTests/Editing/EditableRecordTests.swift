import Foundation
import RecordModel
import Testing

@testable import RecordCoding

/// A record that came as bytes keeps what is not touched as bytes. Whatever is done to it must come
/// to the same as if it were done to the record's values.
@Suite("An editable record")
struct EditableRecordTests {
  private func bytes(of record: ResultRecord) throws -> [UInt8] {
    let buffer = ByteBuffer()
    try RecordJSONWriter().write(record, to: buffer)
    return Array(buffer.bytes)
  }

  private func written(_ record: EditableRecord) throws -> [UInt8] {
    let buffer = ByteBuffer()
    try record.write(to: buffer)
    return Array(buffer.bytes)
  }

  /// Does the same to a record as bytes and to the same record as values.
  private func edit(
    _ first: EditableRecord, _ second: EditableRecord, _ model: inout RandomModel
  ) -> String {
    let names = (0..<first.fieldCount).map { first.name(at: $0) }
    let name = names.randomElement(using: &model.random) ?? "field0"
    let newName = "new\(Int.random(in: 0..<100, using: &model.random))"
    func both(_ body: (EditableRecord) -> Void) {
      body(first)
      body(second)
    }
    switch Int.random(in: 0..<11, using: &model.random) {
    case 0:
      both { $0.setRecordType("Other\"Type") }
      return "retype"
    case 1:
      let text = model.uuid()
      both { $0.rename(to: text) }
      return "rename"
    case 2:
      let zone = model.zoneID()
      both { $0.move(to: zone) }
      return "move"
    case 3:
      both { $0.remove(name) }
      return "remove"
    case 4 where !first.hasField(newName):
      both { $0.renameField(name, to: newName) }
      return "rename field"
    case 5:
      let isEncrypted = model.chance(50)
      both { record in record.index(ofField: name).map { record.setEncrypted(isEncrypted, at: $0) }
      }
      return "encrypt"
    case 6:
      let field = model.field(model.chance(50) ? name : newName)
      both { $0.set(field) }
      return "set"
    case 7:
      let parent = model.maybe { $0.reference() }
      both { $0.parent = parent }
      return "parent"
    case 8:
      guard let index = first.index(ofField: name), first.setParent(fromFieldAt: index),
        case .reference(let reference) = second.field(at: index).value
      else { return "no parent" }
      second.parent = Reference(recordID: reference.recordID)
      return "parent of a field"
    case 9 where !first.hasField(newName):
      return copy(name, as: newName, first, second, asList: model.chance(50))
    default:
      let counts = [first, second].map { record in
        record.mapReferences {
          $0.recordName.utf8.count % 2 == 0
            ? nil : RecordID(recordName: "mapped", zoneID: $0.zoneID)
        }
      }
      #expect(counts[0] == counts[1])
      return "references"
    }
  }

  private func copy(
    _ name: String, as newName: String, _ first: EditableRecord, _ second: EditableRecord,
    asList: Bool
  ) -> String {
    guard let index = first.index(ofField: name),
      first.add(newName, copying: [index, index], asList: asList, isEncrypted: false)
    else { return "no copy" }
    let value = second.field(at: index).value
    let list = value.type.flatMap { RecordValue(list: [value, value], of: $0) }
    second.set(newName, to: asList ? list ?? .emptyList : value)
    return asList ? "list" : "copy"
  }

  @Test(
    "comes to the same as bytes and as values, whatever is done to it",
    arguments: SeededGenerator.seeds(20))
  func anyEdits(seed: UInt64) throws {
    var model = RandomModel(seed: seed)
    model.raw = { .number(text: "\(Int.random(in: 0...9, using: &$0))") }
    model.hasExtremeDates = false
    let (reader, first) = (RecordJSONReader(), EditableRecord())
    for _ in 0..<60 {
      let record = model.record()
      let source = try bytes(of: record)
      let line = RecordLine.opening(for: .shared) + source.dropFirst()
      try line.withUnsafeBytes { line in
        try #require(reader.load(first, from: line))
        first.begin()
        let second = EditableRecord(record, in: .shared)
        #expect(try written(first) == source && first.isUnchanged && !first.dependsOnValues)
        var done: [String] = []
        for _ in 0..<Int.random(in: 1...8, using: &model.random) {
          done.append(edit(first, second, &model))
          #expect(first.resultRecord == second.resultRecord, "\(done)")
          let expected = try bytes(of: second.resultRecord)
          #expect(try written(first) == expected, "\(done)")
          #expect(first.recordID == second.recordID && first.parent == second.parent, "\(done)")
        }
        let end = try written(first)
        checkShortcuts(first, second, end)
        let read = end.withUnsafeBytes { RecordJSONReader().readCanonical($0) }
        #expect(read == second.resultRecord, "\(done)")
      }
    }
  }

  /// Checks what is said of a record without decoding it.
  ///
  /// - Parameters:
  ///   - second: the same record, loaded from values.
  ///   - bytes: its dictionary.
  private func checkShortcuts(
    _ first: EditableRecord, _ second: EditableRecord, _ bytes: [UInt8]
  ) {
    if let place = first.nameInDictionary {
      #expect(bytes[place].elementsEqual(second.recordID.recordName.utf8))
    }
    var hasAssets = false
    bytes.withUnsafeBytes { AssetReferences.forEach(in: $0) { _ in hasAssets = true } }
    #expect(!hasAssets || first.mayContainAssets)
    for part in 0..<4 {
      // Some of the targets, so that there are records with none of them.
      func isChosen(_ name: some Collection<UInt8>) -> Bool {
        name.reduce(name.count) { $0 &+ Int($1) } % 4 == part
      }
      let isThere = first.hasReference { isChosen($0.recordName.utf8) }
      let mayBe = first.mayHaveReference { isChosen($0) }
      #expect(!isThere || mayBe)
    }
  }

  @Test("tells of references, assets and its name without decoding them")
  func shortcuts() throws {
    let zone = ZoneID(zoneName: "Z")
    func target(_ name: String, _ zoneID: ZoneID = zone) -> Reference {
      Reference(recordID: RecordID(recordName: name, zoneID: zoneID), action: .deleteSelf)
    }
    let record = ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: "n", zoneID: zone), recordType: "T", parent: target("p"),
        share: target("s")),
      fields: [
        Field(name: "one", value: .reference(target("a"))),
        Field(name: "some", value: .referenceList([target("b", .default), target("c")])),
        Field(name: "text", value: .string("a \"sha256\":\"")),
      ])
    let line = try RecordLine.opening(for: .private) + bytes(of: record).dropFirst()
    let (reader, first) = (RecordJSONReader(), EditableRecord())
    try line.withUnsafeBytes { line in
      try #require(reader.load(first, from: line))
      first.begin()
      func mayRefer(to name: String) -> Bool {
        first.mayHaveReference { $0.elementsEqual(name.utf8) }
      }
      for name in ["a", "b", "c", "p", "s"] { #expect(mayRefer(to: name), "\(name)") }
      #expect(!mayRefer(to: "n"))
      #expect(!first.mayContainAssets && first.nameInDictionary != nil && !first.dependsOnValues)
      first.set("new", to: .reference(target("d")))
      #expect(mayRefer(to: "d"))
      first.begin()
      first.rename(to: "m")
      #expect(first.nameInDictionary == nil)
    }
  }

  @Test("knows whether its values were looked at")
  func reading() throws {
    let zone = ZoneID(zoneName: "Z")
    let target = Reference(recordID: RecordID(recordName: "a", zoneID: zone))
    let record = ResultRecord(
      systemFields: SystemFields(
        recordID: RecordID(recordName: "n", zoneID: zone), recordType: "T", parent: target),
      fields: [
        Field(name: "ref", value: .reference(target)), Field(name: "text", value: .string("x")),
      ])
    let line = try RecordLine.opening(for: .private) + bytes(of: record).dropFirst()
    let looks: [(String, Bool, (EditableRecord) -> Void)] = [
      ("the fields", false, { _ = ($0.hasField("text"), $0.valueType(at: 0), $0.fieldCount) }),
      ("parent or none", false, { _ = ($0.hasParent, $0.hasShare) }),
      ("type, zone", false, { _ = ($0.recordType, $0.zoneID, $0.typeName(at: 1)) }),
      ("changes", false, { $0.renameField("text", to: "body") }),
      ("a parent", false, { _ = $0.setParent(fromFieldAt: 0) }),
      ("a list", false, { _ = $0.add("l", copying: [0], asList: true, isEncrypted: false) }),
      ("references that stay", false, { _ = $0.mapReferences { _ in nil } }),
      ("references that change", true, { _ = $0.mapReferences { _ in target.recordID } }),
      ("a value", true, { _ = $0.field(named: "text") }),
      ("the name", true, { _ = $0.recordID }),
      ("another name", true, { $0.rename(to: "m") }),
      ("the first name", true, { _ = $0.sourceID }),
      ("the parent", true, { _ = $0.parent }),
      ("everything", true, { _ = $0.systemFields }),
    ]
    let reader = RecordJSONReader()
    for (what, isReading, look) in looks {
      try line.withUnsafeBytes { line in
        let record = EditableRecord()
        try #require(reader.load(record, from: line))
        record.begin()
        look(record)
        #expect(record.dependsOnValues == isReading, "\(what)")
      }
    }
  }

  @Test("takes the edits of one like it, and of no other")
  func adopting() throws {
    let zone = ZoneID(zoneName: "Z")
    func line(_ name: String, _ action: Reference.Action, _ text: String) throws -> [UInt8] {
      let target = Reference(
        recordID: RecordID(recordName: "chat-\(name)", zoneID: zone), action: action)
      let record = ResultRecord(
        systemFields: SystemFields(
          recordID: RecordID(recordName: name, zoneID: zone), recordType: "T"),
        fields: [
          Field(name: "chat", value: .reference(target)), Field(name: "text", value: .string(text)),
        ])
      return try RecordLine.opening(for: .private) + bytes(of: record).dropFirst()
    }
    let (reader, record) = (RecordJSONReader(), EditableRecord())
    let first = try line("a", .none, "one")
    let (edits, outline) = try first.withUnsafeBytes { line in
      try #require(reader.load(record, from: line))
      record.begin()
      #expect(record.setParent(fromFieldAt: 0))
      record.setEncrypted(true, at: 1)
      return (LearntEdits(record.edits), record.editKey)
    }
    try line("b", .none, "two \"\n").withUnsafeBytes { line in
      try #require(reader.load(record, from: line))
      #expect(record.editKey == outline)
      #expect(record.apply(edits))
      let text = String(decoding: try written(record), as: UTF8.self)
      #expect(text.contains(#""parent":{"recordName":"chat-b","action":"NONE"}"#))
      #expect(text.contains(#""isEncrypted":true,"value":"two \"\n""#))
      #expect(record.resultRecord.parent?.recordID.recordName == "chat-b")
      record.remove("text")
    }
    try line("d", .none, "four").withUnsafeBytes { line in
      try #require(reader.load(record, from: line))
      // What was changed after the last record took them is not taken along.
      #expect(record.apply(edits))
      #expect(record.hasField("text") && record.parent?.recordID.recordName == "chat-d")
    }
    try line("c", .deleteSelf, "three").withUnsafeBytes { line in
      try #require(reader.load(record, from: line))
      // A parent has no action: this reference cannot be taken as it is.
      #expect(!record.apply(edits))
    }
  }
}
