import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite("System fields in CloudKit's layout")
struct SystemFieldsArchiveTests {
  private typealias Samples = KeyedArchiveSamples

  private let everything = SystemFields(
    recordID: ArchiveRecipes.id("note-1"), recordType: "Note", recordChangeTag: "7x",
    created: RecordStamp(
      date: Date(timeIntervalSinceReferenceDate: 1.5), userRecordName: "_creator"),
    modified: RecordStamp(
      date: Date(timeIntervalSinceReferenceDate: -2.25), userRecordName: "_modifier",
      deviceID: "Tester’s iPhone"),
    parent: Reference(recordID: ArchiveRecipes.id("folder-1")),
    share: Reference(recordID: ArchiveRecipes.id("share-1"), action: .deleteSelf))

  private func withoutArchive(_ fields: SystemFields) -> SystemFields {
    var fields = fields
    fields.archive = nil
    return fields
  }

  @Test(
    "an archive of which nothing was changed is written back byte for byte",
    .enabled(if: KeyedArchiveSamples.arePresent, "the samples are not on this machine"),
    arguments: KeyedArchiveSamples.all)
  func unchanged(name: String) throws {
    let data = try Samples.data(name)
    let same = try SystemFields(decoding: data).encodeSystemFields() == data
    #expect(same)
  }

  @Test(
    "after a new change tag the archive has the keys that are known, and the tag",
    .enabled(if: KeyedArchiveSamples.arePresent, "the samples are not on this machine"),
    arguments: KeyedArchiveSamples.all)
  func newTag(name: String) throws {
    var fields = try SystemFields(decoding: Samples.data(name))
    fields.recordChangeTag = "a much longer tag"
    let changed = try SystemFields(decoding: fields.encodeSystemFields())
    #expect(withoutArchive(changed) == withoutArchive(fields))
  }

  /// The archive with its references followed, as an outside reader sees it.
  private func resolved(_ data: Data) async throws -> String {
    let script = """
      import plistlib, sys
      p = plistlib.loads(sys.stdin.buffer.read())
      def f(v):
        if isinstance(v, plistlib.UID): return None if v.data == 0 else f(p['$objects'][v.data])
        if isinstance(v, dict): return {k: f(w) for k, w in sorted(v.items())}
        if isinstance(v, list): return [f(w) for w in v]
        return v
      print(f(p['$top']))
      """
    return try await Command("python3", "-c", script, input: data, mergesErrors: false).output
  }

  @Test("every system field survives in an archive made from nothing")
  func fromNothing() throws {
    let data = try everything.encodeSystemFields()
    #expect(try withoutArchive(SystemFields(decoding: data)) == everything)
    #expect(try everything.encodeSystemFields() == data)
    let least = SystemFields(recordID: RecordID(recordName: "r"), recordType: "T")
    let leastData = try least.encodeSystemFields()
    #expect(try withoutArchive(SystemFields(decoding: leastData)) == least)
    #expect(try KeyedArchive(decoding: leastData).top.child("KnownToServer")?.bool() == false)
    #expect(try KeyedArchive(decoding: data).top.child("KnownToServer")?.bool() == true)
  }

  @Test("two spellings of one accent stay two spellings, and one replaces the other")
  func spelling() throws {
    let composed = ZoneID(zoneName: "Zon\u{E9}")
    let decomposed = ZoneID(zoneName: "Zone\u{301}")
    var fields = SystemFields(
      recordID: RecordID(recordName: "r", zoneID: composed), recordType: "T",
      recordChangeTag: "\u{E9}",
      parent: Reference(recordID: RecordID(recordName: "p", zoneID: decomposed)))
    var read = try SystemFields(decoding: fields.encodeSystemFields())
    #expect(withoutArchive(read) == fields)
    fields.recordChangeTag = "e\u{301}"
    read.recordChangeTag = "e\u{301}"
    read = try SystemFields(decoding: read.encodeSystemFields())
    #expect(withoutArchive(read) == fields)
  }

  @Test("what is no archive says what it begins with")
  func foreign() {
    for bytes in [Data(), Data("{\"a".utf8), Data("<?xml version=\"1.0\"?>".utf8)] {
      #expect(throws: RecordCodingError.self) { try SystemFields(decoding: bytes) }
    }
  }

