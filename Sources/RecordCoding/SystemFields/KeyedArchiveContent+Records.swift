import Foundation
import RecordModel

/// CloudKit's classes, with the keys that CloudKit writes.
extension KeyedArchiveContent {
  /// Returns a `CKRecordID`.
  static func recordID(_ id: RecordID) -> KeyedArchiveContent {
    .object(
      class: ["CKRecordID", "NSObject"],
      members: [("RecordName", .string(id.recordName)), ("ZoneID", .zoneID(id.zoneID))])
  }

  /// Returns a `CKRecordZoneID`. Its database scope is 0 (unknown), because `ZoneID` does not
  /// contain it.
  static func zoneID(_ id: ZoneID) -> KeyedArchiveContent {
    .object(
      class: ["CKRecordZoneID", "NSObject"],
      members: [
        ("ZoneName", .string(id.zoneName)), ("ownerName", .string(id.ownerName)),
        ("databaseScopeKey", .integer(0)), ("anonymousCKUserID", .null),
      ])
  }

  /// Returns a `CKReference`.
  ///
  /// `validate` exists only in Web Services, and is encoded as no action.
  static func reference(_ reference: Reference) -> KeyedArchiveContent {
    .object(
      class: ["CKReference", "NSObject"],
      members: [
        ("recordID", .recordID(reference.recordID)),
        ("referenceAction", .integer(reference.action == .deleteSelf ? 1 : 0)),
      ])
  }

  /// Returns the `CKRecordID` of a user.
  static func user(_ recordName: String) -> KeyedArchiveContent {
    .recordID(UserRecord.recordID(named: recordName))
  }

  /// Returns a `CLLocation` with the properties that CloudKit stores; those that are not known are
  /// omitted.
  static func location(_ location: Location) -> KeyedArchiveContent {
    let members: [(String, Double?)] = [
      ("CoordinateLatitude", location.latitude), ("CoordinateLongitude", location.longitude),
      ("Altitude", location.altitude), ("HorizontalAccuracy", location.horizontalAccuracy),
      ("VerticalAccuracy", location.verticalAccuracy), ("Course", location.course),
      ("Speed", location.speed), ("Timestamp", location.timestamp?.timeIntervalSinceReferenceDate),
    ]
    return .object(
      class: ["CLLocation", "NSObject"],
      members: members.compactMap { name, value in
        value.map { ("kCLLocationCodingKey\(name)", .real($0)) }
      })
  }
}
