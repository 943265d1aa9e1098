import RecordModel

import struct Foundation.Date

extension EditableRecord {
  /// The version of the record on the server.
  package var recordChangeTag: String? {
    guard let source else { return system?.recordChangeTag }
    guard source.layout.hasChangeTag else { return nil }
    return CanonicalDecoder.string(source.read(source.layout.changeTag, by: self))
  }

  /// The time of the last save.
  package var modificationDate: Date? {
    guard let source else { return system?.modificationDate }
    let place = source.layout.modified
    return place.isEmpty ? nil : CanonicalDate.date(from: source.read(place, by: self))
  }

  /// Everything but the field values, decoded.
  package var systemFields: SystemFields {
    var fields = sourceSystemFields
    if case .unchanged = edits.parent {} else { fields.parent = parent }
    if case .unchanged = edits.share {} else { fields.share = share }
    fields.recordID = recordID
    fields.recordType = recordType
    return fields
  }

  var sourceSystemFields: SystemFields {
    guard let source else {
      return system ?? SystemFields(recordID: recordID, recordType: recordType)
    }
    let layout = source.layout
    var others = self.decoder(of: layout.otherMembers, in: source)
    var decoder = self.decoder(of: layout.systemFields, in: source)
    return decoder.systemFields(
      recordID: RecordID(packedName: name(in: source), zoneID: source.envelope.zoneID),
      recordType: source.envelope.recordType,
      otherMembers: layout.otherMembers.isEmpty ? [] : others.members())
  }

  /// The record in its current state, decoded.
  package var resultRecord: ResultRecord {
    var system = systemFields
    system.archive = nil
    return ResultRecord(
      storage: ValueStorage(
        systemFields: system, fields: edits.slots.indices.map(field(at:))))
  }
}
