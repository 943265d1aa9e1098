import Foundation
import RecordModel
import TestSupport
import Testing

@testable import RecordCoding

/// What reads a field of a view, and the type it expects.
private struct FieldRead: Sendable {
  let type: ValueType
  let read: @Sendable (inout RecordView, StaticString, Bool) throws -> RecordValue?

  static let all: [FieldRead] = [
    .init(type: .string) { try $0.string($1, isEncrypted: $2)?.recordValue },
    .init(type: .int64) { try $0.int64($1, isEncrypted: $2)?.recordValue },
    .init(type: .double) { try $0.double($1, isEncrypted: $2)?.recordValue },
    .init(type: .timestamp) { try $0.date($1, isEncrypted: $2)?.recordValue },
    .init(type: .bytes) { try $0.data($1, isEncrypted: $2)?.recordValue },
    .init(type: .location) { try $0.location($1, isEncrypted: $2)?.recordValue },
    .init(type: .reference) { try $0.reference($1, isEncrypted: $2)?.recordValue },
    .init(type: .asset) { try $0.asset($1, isEncrypted: $2)?.recordValue },
    .init(type: .stringList) { try $0.strings($1, isEncrypted: $2)?.recordValue },
    .init(type: .int64List) { try $0.int64s($1, isEncrypted: $2)?.recordValue },
    .init(type: .doubleList) { try $0.doubles($1, isEncrypted: $2)?.recordValue },
    .init(type: .timestampList) { try $0.dates($1, isEncrypted: $2)?.recordValue },
    .init(type: .bytesList) { try $0.dataList($1, isEncrypted: $2)?.recordValue },
    .init(type: .locationList) { try $0.locations($1, isEncrypted: $2)?.recordValue },
    .init(type: .referenceList) { try $0.references($1, isEncrypted: $2)?.recordValue },
    .init(type: .assetList) { try $0.assets($1, isEncrypted: $2)?.recordValue },
  ]
}

/// One thing that is read from a view.
private struct Step {
  var name: StaticString
  var read: FieldRead
  var isEncrypted: Bool

  /// What reading a record should give, by its decoded fields.
  func expected(_ record: ResultRecord) -> Outcome {
    guard let field = record.field(named: "\(name)") else { return .absent }
    guard field.isEncrypted == isEncrypted else { return .failure(.encryption) }
    if field.value.type == read.type { return .value(field.value) }
    switch (field.value, read.type) {
    case (.int64(let number), .double):
      return Double(exactly: number).map { .value(.double($0)) } ?? .failure(.outOfRange)
    case (.emptyList, let type) where type.elementType != nil:
      return .value(RecordValue(list: [], of: type.elementType!)!)
    default: return .failure(.wrongType)
    }
  }
}

private enum Outcome: Equatable {
  case absent
  case value(RecordValue)
  case failure(TypedRecordError.Code)
}

/// A type that reads what a test wants.
private struct Probe: RecordDecodable {
  @TaskLocal static var steps: [Step] = []

  var recordID: RecordID
  var recordType: String
  var changeTag: String?
  var dates: [Date?]
  var users: [RecordID?]
  var references: [Reference?]
  var outcomes: [Outcome] = []

  init(from record: inout RecordView) throws {
    for step in Self.steps {
      do throws(any Error) {
        let value = try step.read.read(&record, step.name, step.isEncrypted)
        outcomes.append(value.map(Outcome.value) ?? .absent)
      } catch {
        outcomes.append(.failure((error as? TypedRecordError)?.code ?? .unsupportedType))
      }
    }
    recordID = record.recordID
    recordType = record.recordType
    changeTag = record.recordChangeTag
    dates = [record.creationDate, record.modificationDate]
    users = [record.creatorUserRecordID, record.lastModifiedUserRecordID]
    references = [record.parent, record.share]
  }

  /// Whether the system fields are those of a record.
  func agrees(with record: ResultRecord) -> Bool {
    recordID == record.recordID && recordType == record.recordType
      && changeTag == record.recordChangeTag
      && dates == [record.creationDate, record.modificationDate]
      && users == [record.creatorUserRecordID, record.lastModifiedUserRecordID]
      && references == [record.parent, record.share]
  }
}

@Suite("A record view")
struct RecordViewTests {
  private static let names: [StaticString] = ["a", "ab", "b", "camelCase", "snake_case", "z", "zz"]

