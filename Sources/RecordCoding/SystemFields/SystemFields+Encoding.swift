import Foundation
import RecordModel

extension SystemFields {
  /// The system fields as compact bytes, to be stored beside an app's own model.
  ///
  /// The bytes are versioned and checksummed, the same on every platform for the same fields, and
  /// hold everything, ``archive`` included. ``init(decoding:)`` reads them.
  public func encodeSystemFields() -> Data {
    SystemFieldsWriter.encode(self)
  }

  /// Reads what ``encodeSystemFields()`` has written, and what CloudKit's
  /// `encodeSystemFields(with:)` has written too.
  ///
  /// - Throws: ``SystemFieldsError``; ``KeyedArchiveError`` for a property list.
  public init(decoding data: Data) throws {
    if data.starts(with: SystemFieldsFormat.magic) {
      self = try SystemFieldsReader.decode(data)
    } else if ["bplist", "<?xml", "<plist"].contains(where: { data.starts(with: $0.utf8) }) {
      try self.init(keyedArchive: data)
    } else {
      let beginning = data.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      throw SystemFieldsError.foreign(
        found: data.isEmpty
          ? "no bytes" : "bytes that begin with \(beginning.joined(separator: " "))")
    }
  }
}

/// The layout of the compact encoding, shared by its writer and its reader.
///
/// `RPSF`, a version byte, the body's length (4 bytes, big-endian), the body, and the CRC-32 of all
/// of that (4 bytes, big-endian). The body is a sequence of fields in ascending order of their
/// tags, each at most once: a tag byte, the length in LEB128, that many bytes. Text is UTF-8, a
/// date the eight bytes of its double (seconds since 2001), big-endian; a nested value is such a
/// sequence itself. Absent fields are nil, or what is most common (see the tags).
enum SystemFieldsFormat {
  static let magic = Array("RPSF".utf8)
  static let version: UInt8 = 1
  /// Magic, version and length.
  static let headerSize = 9
  static let checksumSize = 4

  enum Tag: UInt8 {
    case recordName = 1
    /// Absent: the signed-in user's default zone.
    case zone, recordType, recordChangeTag, created, modified, parent, share, otherMembers, archive
  }

  enum ZoneTag: UInt8 {
    case zoneName = 1
    /// Absent: the signed-in user.
    case ownerName
  }

  enum StampTag: UInt8 {
    case date = 1
    case userRecordName, deviceID, otherMembers
  }

  enum ReferenceTag: UInt8 {
    case recordName = 1
    /// Absent: the zone of the record itself.
    case zone
    /// Absent: none.
    case action
    case otherMembers
  }

  /// Members repeat these two in turn, in the order of the members.
  enum MemberTag: UInt8 {
    case name = 1
    case json
  }
}