  @Test("python's plistlib reads the archive that was made", .enabled(if: hasPython))
  func fromNothingInPython() async throws {
    let text = try await resolved(everything.encodeSystemFields())
    #expect(text.contains("'RecordName': 'note-1'"))
    #expect(text.contains("'ZoneName': 'Notes'"))
    #expect(text.contains("'ModifiedByDevice': 'Tester’s iPhone'"))
    #expect(text.contains("'NS.time': -2.25"))
  }

  @Test("a changed field is in a new archive, without the values of the one that was read")
  func changing() throws {
    let record = ArchiveRecipes.record()
    var fields = everything
    fields.archive = record
    let changed = try ArchivedRecord(keyedArchive: fields.encodeSystemFields())
    #expect(withoutArchive(changed.systemFields) == everything)
    #expect(changed.fields.isEmpty && changed.unsupportedFieldNames.isEmpty)

    var removed = try SystemFields(decoding: record)
    #expect(try removed.encodeSystemFields() == record)
    removed.recordChangeTag = nil
    removed.parent = nil
    let read = try SystemFields(decoding: removed.encodeSystemFields())
    #expect(read.recordChangeTag == nil && read.parent == nil)
  }

  @Test("parts that archives do not contain are no change")
  func unarchivedParts() throws {
    var fields = everything
    let archive = try fields.encodeSystemFields()
    fields.archive = archive
    fields.created?.deviceID = "d"
    fields.parent = Reference(recordID: ArchiveRecipes.id("folder-1"), action: .validate)
    fields.otherMembers = [OtherMember(name: "pluginFields", value: RawJSON(compact: "{}"))]
    #expect(try fields.encodeSystemFields() == archive)
  }

  @Test("fields whose archive is no archive are not written")
  func badArchive() {
    var fields = everything
    fields.archive = Data([1, 2, 3])
    #expect(throws: RecordCodingError.self) { try fields.encodeSystemFields() }
  }

  @Test(
    "truncated at every byte: an error, never a crash",
    .enabled(if: KeyedArchiveSamples.arePresent, "the samples are not on this machine"),
    arguments: KeyedArchiveSamples.all)
  func truncated(name: String) throws {
    let data = try Samples.data(name)
    for count in 0..<data.count {
      #expect(throws: (any Error).self, "\(count) bytes") {
        try SystemFields(decoding: data.prefix(count))
      }
    }
  }

  @Test(
    "with a byte flipped at any position: a record or an error, never a crash",
    .enabled(if: KeyedArchiveSamples.arePresent, "the samples are not on this machine"),
    arguments: KeyedArchiveSamples.all)
  func flipped(name: String) throws {
    let data = try Samples.data(name)
    var generator = SeededGenerator(1)
    var refused = 0
    // Every byte of a small archive, and every third of a larger one, whose objects repeat.
    for position in stride(from: 0, to: data.count, by: data.count > 1500 ? 3 : 1) {
      var damaged = data
      damaged[position] ^= position % 2 == 0 ? 0xFF : UInt8.random(in: 1...254, using: &generator)
      do {
        var fields = try SystemFields(decoding: damaged)
        guard position % 8 == 0 else { continue }
        fields.recordChangeTag = "new"
        let tag = try SystemFields(decoding: fields.encodeSystemFields()).recordChangeTag
        #expect(tag == "new")
      } catch {
        refused += 1
        #expect(error is RecordCodingError)
      }
    }
    // A keyed archive has no checksum, so flips in names and dates go unseen; the rest do not.
    #expect(refused > data.count / (data.count > 1500 ? 12 : 4))
  }

  @Test("random bytes in the place of objects: an error or a record, never a crash")
  func random() throws {
    var generator = SeededGenerator(2)
    let good = [UInt8](ArchiveRecipes.record())
    for _ in 0..<500 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...20, using: &generator) {
        bytes[Int.random(in: 8..<bytes.count, using: &generator)] =
          UInt8.random(in: 0...255, using: &generator)
      }
      do {
        _ = try ArchivedRecord(keyedArchive: Data(bytes))
      } catch {
        #expect(error is RecordCodingError)
      }
    }
  }
}
