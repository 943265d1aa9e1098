import RecordModel

import struct Foundation.Data

extension CanonicalReader {
  /// Skips the value of a field.
  ///
  /// - Parameter type: nil for an unknown type.
  @inline(__always)
  mutating func value(_ type: ValueType?, in prefix: RecordPrefix) -> Bool {
    switch type {
    case .string: string() != nil
    case .int64: integer()
    case .timestamp: milliseconds()
    case .double: double()
    case .reference: reference(in: prefix)
    case .bytes: base64()
    default: slowValue(type, in: prefix)
    }
  }

  private mutating func slowValue(_ type: ValueType?, in prefix: RecordPrefix) -> Bool {
    guard let type else { return anyValue(depth: 0) }
    switch type {
    case .location: return locationValue() != nil
    case .asset: return asset()
    case .emptyList: return take("[]")
    default:
      guard let element = type.elementType else { return false }
      return list(of: element, in: prefix)
    }
  }

  private mutating func list(of type: ValueType, in prefix: RecordPrefix) -> Bool {
    guard take(0x5B) else { return false }
    if take(0x5D) { return true }
    repeat {
      guard value(type, in: prefix) else { return false }
    } while take(0x2C)
    return take(0x5D)
  }

  mutating func base64() -> Bool {
    guard let text = string() else { return false }
    return Base64.isCanonical(bytes(text))
  }

  /// Skips a reference. It must not contain the record's own zone.
  mutating func reference(in prefix: RecordPrefix) -> Bool {
    guard take("{\"recordName\":"), let name = string(), !name.isEmpty else { return false }
    if take(",\"zoneID\":") {
      if matches(prefix.zoneJSON, at: position) { return false }
      guard zoneID() != nil else { return false }
    }
    guard take(",\"action\":\"") else { return false }
    guard take("NONE\"") || take("DELETE_SELF\"") || take("VALIDATE\"") else { return false }
    return otherMembers(known: MemberNames.reference)
  }

  /// Skips a zone's identity, and returns the ranges of its names.
  mutating func zoneID() -> (zoneName: Range<Int>, ownerName: Range<Int>)? {
    guard take("{\"zoneName\":"), let zoneName = string(), take(",\"ownerRecordName\":"),
      let ownerName = string(), take(0x7D), !zoneName.isEmpty, !ownerName.isEmpty
    else { return nil }
    return (zoneName, ownerName)
  }

  private mutating func asset() -> Bool {
    guard take(0x7B) else { return false }
    var isFirst = true
    if begins("\"sha256\":", &isFirst) { guard digest() else { return false } }
    if begins("\"size\":", &isFirst) { guard byte != 0x2D, integer() else { return false } }
    guard text("\"fileChecksum\":", &isFirst), text("\"referenceChecksum\":", &isFirst),
      text("\"wrappingKey\":", &isFirst), text("\"receipt\":", &isFirst),
      text("\"downloadURL\":", &isFirst)
    else { return false }
    return otherMembers(known: MemberNames.asset, isFirst: isFirst)
  }

  /// Skips the start of a member of an object whose members are all optional; returns whether it
  /// is there.
  fileprivate mutating func begins(_ name: StaticString, _ isFirst: inout Bool) -> Bool {
    let start = position
    guard isFirst || take(0x2C), take(name) else {
      position = start
      return false
    }
    isFirst = false
    return true
  }

  /// Skips a string member of such an object, if it is there.
  mutating func text(_ name: StaticString, _ isFirst: inout Bool) -> Bool {
    !begins(name, &isFirst) || string() != nil
  }

  /// Skips a SHA-256 digest: 64 lower-case hexadecimal digits.
  private mutating func digest() -> Bool {
    guard let text = string(), text.count == 64 else { return false }
    return bytes(text).allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }

  /// Skips the members after the known ones, and the brace that ends the object.
  ///
  /// They must be sorted by the bytes of their names, and differ from the known ones.
  @inline(__always)
  mutating func otherMembers(
    known: @autoclosure () -> [String], isFirst: Bool = false
  ) -> Bool {
    if take(0x7D) { return true }
    return unknownMembers(known: known(), isFirst: isFirst)
  }

  private mutating func unknownMembers(known: [String], isFirst: Bool) -> Bool {
    hasOtherMembers = true
    var previous: Range<Int>?
    var isFirst = isFirst
    while !take(0x7D) {
      guard isFirst || take(0x2C), let name = string(), take(0x3A), anyValue(depth: 0) else {
        return false
      }
      isFirst = false
      if let previous, compareBytes(bytes(previous), bytes(name)) >= 0 { return false }
      // An escape in a name would affect the order; the fallback reader handles such names.
      if bytes(name).contains(0x5C) { return false }
      if known.contains(where: { $0.utf8.elementsEqual(bytes(name)) }) { return false }
      previous = name
    }
    return true
  }

