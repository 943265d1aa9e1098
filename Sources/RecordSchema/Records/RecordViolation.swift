import Foundation
import RecordModel

/// A violation of a CloudKit limit that production rejects regardless of the schema: an invalid
/// name, size or value.
package struct RecordViolation: Sendable, Hashable {
  /// The violated rule.
  package let rule: SchemaRule.ID
  /// The affected field, if any.
  @ExactText package private(set) var field: String?

  init(_ rule: SchemaRule.ID, field: String? = nil) {
    self.rule = rule
    _field = ExactText(wrappedValue: field)
  }

  func problem(of recordType: String) -> RecordProblem {
    RecordProblem(
      rule: rule, recordType: recordType, field: field, message: message(recordType),
      serverMessage: nil)
  }

  private func message(_ type: String) -> String {
    let limits = RecordLimits.cloudKit
    switch rule {
    case SchemaRule.recordNameLength.id:
      return "a record of '\(type)' has an empty name, or one of more than "
        + "\(limits.recordNameLength) characters"
    case SchemaRule.recordNameCharacters.id:
      return "a record of '\(type)' has a name with characters that are not ASCII, or with an "
        + "underscore at its start"
    case SchemaRule.recordZoneName.id:
      return "a record of '\(type)' is in a zone whose name is empty, has more than "
        + "\(limits.zoneNameLength) characters, or characters that are not ASCII"
    case SchemaRule.recordTooLarge.id:
      return "a record of '\(type)' has more than \(limits.recordSize) bytes of values"
    default:
      return "'\(field ?? "")' of '\(type)' has a location whose latitude is not within -90...90 "
        + "or whose longitude is not within -180...180 degrees"
    }
  }

  /// Returns the violations in the names of a record and its zone.
  package static func inNames(of recordID: RecordID, recordType: String) -> [RecordViolation] {
    var name = recordID.recordName
    let own = name.withUTF8 {
      inName(UnsafeRawBufferPointer($0), recordType: recordType)
    }
    return own + inZone(recordID.zoneID)
  }

  /// Returns the violations in a record's name.
  package static func inName(_ name: UnsafeRawBufferPointer, recordType: String)
    -> [RecordViolation]
  {
    var violations: [RecordViolation] = []
    if !(1...RecordLimits.cloudKit.recordNameLength ~= name.count) {
      violations.append(RecordViolation(SchemaRule.recordNameLength.id))
    }
    // CloudKit assigns user records names that begin with an underscore.
    let isReserved =
      name.first == UInt8(ascii: "_") && recordType.utf8.first != UInt8(ascii: "_")
      && recordType != SchemaNames.usersType
    if isReserved || !name.allSatisfy(isPrintableASCII) {
      violations.append(RecordViolation(SchemaRule.recordNameCharacters.id))
    }
    return violations
  }

  /// Returns the violations in the name of a record's zone.
  package static func inZone(_ zoneID: ZoneID) -> [RecordViolation] {
    let name = zoneID.zoneName
    if zoneID == .default { return [] }
    let isFine =
      1...RecordLimits.cloudKit.zoneNameLength ~= name.utf8.count
      && name.utf8.allSatisfy(isPrintableASCII)
    return isFine ? [] : [RecordViolation(SchemaRule.recordZoneName.id)]
  }

  private static func isPrintableASCII(_ byte: UInt8) -> Bool { 0x20...0x7E ~= byte }

  /// A record whose text is at most this many bytes cannot exceed the size limit: in its shortest
  /// form, a list of numbers, a value takes a quarter of the bytes that it counts.
  package static let smallRecord = RecordLimits.cloudKit.recordSize / 4

  /// Returns whether values of a type have limits of their own.
  package static func hasLimits(_ type: ValueType?) -> Bool {
    type == .location || type == .locationList
  }

  /// Returns the violations in the values of a record.
  ///
  /// - Parameter isSmall: Whether the record is known to be small, so that only fields with limits
  ///   of their own are read.
  package static func inValues(of record: ResultRecord, isSmall: Bool) -> [RecordViolation] {
    let storage = record.storage
    let indices = (0..<storage.fieldCount).lazy.filter {
      !isSmall || hasLimits(storage.valueType(at: $0))
    }
    return inValues(indices.map { storage.field(at: $0) })
  }

  static func inValues(_ fields: some Sequence<Field>) -> [RecordViolation] {
    var violations: [RecordViolation] = []
    var size = 0
    for field in fields {
      size += field.name.utf8.count + field.value.approximateSize
      if !isOnGlobe(field.value) {
        violations.append(RecordViolation(SchemaRule.recordLocationRange.id, field: field.name))
      }
    }
    if size > RecordLimits.cloudKit.recordSize {
      violations.append(RecordViolation(SchemaRule.recordTooLarge.id))
    }
    return violations
  }

  /// Whether all locations in a value have valid coordinates. NaN is invalid.
  private static func isOnGlobe(_ value: RecordValue) -> Bool {
    func isOnGlobe(_ place: Location) -> Bool {
      -90...90 ~= place.latitude && -180...180 ~= place.longitude
    }
    switch value {
    case .location(let place): return isOnGlobe(place)
    case .locationList(let places): return places.allSatisfy(isOnGlobe)
    default: return true
    }
  }
}
