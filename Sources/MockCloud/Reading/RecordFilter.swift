import Foundation
import RecordModel

/// Which records of a database are read.
public struct RecordFilter: Sendable, Hashable {
  /// The zones to read; nil is all.
  public var zoneIDs: Set<ZoneID>?
  /// The record types to read; nil is all.
  public var recordTypes: Set<String>?
  /// Only records modified at this time or later; nil is all. A record whose modification date is
  /// unknown is read too: better one too many in an archive than one lost.
  public var modifiedSince: Date?

  /// All records.
  public static let all = RecordFilter()

  /// Makes a filter.
  public init(
    zoneIDs: Set<ZoneID>? = nil, recordTypes: Set<String>? = nil, modifiedSince: Date? = nil
  ) {
    self.zoneIDs = zoneIDs
    self.recordTypes = recordTypes
    self.modifiedSince = modifiedSince
  }
}

/// The keys of a record that is read as bytes.
package struct RecordKey {
  /// The record's zone; the records of a zone share one object.
  package let zoneID: ZoneID
  /// The record's type.
  package let recordType: String
  /// The record's name in UTF-8; valid as long as the payload is.
  package internal(set) var name: UnsafeRawBufferPointer

  /// The record's name.
  package var recordName: String { String(decoding: name, as: UTF8.self) }
  /// The record's identity.
  package var recordID: RecordID { RecordID(recordName: recordName, zoneID: zoneID) }
}
