import Foundation
import RecordModel

/// Reads the compact encoding of system fields; the layout is at ``SystemFieldsFormat``.
struct SystemFieldsReader {
  private typealias Format = SystemFieldsFormat

  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  static func decode(_ data: Data) throws -> SystemFields {
    let bytes = [UInt8](data)
    let body = try checkFrame(bytes)
    var reader = SystemFieldsReader(bytes: bytes, range: body)
    return try reader.systemFields()
  }

  private init(bytes: [UInt8], range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Checks version, length and checksum, and finds the body.
  private static func checkFrame(_ bytes: [UInt8]) throws -> Range<Int> {
    let least = Format.headerSize + Format.checksumSize
    guard bytes.count >= least else {
      throw SystemFieldsError.wrongLength(found: bytes.count, expected: least)
    }
    let version = bytes[Format.magic.count]
    guard version == Format.version else {
      throw version > Format.version
        ? SystemFieldsError.newerVersion(found: Int(version), known: Int(Format.version))
        : .malformed(
          byteOffset: Format.magic.count, found: "version \(version)",
          expected: "version \(Format.version)")
    }
    let length = Int(bigEndian(bytes[(Format.headerSize - 4)..<Format.headerSize]))
    guard bytes.count == least + length else {
      throw SystemFieldsError.wrongLength(found: bytes.count, expected: least + length)
    }
    let body = Format.headerSize..<(Format.headerSize + length)
    let expected = UInt32(truncatingIfNeeded: bigEndian(bytes[body.upperBound...]))
    let found = CRC32.checksum(bytes[..<body.upperBound])
    guard found == expected else {
      throw SystemFieldsError.wrongChecksum(found: found, expected: expected)
    }
    return body
  }

  // MARK: Values

  private mutating func systemFields() throws -> SystemFields {
    var name: String?
    var type: String?
    var zoneID = ZoneID.default
    var fields = SystemFields(recordID: RecordID(recordName: ""), recordType: "")
    var last: UInt8 = 0
    while let (tag, content) = try next(Format.Tag.self, after: &last) {
      var content = content
      switch tag {
      case .recordName: name = try content.text()
      case .zone: zoneID = try content.zoneID()
      case .recordType: type = try content.text()
      case .recordChangeTag: fields.recordChangeTag = try content.text()
      case .created: fields.created = try content.stamp()
      case .modified: fields.modified = try content.stamp()
      case .parent: fields.parent = try content.reference(in: zoneID)
      case .share: fields.share = try content.reference(in: zoneID)
      case .otherMembers: fields.otherMembers = try content.members()
      case .archive: fields.archive = Data(content.rest)
      }
    }
    fields.recordID = RecordID(
      recordName: try present(name, "a record name"), zoneID: zoneID)
    fields.recordType = try present(type, "a record type")
    return fields
  }

  private mutating func zoneID() throws -> ZoneID {
    var name: String?
    var owner = ZoneID.currentUserOwnerName
    var last: UInt8 = 0
    while let (tag, content) = try next(Format.ZoneTag.self, after: &last) {
      switch tag {
      case .zoneName: name = try content.text()
      case .ownerName: owner = try content.text()
      }
    }
    return ZoneID(zoneName: try present(name, "a zone name"), ownerName: owner)
  }

  private mutating func stamp() throws -> RecordStamp {
    var stamp = RecordStamp()
    var last: UInt8 = 0
    while let (tag, content) = try next(Format.StampTag.self, after: &last) {
      var content = content
      switch tag {
      case .date: stamp.date = try content.date()
      case .userRecordName: stamp.userRecordName = try content.text()
      case .deviceID: stamp.deviceID = try content.text()
      case .otherMembers: stamp.otherMembers = try content.members()
      }
    }
    return stamp
  }

  private mutating func reference(in zoneID: ZoneID) throws -> Reference {
    var name: String?
    var zoneID = zoneID
    var action = Reference.Action.none
    var members: OtherMembers = []
    var last: UInt8 = 0
    while let (tag, content) = try next(Format.ReferenceTag.self, after: &last) {
      var content = content
      switch tag {
      case .recordName: name = try content.text()
      case .zone: zoneID = try content.zoneID()
      case .action:
        action = try content.present(
          Reference.Action(rawValue: content.text()), "an action of a reference")
      case .otherMembers: members = try content.members()
      }
    }
    let id = RecordID(recordName: try present(name, "a record name"), zoneID: zoneID)
    return Reference(recordID: id, action: action, otherMembers: members)
  }

  private mutating func members() throws -> OtherMembers {
    var members: OtherMembers = []
    while position < end {
      var last: UInt8 = 0
      let name = try present(next(Format.MemberTag.self, after: &last), "a member's name")
      let json = try present(next(Format.MemberTag.self, after: &last), "a member's value")
      guard name.tag == .name, json.tag == .json else {
        throw malformed("a value before its name", "a name and a value")
      }
      let member = OtherMember(name: try name.content.text(), value: try json.content.json())
      if let previous = members.last, compareUTF8(previous.name, member.name) >= 0 {
        throw malformed("a member out of order", "members sorted by name, each once")
      }
      members.append(member)
    }
    return members
  }

  private func text() throws -> String {
    guard let text = String(validating: rest, as: UTF8.self) else {
      throw malformed("bytes", "UTF-8 text")
    }
    return text
  }

  private func date() throws -> Date {
    guard rest.count == 8 else { throw malformed("\(rest.count) bytes", "a date of 8 bytes") }
    return Date(timeIntervalSinceReferenceDate: Double(bitPattern: Self.bigEndian(rest)))
  }

  private func json() throws -> RawJSON {
    guard let json = RawJSON(checking: rest) else {
      throw malformed("something else", "JSON without white space")
    }
    return json
  }

  // MARK: Fields

  private var rest: ArraySlice<UInt8> { bytes[position..<end] }

  /// The next field; `nil` at the end.
  private mutating func next<Tag: RawRepresentable<UInt8>>(
    _: Tag.Type, after last: inout UInt8
  ) throws -> (tag: Tag, content: SystemFieldsReader)? {
    guard position < end else { return nil }
    let raw = bytes[position]
    guard raw > last, let tag = Tag(rawValue: raw) else {
      throw malformed("tag \(raw)", "a known tag over \(last)")
    }
    last = raw
    position += 1
    let length = try self.length()
    let range = position..<(position + length)
    position = range.upperBound
    return (tag, SystemFieldsReader(bytes: bytes, range: range))
  }

  private mutating func length() throws -> Int {
    var length = 0
    for shift in stride(from: 0, through: 28, by: 7) {
      guard position < end else { throw malformed("the end", "a length") }
      let byte = bytes[position]
      position += 1
      length |= Int(byte & 0x7F) << shift
      guard byte & 0x80 == 0 else { continue }
      guard length <= end - position, byte != 0 || shift == 0 else {
        throw malformed("a length of \(length)", "at most \(end - position), in the shortest form")
      }
      return length
    }
    throw malformed("a length of more than five bytes", "a shorter one")
  }

  private func present<T>(_ value: T?, _ what: String) throws -> T {
    guard let value else { throw malformed("nothing", what) }
    return value
  }

  private func malformed(_ found: String, _ expected: String) -> SystemFieldsError {
    .malformed(byteOffset: position, found: found, expected: expected)
  }

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension RawJSON {
  /// JSON text without white space between its tokens; `nil` for anything else.
  fileprivate init?(checking bytes: ArraySlice<UInt8>) {
    guard let text = String(validating: bytes, as: UTF8.self),
      (try? JSONParser.parse(text)) != nil
    else { return nil }
    var isInString = false
    var isEscaped = false
    for byte in bytes {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString.toggle()
      } else if byte <= 0x20, !isInString {
        return nil
      }
    }
    self.init(compact: text)
  }
}
