import RecordModel

/// The system fields of canonical JSON, as far as they were read while they were passed.
struct SystemPlaces {
  struct Stamp {
    /// The time if it is a whole number of milliseconds.
    var milliseconds: Int64?
    /// The text of any other time; empty if there is none.
    var time = 0..<0
    var user: PassedName?
  }

  enum Link {
    case inZone(PassedName, Reference.Action)
    /// Where any other reference is.
    case other(Range<Int>)
  }

  var name = PassedName.text(0..<0)
  var changeTag = 0..<0
  var hasChangeTag = false
  var created = Stamp()
  var modified = Stamp()
  var parent: Link?
  var share: Link?
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
    var created = 0..<0
    if take(",\"created\":") {
      let start = position
      guard stamp(&places.created) else { return false }
      created = start..<position
    }
    if take(",\"modified\":") {
      // The two are the same until a record is changed. An object tells where it ends, so the same
      // bytes are the same stamp.
      if !created.isEmpty, matches(bytes(created), at: position) {
        places.modified = places.created
        position &+= created.count
      } else {
        guard stamp(&places.modified) else { return false }
      }
    }
    if take(",\"parent\":") {
      places.parent = link(in: envelope)
      if places.parent == nil { return false }
    }
    if take(",\"share\":") {
      places.share = link(in: envelope)
      if places.share == nil { return false }
    }
    return true
  }

  /// Passes a reference; nil if it is not canonical.
  @inline(__always)
  private mutating func link(in envelope: RecordEnvelope) -> SystemPlaces.Link? {
    let start = position
    if let (name, action) = referenceInZone() { return .inZone(name, action) }
    position = start
    return reference(in: envelope) ? .other(start..<position) : nil
  }

  /// Passes a stamp.
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
    if isFirst || take(0x2C), take("\"userRecordName\":\"") {
      stamp.user = userName()
      if stamp.user == nil { return false }
      isFirst = false
    } else {
      position = place
    }
    if take(0x7D) { return true }
    return text("\"deviceID\":", &isFirst)
      && otherMembers(known: MemberNames.stamp, isFirst: isFirst)
  }
}
