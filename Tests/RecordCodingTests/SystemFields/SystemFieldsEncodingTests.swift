import Foundation
import RecordModel
import Testing

@testable import RecordCoding

@Suite("System fields in compact bytes")
struct SystemFieldsEncodingTests {
  static let members: OtherMembers = [
    OtherMember(name: "a", value: RawJSON(compact: "{\"x\":[1,\"two words\",null]}")),
    OtherMember(name: "b", value: .null),
  ]

  static let samples: [SystemFields] = [
    SystemFields(recordID: RecordID(recordName: "r"), recordType: "T"),
    SystemFields(recordID: RecordID(recordName: ""), recordType: ""),
    SystemFields(
      recordID: RecordID(
        recordName: "3F2504E0-4F89-11D3-9A0C-0305E82C3301", zoneID: ZoneID(zoneName: "Chats")),
      recordType: "Chat", recordChangeTag: "", created: RecordStamp(), modified: RecordStamp()),
    SystemFields(
      recordID: RecordID(
        recordName: String(repeating: "n", count: 255),
        zoneID: ZoneID(zoneName: "Zoné", ownerName: "_owner")),
      recordType: "Message", recordChangeTag: "4f",
      created: RecordStamp(
        date: Date(timeIntervalSinceReferenceDate: 597455141.68), userRecordName: "_a",
        deviceID: "dévice", otherMembers: members),
      modified: RecordStamp(date: Date(timeIntervalSinceReferenceDate: -0.0)),
      parent: Reference(
        recordID: RecordID(
          recordName: "p", zoneID: ZoneID(zoneName: "Zoné", ownerName: "_owner")),
        action: .none, otherMembers: members),
      share: Reference(recordID: RecordID(recordName: "s"), action: .validate),
      otherMembers: members, archive: Data((0..<200).map { UInt8(truncatingIfNeeded: $0) })),
  ]

  @Test("everything comes back", arguments: samples)
  func roundTrip(fields: SystemFields) throws {
    let data = fields.encodeSystemFields()
    let read = try SystemFields(decoding: data)
    #expect(read == fields)
    #expect(read.modified?.date?.bits == fields.modified?.date?.bits)
    #expect(read.encodeSystemFields() == data)
    #expect(fields.encodeSystemFields() == data)
  }

  @Test("two spellings of one accent stay two spellings")
  func spelling() throws {
    let composed = ZoneID(zoneName: "Zon\u{E9}")
    let decomposed = ZoneID(zoneName: "Zone\u{301}")
    let fields = SystemFields(
      recordID: RecordID(recordName: "r", zoneID: composed), recordType: "T",
      parent: Reference(recordID: RecordID(recordName: "p", zoneID: decomposed)))
    let read = try SystemFields(decoding: fields.encodeSystemFields())
    #expect(Array(read.recordID.zoneID.zoneName.utf8) == Array(composed.zoneName.utf8))
    let parentZone = try #require(read.parent).recordID.zoneID.zoneName
    #expect(Array(parentZone.utf8) == Array(decomposed.zoneName.utf8))
  }

  @Test("the usual record takes less than a hundred bytes")
  func compact() {
    let fields = SystemFields(
      recordID: RecordID(
        recordName: "3F2504E0-4F89-11D3-9A0C-0305E82C3301", zoneID: ZoneID(zoneName: "Chats")),
      recordType: "Message", recordChangeTag: "4f",
      created: RecordStamp(date: Date(timeIntervalSinceReferenceDate: 1)))
    #expect(fields.encodeSystemFields().count < 100)
  }

  @Test("the bytes of version 1 do not change")
  func golden() throws {
    let fields = SystemFields(
      recordID: RecordID(recordName: "r", zoneID: ZoneID(zoneName: "z", ownerName: "_o")),
      recordType: "T", recordChangeTag: "7",
      modified: RecordStamp(date: Date(timeIntervalSinceReferenceDate: 1)),
      parent: Reference(recordID: RecordID(recordName: "p"), action: .deleteSelf))
    let expected: [UInt8] =
      Array("RPSF".utf8) + [1, 0, 0, 0, 64]
      + [1, 1, 0x72] + [2, 7, 1, 1, 0x7A, 2, 2, 0x5F, 0x6F] + [3, 1, 0x54] + [4, 1, 0x37]
      + [6, 10, 1, 8, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0]
      + [7, 32, 1, 1, 0x70, 2, 14, 1, 12] + Array("_defaultZone".utf8)
      + [3, 11] + Array("DELETE_SELF".utf8)
    let data = fields.encodeSystemFields()
    #expect([UInt8](data.dropLast(4)) == expected)
    #expect(CRC32.checksum(Array("123456789".utf8)) == 0xCBF4_3926)
  }

