import RecordModel

import struct Foundation.Data
import struct Foundation.Date

/// Writes the members and values of one record as canonical JSON.
package struct ValueWriter {
  let buffer: ByteBuffer
  /// The record's zone, which references within the zone omit.
  let zoneID: ZoneID

  package func write(_ field: Field) throws { try withUnsafePointer(to: field) { try write($0) } }

  /// Writes a field; a pointer avoids copying it.
  func write(_ field: UnsafePointer<Field>) throws {
    buffer.append(field.pointee.interned.opening)
    if case .unknown(let type, _) = field.pointee.value {
      // The opening includes the opening quote of the type.
      buffer.count &-= 1
      buffer.appendJSONString(type)
    } else {
      buffer.append(field.pointee.value.type?.quotedEnd ?? "\"")
    }
    if field.pointee.isEncrypted { buffer.append(",\"isEncrypted\":true") }
    buffer.append(",\"value\":")
    do {
      try write(field.pointee.value)
    } catch let error as RecordCodingError {
      throw error.inside(member: "value").inside(member: field.pointee.name)
        .inside(member: "fields")
    } catch {
      throw RecordCodingError(
        path: "fields.\(field.pointee.name).value",
        found: "a number that is not finite", expected: "a finite number")
    }
    write(field.pointee.otherMembers)
    buffer.append(UInt8(ascii: "}"))
  }

  func write(_ value: RecordValue) throws {
    switch value {
    case .string(let text): buffer.appendJSONString(text)
    case .int64(let number): buffer.appendInteger(number)
    case .double(let number): try write(number)
    case .timestamp(let date): try write(date)
    case .bytes(let data): write(data)
    case .location(let location): try write(location)
    case .reference(let reference): try write(reference)
    case .asset(let asset): try write(asset)
    case .stringList(let list): write(list) { buffer.appendJSONString($0) }
    case .int64List(let list): write(list) { buffer.appendInteger($0) }
    case .doubleList(let list): try write(list) { try write($0) }
    case .timestampList(let list): try write(list) { try write($0) }
    case .bytesList(let list): write(list) { write($0) }
    case .locationList(let list): try write(list) { try write($0) }
    case .referenceList(let list): try write(list) { try write($0) }
    case .assetList(let list): try write(list) { try write($0) }
    case .emptyList: buffer.append("[]")
    case .unknown(_, let json): buffer.append(text: json.text)
    }
  }

  private func write<T>(_ list: [T], _ element: (T) throws -> Void) rethrows {
    buffer.append(UInt8(ascii: "["))
    for index in list.indices {
      if index != 0 { buffer.append(UInt8(ascii: ",")) }
      try element(list[index])
    }
    buffer.append(UInt8(ascii: "]"))
  }

  private struct NotFinite: Error {}

  private func write(_ number: Double) throws {
    guard CanonicalNumber.append(number, to: buffer) else { throw NotFinite() }
  }

  private func write(_ date: Date) throws {
    guard CanonicalDate.append(date, to: buffer) else { throw NotFinite() }
  }

  private func write(_ data: Data) {
    buffer.append(UInt8(ascii: "\""))
    data.withUnsafeBytes { Base64.append($0, to: buffer) }
    buffer.append(UInt8(ascii: "\""))
  }

  func write(_ reference: Reference) throws {
    guard !reference.recordID.packedName.isEmpty else { throw Reference.emptyName }
    buffer.append("{\"recordName\":")
    buffer.appendJSONName(reference.recordID.packedName)
    let zone = reference.recordID.zoneID
    if !zone.isIdentical(to: zoneID) && zone != zoneID {
      buffer.append(",\"zoneID\":")
      buffer.appendZoneID(zone)
    }
    switch reference.action {
    case .none: buffer.append(",\"action\":\"NONE\"")
    case .deleteSelf: buffer.append(",\"action\":\"DELETE_SELF\"")
    case .validate: buffer.append(",\"action\":\"VALIDATE\"")
    }
    write(reference.otherMembers)
    buffer.append(UInt8(ascii: "}"))
  }

  private func write(_ location: Location) throws {
    buffer.append("{\"latitude\":")
    try write(location.latitude)
    buffer.append(",\"longitude\":")
    try write(location.longitude)
    try write(location.altitude, ",\"altitude\":")
    try write(location.horizontalAccuracy, ",\"horizontalAccuracy\":")
    try write(location.verticalAccuracy, ",\"verticalAccuracy\":")
    try write(location.course, ",\"course\":")
    try write(location.speed, ",\"speed\":")
    if let date = location.timestamp {
      buffer.append(",\"timestamp\":")
      try write(date)
    }
    write(location.otherMembers)
    buffer.append(UInt8(ascii: "}"))
  }

  private func write(_ number: Double?, _ name: StaticString) throws {
    guard let number else { return }
    buffer.append(name)
    try write(number)
  }

  private func write(_ asset: Asset) throws {
    try asset.checkIsSaved()
    var object = ObjectWriter(buffer: buffer)
    object.write(asset.sha256, "\"sha256\":")
    if let size = asset.size {
      object.begin("\"size\":")
      buffer.appendInteger(size)
    }
    object.write(asset.fileChecksum, "\"fileChecksum\":")
    object.write(asset.referenceChecksum, "\"referenceChecksum\":")
    object.write(asset.wrappingKey, "\"wrappingKey\":")
    object.write(asset.receipt, "\"receipt\":")
    object.write(asset.downloadURL, "\"downloadURL\":")
    object.end(asset.otherMembers)
  }

  /// Writes the members between a record's name and its fields.
  ///
  /// Each member is read in place: copying the system fields would cost more than writing them.
  func write(systemFieldsOf storage: ValueStorage) throws {
    if let tag = storage.systemFields.recordChangeTag { write(changeTag: tag) }
    if let created = storage.systemFields.created { try write(created: created) }
    if let modified = storage.systemFields.modified { try write(modified: modified) }
    if let parent = storage.systemFields.parent { try write(parent: parent) }
    if let share = storage.systemFields.share { try write(share: share) }
  }

  // The members are written in this order.

  package func write(changeTag: String) {
    buffer.append(",\"recordChangeTag\":")
    buffer.appendJSONString(changeTag)
  }

  package func write(created: RecordStamp) throws {
    buffer.append(",\"created\":")
    try write(created)
  }

  package func write(modified: RecordStamp) throws {
    buffer.append(",\"modified\":")
    try write(modified)
  }

  package func write(parent: Reference) throws {
    buffer.append(",\"parent\":")
    try write(parent)
  }

  package func write(share: Reference) throws {
    buffer.append(",\"share\":")
    try write(share)
  }

  private func write(_ stamp: RecordStamp) throws {
    var object = ObjectWriter(buffer: buffer)
    if let date = stamp.date {
      object.begin("\"timestamp\":")
      guard CanonicalDate.append(date, to: buffer) else {
        throw RecordCodingError(
          path: "created or modified", found: "a date that is not finite",
          expected: "a finite date")
      }
    }
    object.write(stamp.userRecordName, "\"userRecordName\":")
    object.write(stamp.deviceID, "\"deviceID\":")
    object.end(stamp.otherMembers)
  }

  /// Appends members after existing ones.
  package func write(_ members: OtherMembers) {
    for member in members {
      buffer.append(UInt8(ascii: ","))
      buffer.appendJSONString(member.name)
      buffer.append(UInt8(ascii: ":"))
      buffer.append(text: member.value.text)
    }
  }

  /// Writes an object whose members are all optional.
  private struct ObjectWriter {
    let buffer: ByteBuffer
    var isFirst = true

    init(buffer: ByteBuffer) {
      self.buffer = buffer
      buffer.append(UInt8(ascii: "{"))
    }

    mutating func begin(_ name: StaticString) {
      if !isFirst { buffer.append(UInt8(ascii: ",")) }
      isFirst = false
      buffer.append(name)
    }

    mutating func write(_ text: String?, _ name: StaticString) {
      guard let text else { return }
      begin(name)
      buffer.appendJSONString(text)
    }

    func end(_ members: OtherMembers) {
      var isFirst = isFirst
      for member in members {
        if !isFirst { buffer.append(UInt8(ascii: ",")) }
        isFirst = false
        buffer.appendJSONString(member.name)
        buffer.append(UInt8(ascii: ":"))
        buffer.append(text: member.value.text)
      }
      buffer.append(UInt8(ascii: "}"))
    }
  }
}

extension ValueType {
  /// The name of the type and its closing quote.
  @inline(__always)
  var quotedEnd: StaticString {
    switch self {
    case .string: "STRING\""
    case .int64: "INT64\""
    case .double: "DOUBLE\""
    case .timestamp: "TIMESTAMP\""
    case .bytes: "BYTES\""
    case .location: "LOCATION\""
    case .reference: "REFERENCE\""
    case .asset: "ASSET\""
    case .stringList: "STRING_LIST\""
    case .int64List: "INT64_LIST\""
    case .doubleList: "DOUBLE_LIST\""
    case .timestampList: "TIMESTAMP_LIST\""
    case .bytesList: "BYTES_LIST\""
    case .locationList: "LOCATION_LIST\""
    case .referenceList: "REFERENCE_LIST\""
    case .assetList: "ASSET_LIST\""
    case .emptyList: "UNKNOWN_LIST\""
    }
  }
}