  private static func record(_ model: inout RandomModel) -> ResultRecord {
    var fields: [Field] = []
    for name in names where model.chance(60) {
      fields.append(
        Field(
          name: "\(name)", value: model.value(), isEncrypted: model.chance(25),
          otherMembers: model.others()))
    }
    // Fields that no one reads.
    for name in ["A", "aa", "mn", "é", "zzz"] where model.chance(20) {
      fields.append(Field(name: name, value: model.value(), isEncrypted: model.chance(25)))
    }
    var system = model.systemFields()
    if model.chance(40) { system.modified = system.created }
    if model.chance(50) { system.otherMembers = [] }
    return ResultRecord(systemFields: system, fields: fields)
  }

  /// Reads of fields that are there, mostly with their types, in some order.
  private static func steps(_ record: ResultRecord, _ model: inout RandomModel) -> [Step] {
    var steps: [Step] = []
    for name in names where model.chance(80) {
      let field = record.field(named: "\(name)")
      let fitting = FieldRead.all.first { $0.type == field?.value.type }
      let any = FieldRead.all.randomElement(using: &model.random)!
      steps.append(
        Step(
          name: name, read: model.chance(80) ? fitting ?? any : any,
          isEncrypted: model.chance(85) ? field?.isEncrypted ?? false : model.chance(50)))
    }
    if model.chance(30) { steps.shuffle(using: &model.random) }
    if model.chance(20), let again = steps.randomElement(using: &model.random) {
      steps.append(again)
    }
    return steps
  }

  private static func line(_ record: ResultRecord) throws -> [UInt8] {
    let buffer = ByteBuffer()
    try RecordJSONWriter().write(record, to: buffer)
    return RecordLine.opening(for: .shared) + Array(buffer.bytes.dropFirst())
  }

  /// Reads a line as a bundle's reader does; nil if it is not canonical.
  private static func probe(_ line: [UInt8], _ reader: RecordJSONReader) throws -> Probe? {
    let found = try probes(line, reader)
    #expect(found.count == 1)
    return found.first.flatMap(\.self)
  }

  /// Reads lines, with a line feed between them, as a bundle's reader does; nil for each that is not
  /// canonical.
  private static func probes(_ lines: [UInt8], _ reader: RecordJSONReader) throws -> [Probe?] {
    var found: [Probe?] = []
    let expected = lines.split(separator: 0x0A, omittingEmptySubsequences: false)
    try lines.withUnsafeBytes { bytes in
      try reader.forEachView(
        ofLines: bytes, Probe.self, where: { $1 == .shared },
        { view, _ in
          let probe = try Probe(from: &view)
          if view.finish() { found.append(probe) }
        },
        other: { line, number in
          #expect(number == found.count && line.elementsEqual(expected[number]))
          found.append(nil)
        })
    }
    return found
  }

  @Test(
    "reads what a record has, from bytes, from a line in memory and from values, in any order",
    arguments: SeededGenerator.seeds(16))
  func agrees(seed: UInt64) throws {
    var model = RandomModel(seed: seed)
    let reader = RecordJSONReader()
    var canonical = 0
    for _ in 0..<60 {
      let record = Self.record(&model)
      let steps = Self.steps(record, &model)
      let line = try Self.line(record)
      let text = String(decoding: line, as: UTF8.self)
      // A few lines have escapes in names, which only the parser reads.
      let stored = line.withUnsafeBytes { reader.readCanonicalLine($0) }?.record
      let expected = steps.map { $0.expected(record) }
      try Probe.$steps.withValue(steps) {
        let found = try Self.probe(line, reader)
        #expect((found == nil) == (stored == nil), "seed \(seed): \(text)")
        var probes = [try Probe(record)]
        if let found, let stored {
          probes += [found, try Probe(stored)]
          canonical += 1
        }
        for (number, probe) in probes.enumerated() {
          #expect(probe.outcomes == expected, "seed \(seed), source \(number): \(text)")
          #expect(probe.agrees(with: record), "seed \(seed), source \(number): \(text)")
        }
      }
    }
    #expect(canonical > 30)
  }

