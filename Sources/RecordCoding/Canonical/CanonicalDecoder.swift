import RecordModel

import struct Foundation.Data
import struct Foundation.Date

/// Decodes values from canonical JSON that ``CanonicalScanner`` has accepted.
///
/// It parses the same grammar again. Bytes that were not checked result in empty values, never in a
/// crash.
struct CanonicalDecoder {
  private var scanner: CanonicalScanner
  private let zoneID: ZoneID

  init(_ bytes: UnsafeRawBufferPointer, zoneID: ZoneID) {
    scanner = CanonicalScanner(bytes)
    self.zoneID = zoneID
  }

  /// Whether all bytes were read.
  var isAtEnd: Bool { scanner.position >= scanner.end }

  /// Returns the string with this text between its quotes.
  ///
  /// - Parameter text: What ``CanonicalScanner/stringRest()`` has passed: it must be valid UTF-8.
  static func string(_ text: UnsafeRawBufferPointer) -> String {
    if text.hasByte(0x5C) { return unescaped(text) }
    return String(validUTF8: text)
  }

  /// Returns the record name with this text between its quotes.
  @inline(__always)
  static func packedName(_ text: UnsafeRawBufferPointer) -> CompactName {
    if let digits = NameDigits(text) { return CompactName(digits) }
    return .text(ExactString(string(text)))
  }

