import RecordModel

/// A type of the model that has a canonical form in JSON.
package protocol JSONConvertible {
  /// Reads the canonical form, and what comes close: any order of members, `null` for a missing
  /// one, other known spellings.
  init(json: JSONValue) throws(RecordCodingError)

  /// The canonical form.
  ///
  /// - Throws: ``RecordCodingError`` for what JSON cannot say: doubles that are not finite.
  func jsonValue() throws(RecordCodingError) -> JSONValue
}

/// Where a value stands: what a mapping must know beside the JSON itself.
package struct MappingContext {
  /// The zone that a reference means when it names none.
  package var zoneID: ZoneID
  /// What gathers the zones that are named; nil where nobody wants to know.
  package var zones: ZoneCollector?
  /// Whether errors may show what they found: not in the values of encrypted fields.
  package var mayShow = true

  package init(zoneID: ZoneID = .default, zones: ZoneCollector? = nil) {
    self.zoneID = zoneID
    self.zones = zones
  }

  /// An error at a value.
  func mismatch(_ json: JSONValue, expected: String) -> RecordCodingError {
    RecordCodingError(
      offset: json.offset, found: mayShow ? json.shown : json.kind, expected: expected)
  }
}

/// Gathers the zones that records and references name, and lets equal ones share an object.
package final class ZoneCollector {
  /// The zones that records lie in, with the members of their `zoneID` that the model does not
  /// know (`zoneType`).
  package private(set) var recordZones: [ZoneID: OtherMembers] = [:]
  /// The same of the zones that references point to.
  package private(set) var referencedZones: [ZoneID: OtherMembers] = [:]
  private var known: Set<ZoneID> = []

  package init() {}

  func shared(_ zoneID: ZoneID) -> ZoneID { known.insert(zoneID).memberAfterInsert }

  func noteRecord(in zoneID: ZoneID, _ others: OtherMembers) {
    Self.note(zoneID, others, in: &recordZones)
  }

  func noteReference(to zoneID: ZoneID, _ others: OtherMembers) {
    Self.note(zoneID, others, in: &referencedZones)
  }

  private static func note(
    _ zoneID: ZoneID, _ others: OtherMembers, in zones: inout [ZoneID: OtherMembers]
  ) {
    guard !others.isEmpty else {
      if zones[zoneID] == nil { zones[zoneID] = [] }
      return
    }
    for member in others { zones[zoneID, default: []].set(member.name, to: member.value) }
  }
}
