import RecordModel

import struct Foundation.Date

extension ViewState {
  var recordType: String {
    mutating get { isDecoded ? record?.recordType ?? "" : envelopeType }
  }

  @inline(__always)
  var recordID: RecordID {
    mutating get {
      if isDecoded, let record { return record.recordID }
      return RecordID(packedName: scanner.packedName(system.name), zoneID: zoneID)
    }
  }

  @inline(__always)
  var changeTag: String? {
    mutating get {
      if isDecoded { return record?.recordChangeTag }
      guard system.hasChangeTag else { return nil }
      var scanner = scanner
      scanner.position = system.changeTag.lowerBound &- 1
      return scanner.textValue()
    }
  }

  @inline(__always)
  var creationDate: Date? {
    mutating get { isDecoded ? record?.creationDate : date(system.created) }
  }

  @inline(__always)
  var modificationDate: Date? {
    mutating get { isDecoded ? record?.modificationDate : date(system.modified) }
  }

  @inline(__always)
  var creator: RecordID? {
    mutating get { isDecoded ? record?.creatorUserRecordID : user(system.created.user) }
  }

  @inline(__always)
  var modifier: RecordID? {
    mutating get { isDecoded ? record?.lastModifiedUserRecordID : user(system.modified.user) }
  }

  @inline(__always)
  var parent: Reference? {
    mutating get { isDecoded ? record?.parent : reference(system.parent) }
  }

  @inline(__always)
  var share: Reference? {
    mutating get { isDecoded ? record?.share : reference(system.share) }
  }

  @inline(__always)
  private mutating func date(_ stamp: SystemPlaces.Stamp) -> Date? {
    if let milliseconds = stamp.milliseconds {
      return CanonicalDate.date(wholeMilliseconds: milliseconds)
    }
    guard !stamp.time.isEmpty else { return nil }
    var scanner = CanonicalScanner(scanner.bytes(stamp.time))
    return scanner.dateValue()
  }

  @inline(__always)
  private mutating func user(_ user: PassedName?) -> RecordID? {
    guard let user else { return nil }
    return RecordID(packedName: scanner.packedName(user), zoneID: .default)
  }

  @inline(__always)
  private mutating func reference(_ place: SystemPlaces.Link?) -> Reference? {
    switch place {
    case nil: return nil
    case .inZone(let name, let action):
      return Reference(
        recordID: RecordID(packedName: scanner.packedName(name), zoneID: zoneID), action: action)
    case .other(let range):
      var decoder = CanonicalDecoder(scanner.bytes(range), zoneID: zoneID)
      return decoder.reference()
    }
  }
}
