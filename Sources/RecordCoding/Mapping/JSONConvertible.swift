import RecordModel

/// A type of the model that can be converted to and from JSON.
package protocol JSONConvertible {
  /// Reads the canonical form, and tolerates any order of members, `null` for an absent member, and
  /// known alternative spellings.
  init(json: JSONValue) throws(RecordCodingError)

  /// Returns the canonical form.
  ///
  /// - Throws: ``RecordCodingError`` for what JSON cannot represent: numbers that are not finite,
  ///   and assets that are not yet saved.
  func jsonValue() throws(RecordCodingError) -> JSONValue
}

/// The context in which a value is read.
package struct MappingContext {
  /// The zone of references that do not name one.
  package var zoneID: ZoneID
  /// The collector of the zones that are read; nil for none.
  package var zones: ZoneCollector?
  /// Whether errors may contain values; false for encrypted fields.
  package var mayShow = true

  package init(zoneID: ZoneID = .default, zones: ZoneCollector? = nil) {
    self.zoneID = zoneID
    self.zones = zones
  }

  /// Returns an error for a value.
  func mismatch(_ json: JSONValue, expected: String) -> RecordCodingError {
    RecordCodingError(
      offset: json.offset, found: mayShow ? json.shown : json.kind, expected: expected)
  }
}

/// Collects the zones of records and references; equal ones share an object.
package final class ZoneCollector {
  /// The zones of records, with the members of their `zoneID` that the model has no property for
  /// (such as `zoneType`).
  package private(set) var recordZones: [ZoneID: OtherMembers] = [:]
  /// The zones of references, with such members.
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
