import Foundation
import RecordArchive
import RecordCoding
import RecordModel
import RecordStore
import TestSupport
import Testing

@testable import RecordBundle
@testable import RecordFixtures

/// Random containers with everything that is personal, anonymised, and compared with what they were
/// by a number that each record keeps.
struct AnonymisationModelTests {
  private static let policy = """
    recordpack-policy: 1
    types:
      "*":
        serial: keep
        text: text
        texts: text
        person: name
        mail: email-consistent
        phone: phone
        link: url
        uuid: identifier
        amount: number
        ratio: number-consistent
        at: date
        ats: date
        place: place
        bytes: content
        photo: content
        secret: redact
    """

  @Test(
    "The graph, types and fields stay, and nothing else",
    arguments: SeededGenerator.seeds(4))
  func properties(seed: UInt64) throws {
    let model = PersonalContainer(seed)
    let folder = try TestFolder()
    let container = try model.write(to: folder.path("source.sqlite"))
    let path = folder.path("result.recordpack")
    var anonymisation = Anonymisation(
      try AnonymisationPolicy(yaml: Self.policy), key: try PseudonymTests.key(UInt8(seed)))
    anonymisation.archiver.threads = 1 + Int(seed % 3)
    let report = try anonymisation.write(.container(container), to: path)
    let result = try BundleReader(path: path)
    #expect(try result.verify().isIntact)
    let pairs = try Pairs(model, result)
    #expect(report.records == model.records.count)
    try pairs.checkRecords()
    try pairs.checkNames()
    try pairs.checkDates()
    try checkNothingSurvives(model, path, "seed \(seed)")
    // From a bundle, the same bytes.
    try Archiver().export(container, to: folder.path("source.recordpack"))
    try anonymisation.write(
      .open([folder.path("source.recordpack")]), to: folder.path("again.recordpack"))
    #expect(
      FileManager.default.contents(atPath: path)
        == FileManager.default.contents(atPath: folder.path("again.recordpack")))
  }

  @Test(
    "Parts that are anonymised apart are the parts of the whole",
    arguments: SeededGenerator.seeds(2))
  func parts(seed: UInt64) throws {
    let model = PersonalContainer(seed &+ 100)
    let folder = try TestFolder()
    let source = ArchiveSource.container(try model.write(to: folder.path("source.sqlite")))
    var anonymisation = Anonymisation(
      try AnonymisationPolicy(yaml: Self.policy), key: try PseudonymTests.key())
    let whole = folder.path("whole.recordpack")
    try anonymisation.write(source, to: whole)
    var parts: [ArchiveSource] = []
    for zone in Set(try source.zones().map(\.zone.zoneID)) {
      anonymisation.archiver.filter = RecordFilter(zoneIDs: [zone])
      let path = folder.path("part-\(parts.count).recordpack")
      try anonymisation.write(source, to: path)
      parts.append(try .open([path]))
    }
    let merged = folder.path("merged.recordpack")
    try Archiver().run(from: parts, into: .bundle(path: merged))
    #expect(try BundleReader(path: merged).contentHash == BundleReader(path: whole).contentHash)
  }

  // MARK: What must not survive

  private func checkNothingSurvives(
    _ model: PersonalContainer, _ path: String, _ place: String
  ) throws {
    let reader = try FrameReader(file: RandomAccessFile(path: path))
    var content: [UInt8] = []
    for index in 0..<reader.frameCount {
      content += try reader.withFrame(index) { Array($0.bytes) }
    }
    var needles = Needles()
    for secret in model.secrets where secret.utf8.count >= 5 {
      for (form, bytes) in Self.encodings(of: secret) {
        needles.add(bytes, "'\(secret)' as \(form)")
      }
    }
    let folded = Array(String(decoding: content, as: UTF8.self).lowercased().utf8)
    #expect(needles.found(in: content) == [], "\(place)")
    #expect(needles.found(in: folded) == [], "\(place), in small letters")
    // The search finds what is there.
    needles.add(Array("\"recordName\"".utf8), "a member")
    #expect(needles.found(in: content) == ["a member"])
  }

  /// The bytes of a text in forms in which it might be found.
  private static func encodings(of text: String) -> [(String, [UInt8])] {
    let utf8 = Array(text.utf8)
    let utf16 = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let hexadecimal = utf8.map { String(format: "%02x", $0) }.joined()
    let escaped = JSONValue.string(text).compactText.dropFirst().dropLast()
    var forms = [
      ("UTF-8", utf8), ("UTF-16", utf16), ("hexadecimal", Array(hexadecimal.utf8)),
      ("JSON", Array(String(escaped).utf8)), ("small letters", Array(text.lowercased().utf8)),
      ("reversed", Array(text.reversed().map(String.init).joined().utf8)),
    ]
    // In Base64, the digits depend on where in a group of three bytes the text begins.
    for offset in 0..<3 {
      let padded = Data([UInt8](repeating: 0, count: offset) + utf8)
      let digits = Array(padded.base64EncodedString().utf8)
      let first = (offset * 8 + 5) / 6
      let last = (padded.count * 8) / 6
      if last - first >= 6 { forms.append(("Base64 \(offset)", Array(digits[first..<last]))) }
    }
    return forms
  }
}

