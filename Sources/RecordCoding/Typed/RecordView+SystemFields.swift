import RecordModel

import struct Foundation.Date

extension RecordView {
  /// The record's type.
  public var recordType: String {
    switch source {
    case .bytes: envelope.recordType
    case .record(let record): record.recordType
    }
  }

  /// The record's identity.
  public var recordID: RecordID {
    switch source {
    case .bytes:
      RecordID(
        packedName: CanonicalDecoder.packedName(scanner.bytes(system.name)),
        zoneID: envelope.zoneID)
    case .record(let record): record.recordID
    }
  }

  /// The version of the record; nil if it was never saved.
  public var recordChangeTag: String? {
    switch source {
    case .bytes: system.hasChangeTag ? text(system.changeTag) : nil
    case .record(let record): record.recordChangeTag
    }
  }

  /// When the record was first saved.
  public var creationDate: Date? {
    switch source {
    case .bytes: date(system.created)
    case .record(let record): record.creationDate
    }
  }

  /// The user who created the record.
  public var creatorUserRecordID: RecordID? {
    switch source {
    case .bytes: user(system.created)
    case .record(let record): record.creatorUserRecordID
    }
  }

  /// When the record was last saved.
  public var modificationDate: Date? {
    switch source {
    case .bytes: date(system.modified)
    case .record(let record): record.modificationDate
    }
  }

  /// The user who last saved the record.
  public var lastModifiedUserRecordID: RecordID? {
    switch source {
    case .bytes: user(system.modified)
    case .record(let record): record.lastModifiedUserRecordID
    }
  }

  /// The record's parent in the sharing hierarchy.
  public var parent: Reference? {
    switch source {
    case .bytes: reference(system.parent)
    case .record(let record): record.parent
    }
  }

  /// The share whose root is this record.
  public var share: Reference? {
    switch source {
    case .bytes: reference(system.share)
    case .record(let record): record.share
    }
  }

  private func text(_ range: Range<Int>) -> String {
    CanonicalDecoder.string(scanner.bytes(range))
  }

  private func date(_ stamp: SystemPlaces.Stamp) -> Date? {
    if let milliseconds = stamp.milliseconds {
      return CanonicalDate.date(wholeMilliseconds: milliseconds)
    }
    guard !stamp.time.isEmpty else { return nil }
    var scanner = CanonicalScanner(scanner.bytes(stamp.time))
    return scanner.dateValue()
  }

  private func user(_ stamp: SystemPlaces.Stamp) -> RecordID? {
    guard stamp.hasUser else { return nil }
    let name = scanner.bytes(stamp.user)
    return users?.recordID(named: name) ?? UserNames.recordID(named: name)
  }

  private func reference(_ range: Range<Int>) -> Reference? {
    guard !range.isEmpty else { return nil }
    var scanner = CanonicalScanner(scanner.bytes(range))
    return scanner.referenceValue(in: envelope)
  }
}

/// Where the system fields are in canonical JSON.
struct SystemPlaces {
  struct Stamp {
    /// The time if it is a whole number of milliseconds.
    var milliseconds: Int64?
    /// The text of any other time; empty if there is none.
    var time = 0..<0
    /// The text between the quotes.
    var user = 0..<0
    var hasUser = false
  }

  var name = 0..<0
  var changeTag = 0..<0
  var hasChangeTag = false
  var created = Stamp()
  var modified = Stamp()
  /// The references; empty if there is none.
  var parent = 0..<0
  var share = 0..<0
}

extension CanonicalScanner {
  /// Passes the members from `,"recordChangeTag":…` to `,"share":…`.
  ///
  /// - Returns: False if they are not canonical.
  mutating func systemPlaces(_ places: inout SystemPlaces, in envelope: RecordEnvelope) -> Bool {
    if take(",\"recordChangeTag\":") {
      guard let tag = string() else { return false }
      (places.changeTag, places.hasChangeTag) = (tag, true)
    }
    if take(",\"created\":") { guard stamp(&places.created) else { return false } }
    if take(",\"modified\":") { guard stamp(&places.modified) else { return false } }
    if take(",\"parent\":") {
      let start = position
      guard reference(in: envelope) else { return false }
      places.parent = start..<position
    }
    if take(",\"share\":") {
      let start = position
      guard reference(in: envelope) else { return false }
      places.share = start..<position
    }
    return true
  }

  /// Passes a stamp.
  @inline(__always)
  private mutating func stamp(_ stamp: inout SystemPlaces.Stamp) -> Bool {
    guard take(0x7B) else { return false }
    var isFirst = true
    if take("\"timestamp\":") {
      if let milliseconds = plainInteger() {
        stamp.milliseconds = Int64(milliseconds)
      } else {
        let start = position
        guard milliseconds() else { return false }
        stamp.time = start..<position
      }
      isFirst = false
    }
    let place = position
    if isFirst || take(0x2C), take("\"userRecordName\":") {
      guard let user = string() else { return false }
      (stamp.user, stamp.hasUser, isFirst) = (user, true, false)
    } else {
      position = place
    }
    if take(0x7D) { return true }
    return text("\"deviceID\":", &isFirst)
      && otherMembers(known: MemberNames.stamp, isFirst: isFirst)
  }
}
