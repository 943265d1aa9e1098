import RecordModel

extension RecordView {
  /// Where a field's value is.
  enum Place {
    /// The record does not have the field.
    case absent
    /// The scanner is at the value, of this type.
    case bytes(ValueType)
    case value(RecordValue)
  }

  /// Finds a field.
  @inline(__always)
  mutating func find(
    _ name: StaticString, _ type: ValueType, _ isEncrypted: Bool
  ) throws -> Place {
    let text = UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    let place = scanner.position
    if !isAtEnd, scanner.take(0x22), scanner.take(name) {
      let end = scanner.position
      if scanner.take(type.opening(isEncrypted: isEncrypted)), isNext(text) {
        lastName = (place &+ 1)..<end
        return .bytes(type)
      }
    }
    scanner.position = place
    return try search(text, type, isEncrypted)
  }

  /// Whether a name may follow the last one.
  @inline(__always)
  private func isNext(_ name: UnsafeRawBufferPointer) -> Bool {
    lastName.isEmpty || compareBytes(scanner.bytes(lastName), name) < 0
  }

  private mutating func search(
    _ name: UnsafeRawBufferPointer, _ type: ValueType, _ isEncrypted: Bool
  ) throws -> Place {
    if case .record(let record) = source {
      return try search(record, name, type, isEncrypted)
    }
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
      guard let head = fieldHead() else {
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

  private func search(
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

  /// What stands before a field's value.
  struct FieldHead {
    var name: Range<Int>
    var typeName: Range<Int>
    var isEncrypted: Bool
    /// Nil for an unknown type.
    var type: ValueType?
  }

  /// Passes what stands before a value; nil if it is not canonical.
  private mutating func fieldHead() -> FieldHead? {
    guard let name = scanner.string(), scanner.take(":{\"type\":"), let type = scanner.string()
    else { return nil }
    let isEncrypted = scanner.take(",\"isEncrypted\":true")
    let (nameBytes, typeBytes) = (scanner.bytes(name), scanner.bytes(type))
    guard scanner.take(",\"value\":"), !nameBytes.hasByte(0x5C), !typeBytes.hasByte(0x5C),
      isNext(nameBytes)
    else { return nil }
    if let known = ValueType(utf8: typeBytes) {
      return FieldHead(name: name, typeName: type, isEncrypted: isEncrypted, type: known)
    }
    let spelled = FieldType(spelling: String(decoding: typeBytes, as: UTF8.self))
    guard spelled.isCanonical else { return nil }
    return FieldHead(name: name, typeName: type, isEncrypted: isEncrypted, type: spelled.type)
  }

  mutating func skipField() {
    guard let head = fieldHead() else {
      fail()
      return
    }
    lastName = head.name
    skipValue(head.type)
  }

  private mutating func skipValue(_ type: ValueType?) {
    guard scanner.value(type, in: envelope) else {
      fail()
      return
    }
    endField()
  }

  /// Passes what follows a value, up to the next field.
  @inline(__always)
  mutating func endField() {
    guard scanner.take(0x7D) || scanner.otherMembers(known: MemberNames.field) else {
      fail()
      return
    }
    if scanner.take(0x2C) { return }
    isAtEnd = true
    if !scanner.take(0x7D) { isMalformed = true }
  }

  /// Notes that the bytes are not canonical.
  mutating func fail() {
    isMalformed = true
    isAtEnd = true
  }

  // MARK: Errors

  private func mismatch(
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

  func error(
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

extension RecordValue {
  fileprivate var typeName: String {
    if case .unknown(let name, _) = self { return name }
    return type?.rawValue ?? ""
  }
}

extension ValueType {
  private static let names = allCases.map { (type: $0, utf8: Array($0.rawValue.utf8)) }

  fileprivate init?(utf8: UnsafeRawBufferPointer) {
    let found = Self.names.first { name in
      name.utf8.count == utf8.count && name.utf8.withUnsafeBytes { compareBytes($0, utf8) == 0 }
    }
    guard let found else { return nil }
    self = found.type
  }
}