/// The records of a source and of its result, with the same number.
private struct Pairs {
  private var pairs: [(before: ResultRecord, after: ResultRecord, database: DatabaseScope)] = []

  init(_ model: PersonalContainer, _ result: BundleReader) throws {
    var after: [Int64: (ResultRecord, DatabaseScope)] = [:]
    try result.forEachRecord { record, database in
      let serial = try #require(record["serial"] as Int64?)
      #expect(after.updateValue((record, database), forKey: serial) == nil)
    }
    #expect(after.count == model.records.count)
    for (database, before) in model.records {
      let serial = try #require(before["serial"] as Int64?)
      let found = try #require(after[serial])
      #expect(found.1 == database)
      pairs.append((before, found.0, database))
    }
  }

  func checkRecords() throws {
    for (before, after, _) in pairs {
      #expect(after.recordType == before.recordType)
      #expect(after.recordChangeTag != before.recordChangeTag && after.recordChangeTag != nil)
      #expect(Array(after.fields.map(\.name)) == Array(before.fields.map(\.name)))
      for (old, new) in zip(before.fields, after.fields) {
        #expect(old.isEncrypted == new.isEncrypted && old.value.typeName == new.value.typeName)
        check(old.value, new.value, old.name)
      }
    }
  }

  private func check(_ old: RecordValue, _ new: RecordValue, _ name: String) {
    switch (old, new) {
    case (.string(let a), .string(let b)): #expect(a != b && !b.isEmpty, "\(name)")
    case (.bytes(let a), .bytes(let b)): #expect(b.count == 512 && a != b)
    case (.asset(let a), .asset(let b)):
      #expect(b.size == 512 && a.sha256 != b.sha256)
      #expect(b.receipt == nil && b.downloadURL == nil && b.wrappingKey == nil)
    case (.timestampList, .timestampList(let b)): #expect(b.sorted() == b)
    case (.referenceList(let a), .referenceList(let b)):
      #expect(a.map(\.action) == b.map(\.action))
    case (.location(let a), .location(let b)):
      #expect(abs(b.latitude) <= 85 && abs(b.longitude) <= 180)
      #expect(abs(a.latitude - b.latitude) + abs(a.longitude - b.longitude) > 1)
    default: break
    }
  }

  /// Every name has one pseudonym, and no two names have the same.
  func checkNames() throws {
    var names: [String: String] = [:]
    func note(_ old: String?, _ new: String?) {
      #expect((old == nil) == (new == nil))
      guard let old, let new else { return }
      if let known = names[old] { #expect(known == new, "\(old)") }
      names[old] = new
      let isReserved = [
        ZoneID.currentUserOwnerName, ZoneID.defaultZoneName, Share.zoneWideRecordName,
      ].contains(old)
      if !isReserved { #expect(old != new) }
    }
    func note(_ old: Reference?, _ new: Reference?) {
      #expect(old?.action == new?.action)
      note(old?.recordID.recordName, new?.recordID.recordName)
      note(old?.recordID.zoneID.zoneName, new?.recordID.zoneID.zoneName)
      note(old?.recordID.zoneID.ownerName, new?.recordID.zoneID.ownerName)
    }
    for (before, after, _) in pairs {
      note(Reference(recordID: before.recordID), Reference(recordID: after.recordID))
      note(before.parent, after.parent)
      note(before.share, after.share)
      let (old, new) = (before.systemFields, after.systemFields)
      note(old.created?.userRecordName, new.created?.userRecordName)
      note(old.modified?.userRecordName, new.modified?.userRecordName)
      note(old.modified?.deviceID, new.modified?.deviceID)
      for (a, b) in zip(before.references, after.references) { note(a.reference, b.reference) }
      #expect(before.references.count == after.references.count)
      note(before["uuid"] as String?, after["uuid"] as String?)
      if let a = before.shareInfo, let b = after.shareInfo {
        #expect(a.participants.map(\.role) == b.participants.map(\.role))
        // Their order would say who came first.
        let people = b.participants.map { $0.userIdentity.userRecordName ?? "" }
        #expect(people.isSorted)
      }
      #expect((before.shareInfo == nil) == (after.shareInfo == nil))
    }
    #expect(Set(names.values).count == names.count)
  }

  /// A record is modified after it was created, and no date keeps its distance from the others.
  func checkDates() throws {
    var shifts: Set<TimeInterval> = []
    var count = 0
    for (before, after, _) in pairs {
      func dates(_ record: ResultRecord) -> [Date?] {
        [record.creationDate, record.modificationDate, record["at"] as Date?]
      }
      for (a, b) in zip(dates(before), dates(after)) {
        #expect((a == nil) == (b == nil))
        guard let a, let b else { continue }
        shifts.insert(b.timeIntervalSince(a))
        count += 1
        #expect(b.timeIntervalSince1970 == b.timeIntervalSince1970.rounded())
      }
      if let created = after.creationDate, let modified = after.modificationDate {
        #expect(created <= modified)
      }
    }
    #expect(shifts.count == count)
  }
}

extension [String] {
  fileprivate var isSorted: Bool { zip(self, dropFirst()).allSatisfy { compareUTF8($0, $1) <= 0 } }
}