  @Test(
    "takes the same damaged lines as the reader of records, with the same values",
    arguments: SeededGenerator.seeds(2))
  func damage(seed: UInt64) throws {
    var model = RandomModel(seed: seed)
    let reader = RecordJSONReader()
    let other = RecordJSONReader()
    let bytes = Array("\"{}[],:\\0a9-.eux\u{0}\u{1F}é \n".utf8)
    for _ in 0..<4 {
      let record = Self.record(&model)
      let line = try Self.line(record)
      // The neighbours are read as views, so they must be canonical.
      guard line.withUnsafeBytes({ other.readCanonicalLine($0) }) != nil else { continue }
      let steps = Self.steps(record, &model)
      try Probe.$steps.withValue(steps) {
        for place in line.indices {
          var damaged = line
          switch Int.random(in: 0..<4, using: &model.random) {
          case 0: damaged.remove(at: place)
          case 1: damaged.insert(bytes.randomElement(using: &model.random)!, at: place)
          case 2: damaged[place] = bytes.randomElement(using: &model.random)!
          default: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &model.random)
          }
          let expected = damaged.withUnsafeBytes { other.readCanonicalLine($0) }
          let text = String(decoding: damaged, as: UTF8.self)
          guard expected == nil || expected?.database == .shared else { continue }
          // The lines around it are read, whatever the damage.
          let feed: [UInt8] = [0x0A]
          let all = try Self.probes(line + feed + damaged + feed + line + feed, reader)
          let parts = damaged.split(separator: 0x0A, omittingEmptySubsequences: false)
          #expect(all.count == parts.count + 2, "seed \(seed): \(text)")
          #expect(all.first.flatMap(\.self) != nil && all.last.flatMap(\.self) != nil)
          guard parts.count == 1, all.count == 3 else { continue }
          let probe = all[1]
          #expect((probe == nil) == (expected == nil), "seed \(seed): \(text)")
          guard let probe, let found = expected?.record else { continue }
          #expect(probe.outcomes == steps.map { $0.expected(found) }, "seed \(seed): \(text)")
          #expect(probe.agrees(with: found), "seed \(seed): \(text)")
        }
      }
    }
  }

  @Test("takes a stamp for a copy of the one before only if all its bytes are the same")
  func equalStamps() throws {
    let stamps = [
      #"{"timestamp":1584187766676,"userRecordName":"_db20290ac13e4a81d80391ffb30d1390"}"#,
      #"{"timestamp":1584187766676.5,"userRecordName":"_db20290ac13e4a81d80391ffb30d1391"}"#,
      #"{"timestamp":1584187766676,"userRecordName":"u"}"#, #"{"timestamp":1584187766676}"#,
      #"{"timestamp":158418776667}"#, #"{"userRecordName":"u","deviceID":"d"}"#,
      #"{"timestamp":1,"userRecordName":"u","deviceID":"d"}"#, #"{"timestamp":1,"x":{"y":[2]}}"#,
      #"{"timestamp":1}}"#, #"{"timestamp":1"#, "{}",
    ]
    let reader = RecordJSONReader()
    let other = RecordJSONReader()
    try Probe.$steps.withValue([]) {
      for created in stamps {
        for modified in stamps {
          let line = Array(
            (#"{"kind":"record","database":"shared","zoneID":{"zoneName":"Z","ownerRecordName":"#
              + #""o"},"recordType":"T","recordName":"n","created":\#(created)"#
              + #","modified":\#(modified),"fields":{}}"#).utf8)
          let expected = line.withUnsafeBytes { other.readCanonicalLine($0) }?.record
          let probe = try Self.probe(line, reader)
          #expect((probe == nil) == (expected == nil), "\(created) \(modified)")
          if let probe, let expected { #expect(probe.agrees(with: expected)) }
        }
      }
    }
  }

  @Test("lines of several types, and others between them, are read in their order")
  func severalLines() throws {
    func line(_ type: String, _ name: String, database: String = "shared") -> String {
      #"{"kind":"record","database":"\#(database)","zoneID":{"zoneName":"Z","ownerRecordName":"#
        + #""o"},"recordType":"\#(type)","recordName":"\#(name)","fields":{}}"#
    }
    let lines = [
      line("A", "1"), line("A", "2"), line("B", "3"), line("B", "4") + " ", "", line("A", "5"),
      line("C", "6"), line("C", "7") + "x", line("A", "8"), line("A", "9", database: "private"),
      #"{"kind":"zone"}"#, line("A", "10") + "}", line("A", "11"),
    ]
    let reader = RecordJSONReader()
    for ending in ["", "\n"] {
      var found: [String] = []
      var asked: [String] = []
      try Array((lines.joined(separator: "\n") + ending).utf8).withUnsafeBytes { bytes in
        try reader.forEachView(
          ofLines: bytes, Probe.self,
          where: { envelope, database in
            asked.append(envelope.recordType)
            return database == .shared && envelope.recordType != "C"
          },
          { view, _ in
            let name = view.recordID.recordName
            if view.finish() { found.append(name) }
          },
          other: { line, number in
            #expect(String(decoding: line, as: UTF8.self) == lines[number])
            // As the bundle's reader, which parses the line.
            _ = reader.readCanonicalLine(line)
            found.append("#\(number)")
          })
      }
      #expect(found == ["1", "2", "3", "#3", "#4", "5", "8", "#10", "#11", "11"])
      // Again only where a line begins differently, or after a line that is not canonical.
      #expect(asked == ["A", "B", "A", "C", "A", "A", "A", "A"])
    }
  }

  @Test("does not take a line with a field twice, or with fields in another order")
  func fieldOrder() throws {
    func line(_ fields: String) -> [UInt8] {
      Array(
        (#"{"kind":"record","database":"shared","zoneID":{"zoneName":"Z","ownerRecordName":"#
          + #""__defaultOwner__"},"recordType":"T","recordName":"n","fields":{\#(fields)}}"#).utf8)
    }
    func field(_ name: String, _ value: Int) -> String {
      #""\#(name)":{"type":"INT64","value":\#(value)}"#
    }
    let integer = FieldRead.all[1]
    let reader = RecordJSONReader()
    let reads: [[StaticString]] = [
      ["a", "b"], ["b", "a"], ["a", "a"], ["b", "b"], ["a"], ["b"], [],
    ]
    for names in reads {
      let steps = names.map { Step(name: $0, read: integer, isEncrypted: false) }
      try Probe.$steps.withValue(steps) {
        let good = line("\(field("a", 1)),\(field("b", 2))")
        let found = try Self.probe(good, reader)?.outcomes
        let expected = names.map { Outcome.value(.int64("\($0)" == "a" ? 1 : 2)) }
        #expect(found == expected)
        for bad in [
          "\(field("a", 1)),\(field("a", 2))", "\(field("b", 1)),\(field("a", 2))",
          "\(field("a", 1)),\(field("b", 2)),\(field("b", 3))", "\(field("a", 1)),",
          ",\(field("a", 1))", "\(field("a", 1))\(field("b", 2))", "\(field("a", 1))}",
        ] {
          let found = try Self.probe(line(bad), reader)
          #expect(found == nil, "\(names) \(bad)")
        }
      }
    }
  }

  @Test("an error says type, record, field, what was found and what was expected")
  func errors() throws {
    struct Message: TypedRecord {
      static let recordType = "Message"
      var recordID: RecordID
      var text: String?
      init(from record: inout RecordView) throws {
        recordID = record.recordID
        text = try record.string("text")
      }
      func update(_ draft: inout DraftRecord) {}
    }
    func record(_ value: RecordValue, isEncrypted: Bool = false, type: String = "Message")
      -> ResultRecord
    {
      ResultRecord(
        systemFields: SystemFields(recordID: RecordID(recordName: "m-1"), recordType: type),
        fields: [Field(name: "text", value: value, isEncrypted: isEncrypted)])
    }
    func message(_ record: ResultRecord) throws -> String {
      // From the values, and from a line.
      let line = try Self.line(record)
      let stored = line.withUnsafeBytes { RecordJSONReader().readCanonicalLine($0) }
      var messages: [String] = []
      for record in [record, try #require(stored).record] {
        do {
          _ = try Message(record)
        } catch let error as TypedRecordError {
          messages.append(error.description)
        }
      }
      #expect(messages.count == 2 && messages[0] == messages[1])
      return messages.first ?? ""
    }
    #expect(try Message(record(.string("Hello"))).text == "Hello")
    #expect(
      try message(record(.int64(1)))
        == "Message, record Message m-1, field 'text': found INT64, expected STRING")
    #expect(
      try message(record(.string("secret"), isEncrypted: true))
        == "Message, record Message m-1, field 'text': found ENCRYPTED STRING, expected STRING")
    #expect(
      try message(record(.unknown(type: "HYPERCUBE", json: RawJSON(compact: "{}"))))
        == "Message, record Message m-1, field 'text': found HYPERCUBE, expected STRING")
    #expect(
      try message(record(.string("Hello"), type: "Chat"))
        == "Message, record Chat m-1: found a record of the type Chat, "
        + "expected one of the type Message")
  }
}
