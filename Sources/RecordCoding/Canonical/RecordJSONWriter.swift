import RecordModel

/// Writes records as canonical JSON.
///
/// A record that was read from canonical bytes is copied; any other is encoded. A writer caches the
/// start of a zone's and type's records, so reuse it for many records. It is not thread-safe.
///
/// ```swift
/// let buffer = ByteBuffer()
/// try RecordJSONWriter().write(record, to: buffer)
/// let json = String(decoding: buffer.bytes, as: UTF8.self)
/// ```
package final class RecordJSONWriter {
  @exclusivity(unchecked) private var prefix: RecordPrefix?

  package init() {}

  /// Appends a record dictionary.
  ///
  /// - Throws: `RecordCodingError` for an empty name, a number that is not finite, which JSON cannot
  ///   represent, or an asset that is not yet stored. The buffer is then unchanged.
  package func write(_ record: ResultRecord, to buffer: ByteBuffer) throws {
    try write(record, opening: Self.brace, to: buffer)
  }

  /// Appends a record line of a bundle, without the line feed.
  package func writeLine(
    _ record: ResultRecord, database: DatabaseScope, to buffer: ByteBuffer
  ) throws {
    try write(record, opening: RecordLine.opening(for: database), to: buffer)
  }

  private static let brace = [UInt8(ascii: "{")]

  private func write(_ record: ResultRecord, opening: [UInt8], to buffer: ByteBuffer) throws {
    let start = buffer.count
    buffer.append(opening)
    guard let storage = record.storage.values else {
      record.storage.withCanonicalBytes {
        buffer.append(UnsafeRawBufferPointer(rebasing: $0.dropFirst()))
      }
      return
    }
    do {
      try encode(storage, to: buffer)
    } catch {
      buffer.count = start
      throw error
    }
  }

  private static let emptyName = RecordCodingError(
    found: "a record whose name, type, zone or owner is empty",
    expected: "at least one character")

  /// Returns the start of a record; that of the last one if zone and type are the same.
  @inline(__always)
  private func prefix(_ zoneID: ZoneID, _ recordType: String) throws -> RecordPrefix {
    if let prefix, prefix.zoneID.isIdentical(to: zoneID),
      prefix.recordType.sameScalars(as: recordType)
    {
      return prefix
    }
    guard !recordType.isEmpty, !zoneID.zoneName.isEmpty, !zoneID.ownerName.isEmpty else {
      throw Self.emptyName
    }
    let made = RecordPrefix(zoneID: zoneID, recordType: recordType)
    prefix = made
    return made
  }

  /// Appends the start of a record dictionary after its first brace: everything up to the record's
  /// name.
  ///
  /// - Returns: A writer of the members that follow.
  /// - Throws: `RecordCodingError` for an empty name.
  package func begin(
    _ recordID: RecordID, _ recordType: String, to buffer: ByteBuffer
  ) throws -> ValueWriter {
    guard !recordID.packedName.isEmpty else { throw Self.emptyName }
    let prefix = try prefix(recordID.zoneID, recordType)
    // The opening includes the opening quote of the name.
    buffer.append(prefix.opening)
    buffer.count &-= 1
    buffer.appendJSONName(recordID.packedName)
    return ValueWriter(buffer: buffer, zoneID: recordID.zoneID)
  }

  private func encode(_ storage: ValueStorage, to buffer: ByteBuffer) throws {
    let writer = try begin(
      storage.systemFields.recordID, storage.systemFields.recordType, to: buffer)
    try writer.write(systemFieldsOf: storage)
    buffer.append(",\"fields\":{")
    try storage.fields.withUnsafeBufferPointer { fields in
      guard let first = fields.baseAddress else { return }
      for index in fields.indices {
        if index != 0 { buffer.append(UInt8(ascii: ",")) }
        try writer.write(first + index)
      }
    }
    buffer.append("}")
    writer.write(storage.systemFields.otherMembers)
    buffer.append("}")
  }
}

extension ByteBuffer {
  /// Appends a record's name.
  package func append(_ name: CompactName) {
    switch name {
    case .upperUUID(let high, let low): write(high, low, isUpper: true)
    case .lowerUUID(let high, let low): write(high, low, isUpper: false)
    case .user, .text: append(text: name.string)
    }
  }

  /// Appends a record's name as a JSON string.
  @inline(__always)
  func appendJSONName(_ name: CompactName) {
    switch name {
    case .upperUUID(let high, let low): appendUUID(high, low, isUpper: true)
    case .lowerUUID(let high, let low): appendUUID(high, low, isUpper: false)
    case .user, .text: appendJSONString(name.string)
    }
  }

  @inline(__always)
  private func write(_ high: UInt64, _ low: UInt64, isUpper: Bool) {
    reserve(36)
    CompactName.write(high, low, isUpper: isUpper, to: base + count)
    count &+= 36
  }

  @inline(__always)
  private func appendUUID(_ high: UInt64, _ low: UInt64, isUpper: Bool) {
    reserve(38)
    let target = base + count
    target.storeBytes(of: 0x22, as: UInt8.self)
    CompactName.write(high, low, isUpper: isUpper, to: target + 1)
    target.storeBytes(of: 0x22, toByteOffset: 37, as: UInt8.self)
    count &+= 38
  }
}