  /// Skips any value in canonical format.
  mutating func anyValue(depth: Int) -> Bool {
    guard depth < Self.maxDepth else { return false }
    switch byte {
    case 0x22: return string() != nil
    case 0x7B: return object(depth: depth)
    case 0x5B:
      position &+= 1
      if take(0x5D) { return true }
      repeat {
        guard anyValue(depth: depth + 1) else { return false }
      } while take(0x2C)
      return take(0x5D)
    case 0x74: return take("true")
    case 0x66: return take("false")
    case 0x6E: return take("null")
    default: return number() != nil
    }
  }

  private mutating func object(depth: Int) -> Bool {
    position &+= 1
    if take(0x7D) { return true }
    var names: [Range<Int>] = []
    repeat {
      guard let name = string(), take(0x3A), anyValue(depth: depth + 1) else { return false }
      let text = bytes(name)
      // The fallback reader reports duplicate names, and handles large objects.
      guard names.count < 64, !names.contains(where: { compareBytes(bytes($0), text) == 0 }),
        !text.contains(0x5C)
      else { return false }
      names.append(name)
    } while take(0x2C)
    return take(0x7D)
  }
}

// MARK: - Reading

extension CanonicalReader {
  /// Reads the value of a field.
  ///
  /// - Parameter type: nil for an unknown type.
  mutating func value(
    _ type: ValueType?, named typeName: String, in prefix: RecordPrefix
  ) -> RecordValue? {
    switch type {
    case .string: textValue().map(RecordValue.string)
    case .int64: integerValue().map(RecordValue.int64)
    case .double: doubleValue().map(RecordValue.double)
    case .timestamp: dateValue().map(RecordValue.timestamp)
    case .bytes: dataValue().map(RecordValue.bytes)
    case .reference: referenceValue(in: prefix).map(RecordValue.reference)
    case .location: locationValue().map(RecordValue.location)
    case .asset: assetValue().map(RecordValue.asset)
    case .emptyList: take("[]") ? .emptyList : nil
    case .stringList: list { $0.textValue() }.map(RecordValue.stringList)
    case .int64List: list { $0.integerValue() }.map(RecordValue.int64List)
    case .doubleList: list { $0.doubleValue() }.map(RecordValue.doubleList)
    case .timestampList: list { $0.dateValue() }.map(RecordValue.timestampList)
    case .bytesList: list { $0.dataValue() }.map(RecordValue.bytesList)
    case .locationList: list { $0.locationValue() }.map(RecordValue.locationList)
    case .referenceList: list { $0.referenceValue(in: prefix) }.map(RecordValue.referenceList)
    case .assetList: list { $0.assetValue() }.map(RecordValue.assetList)
    case nil: rawValue().map { .unknown(type: typeName, json: $0) }
    }
  }

  mutating func dataValue() -> Data? { string().flatMap { Base64.data(from: bytes($0)) } }

  /// Reads a list.
  @inline(__always)
  mutating func list<T>(_ element: (inout CanonicalReader) -> T?) -> [T]? {
    guard take(0x5B) else { return nil }
    var list: [T] = []
    if take(0x5D) { return list }
    let start = position
    guard let first = element(&self) else { return nil }
    list.reserveCapacity(1 &+ elementCount(length: position &- start))
    list.append(first)
    while take(0x2C) {
      guard let value = element(&self) else { return nil }
      list.append(value)
    }
    return take(0x5D) ? list : nil
  }

  /// Calls `body` with the next reference, or with each reference of the next list.
  mutating func forEachReference(in prefix: RecordPrefix, _ body: (Reference) -> Void) {
    let references =
      byte == 0x5B
      ? list { $0.referenceValue(in: prefix) } : referenceValue(in: prefix).map { [$0] }
    references?.forEach(body)
  }

  /// Reads a reference. It must not contain the record's own zone.
  @inline(__always)
  mutating func referenceValue(in prefix: RecordPrefix) -> Reference? {
    let start = position
    guard let (name, action) = referenceInZone() else {
      position = start
      return otherReference(in: prefix)
    }
    return Reference(
      recordID: RecordID(packedName: compactName(name), zoneID: prefix.zoneID), action: action)
  }

  /// Skips a reference to a record in the same zone; nil for any other.
  @inline(__always)
  mutating func referenceInZone() -> (name: ScannedName, action: Reference.Action)? {
    guard take("{\"recordName\":\""), let name = name(), !name.isEmpty, take(",\"action\":\"")
    else { return nil }
    if take("NONE\"}") { return (name, .none) }
    if take("DELETE_SELF\"}") { return (name, .deleteSelf) }
    return nil
  }

