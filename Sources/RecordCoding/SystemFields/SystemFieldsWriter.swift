import Foundation
import RecordModel

/// Writes the compact encoding of system fields; the layout is at ``SystemFieldsFormat``.
struct SystemFieldsWriter {
  private var bytes: [UInt8] = []

  static func encode(_ fields: SystemFields) -> Data {
    var body = SystemFieldsWriter()
    body.append(fields)
    var message = SystemFieldsWriter()
    message.bytes = SystemFieldsFormat.magic + [SystemFieldsFormat.version]
    message.append(UInt64(body.bytes.count), size: 4)
    message.bytes += body.bytes
    message.append(UInt64(CRC32.checksum(message.bytes)), size: 4)
    return Data(message.bytes)
  }

  private mutating func append(_ fields: SystemFields) {
    typealias Tag = SystemFieldsFormat.Tag
    let zoneID = fields.recordID.zoneID
    append(Tag.recordName, fields.recordID.recordName)
    if !zoneID.isSame(as: .default) { append(Tag.zone) { $0.append(zoneID) } }
    append(Tag.recordType, fields.recordType)
    append(Tag.recordChangeTag, fields.recordChangeTag)
    if let created = fields.created { append(Tag.created) { $0.append(created) } }
    if let modified = fields.modified { append(Tag.modified) { $0.append(modified) } }
    if let parent = fields.parent { append(Tag.parent) { $0.append(parent, in: zoneID) } }
    if let share = fields.share { append(Tag.share) { $0.append(share, in: zoneID) } }
    append(Tag.otherMembers, fields.otherMembers)
    if let archive = fields.archive { append(Tag.archive) { $0.bytes += archive } }
  }

  private mutating func append(_ zoneID: ZoneID) {
    typealias Tag = SystemFieldsFormat.ZoneTag
    append(Tag.zoneName, zoneID.zoneName)
    if zoneID.ownerName != ZoneID.currentUserOwnerName { append(Tag.ownerName, zoneID.ownerName) }
  }

  private mutating func append(_ stamp: RecordStamp) {
    typealias Tag = SystemFieldsFormat.StampTag
    if let date = stamp.date {
      append(Tag.date) {
        $0.append(date.timeIntervalSinceReferenceDate.bitPattern, size: 8)
      }
    }
    append(Tag.userRecordName, stamp.userRecordName)
    append(Tag.deviceID, stamp.deviceID)
    append(Tag.otherMembers, stamp.otherMembers)
  }

  private mutating func append(_ reference: Reference, in zoneID: ZoneID) {
    typealias Tag = SystemFieldsFormat.ReferenceTag
    let target = reference.recordID
    append(Tag.recordName, target.recordName)
    if !target.zoneID.isSame(as: zoneID) { append(Tag.zone) { $0.append(target.zoneID) } }
    if reference.action != .none { append(Tag.action, reference.action.rawValue) }
    append(Tag.otherMembers, reference.otherMembers)
  }

  private mutating func append(_ tag: some RawRepresentable<UInt8>, _ members: OtherMembers) {
    guard !members.isEmpty else { return }
    append(tag) { writer in
      for member in members {
        writer.append(SystemFieldsFormat.MemberTag.name, member.name)
        writer.append(SystemFieldsFormat.MemberTag.json, member.value.text)
      }
    }
  }

  private mutating func append(_ tag: some RawRepresentable<UInt8>, _ text: String?) {
    guard let text else { return }
    append(tag) { $0.bytes += text.utf8 }
  }

  private mutating func append(
    _ tag: some RawRepresentable<UInt8>, _ content: (inout SystemFieldsWriter) -> Void
  ) {
    var nested = SystemFieldsWriter()
    content(&nested)
    bytes.append(tag.rawValue)
    var length = nested.bytes.count
    while length >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: length) | 0x80)
      length >>= 7
    }
    bytes.append(UInt8(length))
    bytes += nested.bytes
  }

  private mutating func append(_ value: UInt64, size: Int) {
    for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }
}

extension ZoneID {
  /// Whether both are the same names scalar for scalar, which `==` does not ask for.
  fileprivate func isSame(as other: ZoneID) -> Bool {
    zoneName.sameScalars(as: other.zoneName) && ownerName.sameScalars(as: other.ownerName)
  }
}