  private static func unescaped(_ text: UnsafeRawBufferPointer) -> String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: text.count) { buffer in
      let count = unescape(text, into: buffer)
      return String(validUTF8: UnsafeRawBufferPointer(start: buffer.baseAddress, count: count))
    }
  }

  /// Writes what a text with escapes stands for.
  ///
  /// - Parameter target: Memory of at least the size of the text.
  /// - Returns: The number of bytes.
  static func unescape(
    _ text: UnsafeRawBufferPointer, into target: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var written = 0
    var position = 0
    while position < text.count {
      if position &+ 8 <= text.count {
        // What is written never exceeds what was read, so there is room for eight bytes.
        let word = text.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        UnsafeMutableRawBufferPointer(target).storeBytes(
          of: word, toByteOffset: written, as: UInt64.self)
        let clean = escapeMask(UInt64(littleEndian: word)).trailingZeroBitCount &>> 3
        position &+= clean
        written &+= clean
        if clean > 0 { continue }
      }
      let byte = text[position]
      position &+= 1
      guard byte == 0x5C, position < text.count else {
        target[written] = byte
        written &+= 1
        continue
      }
      let escape = text[position]
      position &+= 1
      switch escape {
      case 0x62: target[written] = 0x08
      case 0x66: target[written] = 0x0C
      case 0x6E: target[written] = 0x0A
      case 0x72: target[written] = 0x0D
      case 0x74: target[written] = 0x09
      case 0x75 where position + 4 <= text.count:
        let low = text[position + 3]
        target[written] = (text[position + 2] & 1) << 4 | (low < 0x3A ? low & 15 : low &- 0x57)
        position += 4
      default: target[written] = escape
      }
      written &+= 1
    }
    return written
  }

  @inline(__always)
  private mutating func take(_ literal: StaticString) -> Bool {
    scanner.take(literal)
  }

  @inline(__always)
  private mutating func text() -> UnsafeRawBufferPointer? {
    scanner.string().map(scanner.bytes)
  }

  @inline(__always)
  private mutating func string() -> String {
    text().map(Self.string) ?? ""
  }

  @inline(__always)
  private mutating func numberText() -> UnsafeRawBufferPointer {
    let start = scanner.position
    _ = scanner.number()
    return scanner.bytes(start..<scanner.position)
  }

  @inline(__always)
  private mutating func integer() -> Int64 {
    if let value = scanner.plainInteger() { return Int64(value) }
    return slowInteger()
  }

  private mutating func slowInteger() -> Int64 {
    let text = numberText()
    var value: UInt64 = 0
    let isNegative = text.first == 0x2D
    var position = isNegative ? 1 : 0
    while position < text.count {
      value = value &* 10 &+ UInt64(text[position] &- 0x30)
      position &+= 1
    }
    return Int64(truncatingIfNeeded: isNegative ? 0 &- value : value)
  }

  private mutating func double() -> Double {
    CanonicalNumber.double(from: numberText()) ?? 0
  }

  private mutating func date() -> Date {
    if let milliseconds = scanner.plainInteger() {
      return CanonicalDate.date(wholeMilliseconds: Int64(milliseconds))
    }
    return slowDate()
  }

  private mutating func slowDate() -> Date {
    CanonicalDate.date(from: numberText()) ?? Date(timeIntervalSinceReferenceDate: 0)
  }

  private mutating func bytes() -> Data {
    guard let text = text() else { return Data() }
    let data = Base64.data(from: text)
    assert(data != nil, "the text was scanned before")
    return data ?? Data()
  }

  mutating func value(_ type: ValueType?, named typeName: String) -> RecordValue {
    switch type {
    case .string: .string(string())
    case .int64: .int64(integer())
    case .double: .double(double())
    case .timestamp: .timestamp(date())
    case .bytes: .bytes(bytes())
    case .reference: .reference(reference())
    case .location: .location(location())
    case .asset: .asset(asset())
    case .emptyList: emptyList()
    case .stringList: .stringList(list { $0.string() })
    case .int64List: .int64List(list { $0.integer() })
    case .doubleList: .doubleList(list { $0.double() })
    case .timestampList: .timestampList(list { $0.date() })
    case .bytesList: .bytesList(list { $0.bytes() })
    case .locationList: .locationList(list { $0.location() })
    case .referenceList: .referenceList(list { $0.reference() })
    case .assetList: .assetList(list { $0.asset() })
    case nil: .unknown(type: typeName, json: raw())
    }
  }

  private mutating func emptyList() -> RecordValue {
    _ = take("[]")
    return .emptyList
  }

  private mutating func list<T>(_ element: (inout CanonicalDecoder) -> T) -> [T] {
    var list: [T] = []
    guard take("["), !take("]") else { return list }
    repeat { list.append(element(&self)) } while take(",")
    _ = take("]")
    return list
  }

  /// Calls `body` with the next reference, or with each reference of the next list.
  mutating func forEachReference(_ body: (Reference) -> Void) {
    guard take("[") else { return body(reference()) }
    guard !take("]") else { return }
    repeat { body(reference()) } while take(",")
  }

  mutating func reference() -> Reference {
    guard take("{\"recordName\":"), let name = text() else {
      return Reference(recordID: RecordID(recordName: "", zoneID: zoneID))
    }
    let packedName = Self.packedName(name)
    var zone = zoneID
    if take(",\"zoneID\":"), let names = scanner.zoneID() {
      zone = ZoneID(
        zoneName: Self.string(scanner.bytes(names.zoneName)),
        ownerName: Self.string(scanner.bytes(names.ownerName)))
    }
    var action = Reference.Action.none
    if take(",\"action\":\"") {
      if take("NONE\"") {
        action = .none
      } else if take("DELETE_SELF\"") {
        action = .deleteSelf
      } else if take("VALIDATE\"") {
        action = .validate
      }
    }
    return Reference(
      recordID: RecordID(packedName: packedName, zoneID: zone), action: action,
      otherMembers: restOfObject())
  }

  mutating func location() -> Location {
    _ = take("{\"latitude\":")
    var location = Location(latitude: double(), longitude: 0)
    if take(",\"longitude\":") { location.longitude = double() }
    if take(",\"altitude\":") { location.altitude = double() }
    if take(",\"horizontalAccuracy\":") { location.horizontalAccuracy = double() }
    if take(",\"verticalAccuracy\":") { location.verticalAccuracy = double() }
    if take(",\"course\":") { location.course = double() }
    if take(",\"speed\":") { location.speed = double() }
    if take(",\"timestamp\":") { location.timestamp = date() }
    location.otherMembers = restOfObject()
    return location
  }

  mutating func asset() -> Asset {
    _ = take("{")
    return Asset(
      sha256: text("\"sha256\":"), size: begins("\"size\":") ? integer() : nil,
      fileChecksum: text("\"fileChecksum\":"), referenceChecksum: text("\"referenceChecksum\":"),
      wrappingKey: text("\"wrappingKey\":"), receipt: text("\"receipt\":"),
      downloadURL: text("\"downloadURL\":"), otherMembers: restOfObject())
  }

  /// Reads a string member of an object whose members are all optional.
  private mutating func text(_ name: StaticString) -> String? { begins(name) ? string() : nil }

  /// Skips the start of a member of such an object.
  private mutating func begins(_ name: StaticString) -> Bool {
    _ = take(",")
    return take(name)
  }

  /// Reads the members after the known ones, and the end of the object.
  private mutating func restOfObject() -> OtherMembers {
    if take("}") { return [] }
    let others = members()
    _ = take("}")
    return others
  }

  /// Reads the members at the current position, if any.
  mutating func members() -> OtherMembers {
    var members: OtherMembers = []
    _ = take(",")
    while let name = text() {
      guard take(":") else { break }
      members.append(OtherMember(name: Self.string(name), value: raw()))
      guard take(",") else { break }
    }
    return members
  }

  private mutating func raw() -> RawJSON {
    let start = scanner.position
    guard scanner.anyValue(depth: 0) else { return .null }
    return RawJSON(
      compact: String(decoding: scanner.bytes(start..<scanner.position), as: UTF8.self))
  }

  /// Reads the system fields after a record's name.
  ///
  /// They are created in one call; setting them one by one would copy them more than once.
  mutating func systemFields(
    recordID: RecordID, recordType: String, otherMembers: OtherMembers
  ) -> SystemFields {
    let changeTag = take(",\"recordChangeTag\":") ? string() : nil
    let created = take(",\"created\":") ? stamp() : nil
    let modified = take(",\"modified\":") ? stamp() : nil
    let parent = take(",\"parent\":") ? reference() : nil
    let share = take(",\"share\":") ? reference() : nil
    return SystemFields(
      recordID: recordID, recordType: recordType, recordChangeTag: changeTag, created: created,
      modified: modified, parent: parent, share: share, otherMembers: otherMembers)
  }

  /// Reads the first of the system fields after a record's name.
  mutating func created() -> RecordStamp? {
    if take(",\"recordChangeTag\":") { _ = text() }
    return take(",\"created\":") ? stamp() : nil
  }

  private mutating func stamp() -> RecordStamp {
    _ = take("{")
    return RecordStamp(
      date: begins("\"timestamp\":") ? date() : nil, userRecordName: text("\"userRecordName\":"),
      deviceID: text("\"deviceID\":"), otherMembers: restOfObject())
  }
}