  @Test("truncated at every byte: an error", arguments: samples)
  func truncated(fields: SystemFields) {
    let data = fields.encodeSystemFields()
    for count in 0..<data.count {
      #expect(throws: SystemFieldsError.self, "\(count) bytes") {
        try SystemFields(decoding: data.prefix(count))
      }
    }
    #expect(throws: SystemFieldsError.wrongLength(found: data.count + 1, expected: data.count)) {
      try SystemFields(decoding: data + [0])
    }
  }

  @Test("flipped at every byte, in every way: an error", arguments: samples)
  func flipped(fields: SystemFields) {
    let data = fields.encodeSystemFields()
    let masks: [UInt8] = data.count < 200 ? Array(1...255) : [1, 2, 4, 8, 16, 32, 64, 128, 255]
    for position in data.indices {
      for mask in masks {
        var damaged = data
        damaged[position] ^= mask
        #expect(throws: SystemFieldsError.self, "byte \(position) ^ \(mask)") {
          try SystemFields(decoding: damaged)
        }
      }
    }
  }

  @Test("a later version says so")
  func newer() {
    var data = Self.samples[0].encodeSystemFields()
    data[4] = 2
    #expect(throws: SystemFieldsError.newerVersion(found: 2, known: 1)) {
      try SystemFields(decoding: data)
    }
  }

  @Test("anything else says what it begins with")
  func foreign() {
    #expect(throws: SystemFieldsError.foreign(found: "no bytes")) {
      try SystemFields(decoding: Data())
    }
    #expect(throws: SystemFieldsError.foreign(found: "bytes that begin with 7b 22 61")) {
      try SystemFields(decoding: Data("{\"a".utf8))
    }
    #expect(throws: KeyedArchiveError.unsupportedPropertyList(found: "an XML document")) {
      try SystemFields(decoding: Data("<?xml version=\"1.0\"?>".utf8))
    }
  }

  /// Bytes with a right frame around a body that is not.
  private func framed(_ body: [UInt8]) -> Data {
    var bytes = Array("RPSF".utf8) + [1, 0, 0, 0, UInt8(body.count)] + body
    let checksum = CRC32.checksum(bytes)
    bytes += (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - $0 * 8)) }
    return Data(bytes)
  }

  @Test(
    "a sound checksum around nonsense is no passport",
    arguments: [
      [], [1, 1, 0x72], [3, 1, 0x54], [1, 1, 0x72, 1, 1, 0x72, 3, 1, 0x54],
      [3, 1, 0x54, 1, 1, 0x72], [1, 1, 0x72, 3, 1, 0x54, 11, 0], [0, 0], [1, 5, 0x72],
      [1, 0x81, 0, 0x72, 3, 0], [1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], [1, 1, 0xFF, 3, 1, 0x54],
      [1, 0, 2, 0, 3, 0], [1, 0, 3, 0, 5, 3, 1, 1, 0], [1, 0, 3, 0, 7, 0],
      [1, 0, 3, 0, 7, 5, 1, 0, 3, 1, 0x58], [1, 0, 3, 0, 9, 2, 1, 0],
      [1, 0, 3, 0, 9, 5, 1, 0, 2, 1, 0x78], [1, 0, 3, 0, 9, 6, 1, 0, 2, 2, 0x20, 0x31],
      [1, 0, 3, 0, 9, 10, 1, 0, 2, 1, 0x31, 1, 0, 2, 1, 0x31], [1],
    ] as [[UInt8]])
  func nonsense(body: [UInt8]) throws {
    #expect(throws: SystemFieldsError.self) { try SystemFields(decoding: framed(body)) }
    // The frame itself is right: the least that is accepted in it is.
    #expect(throws: Never.self) { try SystemFields(decoding: framed([1, 0, 3, 0])) }
  }
}