  private mutating func otherReference(in prefix: RecordPrefix) -> Reference? {
    let start = position
    guard reference(in: prefix) else { return nil }
    // Checked: this reads the members again.
    position = start
    guard take("{\"recordName\":\""), let name = name() else { return nil }
    var zoneID = prefix.zoneID
    if take(",\"zoneID\":"), let names = self.zoneID() {
      zoneID = ZoneID(
        zoneName: Self.string(bytes(names.zoneName)),
        ownerName: Self.string(bytes(names.ownerName)))
    }
    _ = take(",\"action\":\"")
    let action: Reference.Action =
      take("NONE\"") ? .none : take("DELETE_SELF\"") ? .deleteSelf : .validate
    if action == .validate { _ = take("VALIDATE\"") }
    return Reference(
      recordID: RecordID(packedName: compactName(name), zoneID: zoneID), action: action,
      otherMembers: restOfObject())
  }

  mutating func locationValue() -> Location? {
    guard take("{\"latitude\":"), let latitude = doubleValue(), take(",\"longitude\":"),
      let longitude = doubleValue()
    else { return nil }
    var location = Location(latitude: latitude, longitude: longitude)
    func number(
      _ name: StaticString, _ value: inout Double?, _ reader: inout CanonicalReader
    ) -> Bool {
      guard reader.take(name) else { return true }
      value = reader.doubleValue()
      return value != nil
    }
    guard number(",\"altitude\":", &location.altitude, &self),
      number(",\"horizontalAccuracy\":", &location.horizontalAccuracy, &self),
      number(",\"verticalAccuracy\":", &location.verticalAccuracy, &self),
      number(",\"course\":", &location.course, &self),
      number(",\"speed\":", &location.speed, &self)
    else { return nil }
    if take(",\"timestamp\":") {
      location.timestamp = dateValue()
      if location.timestamp == nil { return nil }
    }
    let start = position
    guard otherMembers(known: MemberNames.location) else { return nil }
    if position &- start > 1 {
      position = start
      location.otherMembers = restOfObject()
    }
    return location
  }

  mutating func assetValue() -> Asset? {
    let start = position
    guard asset() else { return nil }
    // Checked: this reads the members again.
    position = start &+ 1
    var isFirst = true
    func text(_ name: StaticString, _ reader: inout CanonicalReader) -> String? {
      reader.begins(name, &isFirst) ? reader.textValue() : nil
    }
    let sha256 = text("\"sha256\":", &self)
    let size = begins("\"size\":", &isFirst) ? integerValue() : nil
    return Asset(
      sha256: sha256, size: size, fileChecksum: text("\"fileChecksum\":", &self),
      referenceChecksum: text("\"referenceChecksum\":", &self),
      wrappingKey: text("\"wrappingKey\":", &self), receipt: text("\"receipt\":", &self),
      downloadURL: text("\"downloadURL\":", &self), otherMembers: restOfObject())
  }

  /// Reads a stamp of the system fields.
  mutating func stampValue() -> RecordStamp? {
    let start = position
    guard stamp() != nil else { return nil }
    // Checked: this reads the members again.
    position = start &+ 1
    var isFirst = true
    let date = begins("\"timestamp\":", &isFirst) ? dateValue() : nil
    let user = begins("\"userRecordName\":", &isFirst) ? textValue() : nil
    let device = begins("\"deviceID\":", &isFirst) ? textValue() : nil
    return RecordStamp(
      date: date, userRecordName: user, deviceID: device, otherMembers: restOfObject())
  }

  /// Reads the members after the known ones, and the brace that ends the object, which were checked.
  private mutating func restOfObject() -> OtherMembers {
    if take(0x7D) { return [] }
    let others = members()
    _ = take(0x7D)
    return others
  }

  /// Reads checked members at the current position, if any.
  mutating func members() -> OtherMembers {
    var members: OtherMembers = []
    _ = take(0x2C)
    while let name = textValue(), take(0x3A), let value = rawValue() {
      members.append(OtherMember(name: name, value: value))
      guard take(0x2C) else { break }
    }
    return members
  }

  private mutating func rawValue() -> RawJSON? {
    let start = position
    guard anyValue(depth: 0) else { return nil }
    return RawJSON(compact: String(decoding: bytes(start..<position), as: UTF8.self))
  }

  /// Whether the reader is behind the last byte, or at a line feed.
  @inline(__always)
  var isAtLineEnd: Bool {
    position >= end || base.load(fromByteOffset: position, as: UInt8.self) == 0x0A
  }

  /// Returns how many further elements of a list follow if all are as long as the last one, at
  /// least; at most 255, for what looks like elements may belong to another line.
  @inline(__always)
  func elementCount(length: Int) -> Int {
    var count = 0
    var place = position
    while count < 255, place < end &- length,
      base.load(fromByteOffset: place, as: UInt8.self) == 0x2C
    {
      count &+= 1
      place &+= length &+ 1
    }
    return count
  }
}
