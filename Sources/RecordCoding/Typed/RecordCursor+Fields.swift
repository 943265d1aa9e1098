import RecordModel

extension RecordCursor {
  /// The place of a field's value.
  enum Place {
    /// The record does not have the field.
    case absent
    /// The scanner is at the value, of this type.
    case bytes(ValueType)
    case value(RecordValue)
  }

  /// Skips the bytes before the value of a field if it is the next one, of this type.
  @inline(__always)
  mutating func takeOpening(
    _ name: StaticString, _ type: ValueType, _ isEncrypted: Bool
  ) -> Bool {
    var scanner = scanner
    let place = scanner.position &+ 1
    guard !isAtEnd, scanner.take(0x22), scanner.take(name) else { return false }
    let end = scanner.position
    guard scanner.take("\":{\"type\":\""), scanner.take(type.quotedEnd),
      !isEncrypted || scanner.take(",\"isEncrypted\":true"), scanner.take(",\"value\":"),
      isNext(place..<end)
    else { return false }
    lastName = place..<end
    self.scanner.position = scanner.position
    return true
  }

  /// Whether the record certainly does not have a field. False is inconclusive.
  ///
  /// Most fields that a record does not have begin with another letter than those beside them.
  @inline(__always)
  mutating func isSurelyAbsent(_ name: StaticString) -> Bool {
    guard name.utf8CodeUnitCount > 0, !isDecoded, !isMalformed else { return false }
    let first = name.utf8Start.pointee
    guard lastName.isEmpty || byte(lastName.lowerBound) < first else { return false }
    if isAtEnd { return true }
    return scanner.position &+ 1 < scanner.end && scanner.byte == 0x22
      && byte(scanner.position &+ 1) > first
  }

  @inline(__always)
  private mutating func byte(_ place: Int) -> UInt8 {
    scanner.base.load(fromByteOffset: place, as: UInt8.self)
  }

  /// Whether a name in the bytes may follow the last one. Eight bytes follow each of both.
  @inline(__always)
  private mutating func isNext(_ name: Range<Int>) -> Bool {
    if lastName.isEmpty { return true }
    let (last, next) = (word(lastName.lowerBound), word(name.lowerBound))
    if last < next, (last ^ next).leadingZeroBitCount &>> 3 < name.count { return true }
    return compareBytes(scanner.bytes(lastName), scanner.bytes(name)) < 0
  }

  @inline(__always)
  private mutating func word(_ place: Int) -> UInt64 {
    UInt64(bigEndian: scanner.base.loadUnaligned(fromByteOffset: place, as: UInt64.self))
  }

  /// Finds a field.
  mutating func search(
    _ name: StaticString, _ type: ValueType, _ isEncrypted: Bool
  ) throws -> Place {
    let name = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    if let record { return try search(record, name, type, isEncrypted) }
    guard !isMalformed else { return .absent }
    if !lastName.isEmpty, compareBytes(name, scanner.bytes(lastName)) <= 0 { rewind() }
    while !isAtEnd, !isMalformed {
      let place = scanner.position
      guard let found = scanner.string() else {
        fail()
        break
      }
      let order = compareBytes(scanner.bytes(found), name)
      scanner.position = place
      if order > 0 { return .absent }
      guard let head = scanner.fieldHead(), isNext(head.name) else {
        fail()
        break
      }
      if order == 0 {
        guard let found = head.type, found.canBe(type), head.isEncrypted == isEncrypted else {
          scanner.position = place
          throw mismatch(
            name, String(decoding: scanner.bytes(head.typeName), as: UTF8.self), head.isEncrypted,
            type, isEncrypted)
        }
        lastName = head.name
        return .bytes(found)
      }
      lastName = head.name
      skipValue(head.type)
    }
    return .absent
  }

  private mutating func search(
    _ record: ResultRecord, _ name: UnsafeRawBufferPointer, _ type: ValueType,
    _ isEncrypted: Bool
  ) throws -> Place {
    guard let field = record.field(named: String(decoding: name, as: UTF8.self)) else {
      return .absent
    }
    guard field.isEncrypted == isEncrypted, let found = field.value.type, found.canBe(type) else {
      throw mismatch(
        name, field.value.typeName, field.isEncrypted, type, isEncrypted)
    }
    return .value(field.value)
  }

  private mutating func rewind() {
    scanner.position = start
    lastName = 0..<0
    isAtEnd = scanner.take(0x7D)
  }

  // MARK: Fields

  mutating func skipField() {
    guard let head = scanner.fieldHead(), isNext(head.name) else { return fail() }
    lastName = head.name
    skipValue(head.type)
  }

  private mutating func skipValue(_ type: ValueType?) {
    guard withPrefix({ $0.scanner.value(type, in: $1) }) else { return fail() }
    endField()
  }

  /// Skips the bytes between a value and the next field.
  @inline(__always)
  mutating func endField() {
    guard scanner.take(0x7D) || scanner.otherMembers(known: MemberNames.field) else {
      return fail()
    }
    if scanner.take(0x2C) { return }
    isAtEnd = true
    if !scanner.take(0x7D) { isMalformed = true }
  }

  // MARK: Errors

  private mutating func mismatch(
    _ name: UnsafeRawBufferPointer, _ found: String, _ isFoundEncrypted: Bool, _ type: ValueType,
    _ isEncrypted: Bool
  ) -> TypedRecordError {
    func text(_ type: String, _ isEncrypted: Bool) -> String {
      isEncrypted ? "ENCRYPTED \(type)" : type
    }
    return error(
      isEncrypted == isFoundEncrypted ? .wrongType : .encryption,
      String(decoding: name, as: UTF8.self),
      found: text(found, isFoundEncrypted), expected: text(type.rawValue, isEncrypted))
  }

  mutating func error(
    _ code: TypedRecordError.Code, _ name: String?, found: String, expected: String
  ) -> TypedRecordError {
    TypedRecordError(
      code, typeName: "\(type)", recordType: recordType, recordID: recordID, key: name,
      found: found, expected: expected)
  }
}

extension ValueType {
  /// Whether a value of this type can be read as one of another: integers as numbers, and empty
  /// lists without a type as any list.
  fileprivate func canBe(_ type: ValueType) -> Bool {
    self == type || self == .int64 && type == .double
      || self == .emptyList && type.elementType != nil
  }
}
