import RecordModel

extension CanonicalScanner {
  /// Skips the value of a field.
  ///
  /// - Parameter type: nil for an unknown type.
  @inline(__always)
  mutating func value(_ type: ValueType?, in envelope: RecordEnvelope) -> Bool {
    switch type {
    case .string: string() != nil
    case .int64: integer()
    case .timestamp: milliseconds()
    case .double: double()
    case .reference: reference(in: envelope)
    case .bytes: base64()
    default: slowValue(type, in: envelope)
    }
  }

  private mutating func slowValue(_ type: ValueType?, in envelope: RecordEnvelope) -> Bool {
    guard let type else { return anyValue(depth: 0) }
    switch type {
    case .location: return location()
    case .asset: return asset()
    case .emptyList: return take("[]")
    default:
      guard let element = type.elementType else { return false }
      return list(of: element, in: envelope)
    }
  }

  private mutating func list(of type: ValueType, in envelope: RecordEnvelope) -> Bool {
    guard take(0x5B) else { return false }
    if take(0x5D) { return true }
    repeat {
      guard value(type, in: envelope) else { return false }
    } while take(0x2C)
    return take(0x5D)
  }

  mutating func base64() -> Bool {
    guard let text = string() else { return false }
    return Base64.isCanonical(bytes(text))
  }

  /// Skips a reference. It must not contain the record's own zone.
  mutating func reference(in envelope: RecordEnvelope) -> Bool {
    guard take("{\"recordName\":"), string() != nil else { return false }
    if take(",\"zoneID\":") {
      if matches(envelope.zoneJSON, at: position) { return false }
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

  private mutating func location() -> Bool {
    guard take("{\"latitude\":"), double(), take(",\"longitude\":"), double() else { return false }
    if take(",\"altitude\":") { guard double() else { return false } }
    if take(",\"horizontalAccuracy\":") { guard double() else { return false } }
    if take(",\"verticalAccuracy\":") { guard double() else { return false } }
    if take(",\"course\":") { guard double() else { return false } }
    if take(",\"speed\":") { guard double() else { return false } }
    if take(",\"timestamp\":") { guard milliseconds() else { return false } }
    return otherMembers(known: MemberNames.location)
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
  private mutating func begins(_ name: StaticString, _ isFirst: inout Bool) -> Bool {
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

/// The names of the members that the model has properties for.
enum MemberNames {
  static let record = [
    "zoneID", "recordType", "recordName", "recordChangeTag", "created", "modified", "parent",
    "share", "fields", "kind", "database", "deleted",
  ]
  static let stamp = ["timestamp", "userRecordName", "deviceID"]
  static let field = ["type", "isEncrypted", "value"]
  static let reference = ["recordName", "zoneID", "action"]
  static let location = [
    "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "course",
    "speed", "timestamp",
  ]
  static let asset = [
    "sha256", "size", "fileChecksum", "referenceChecksum", "wrappingKey", "receipt", "downloadURL",
  ]
}
