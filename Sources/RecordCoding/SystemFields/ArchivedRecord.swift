import Foundation
import RecordModel

/// A record archived by CloudKit: the output of `encodeSystemFields(with:)`, or a `CKRecord` or
/// `CKShare` archived with `NSKeyedArchiver`.
public struct ArchivedRecord: Sendable, Hashable {
  /// Everything but the field values, including the archive, so that it can be written back.
  ///
  /// `SystemFields.otherMembers` contains the special members of a share.
  public let systemFields: SystemFields
  /// The fields; empty for an archive of system fields only.
  public let fields: [Field]
  /// The names of fields whose values are of an unknown class, sorted by their UTF-8 bytes.
  public let unsupportedFieldNames: [String]
  /// The special members of a share; nil if the record is not a share.
  public let share: Share?

  /// Decodes an archive.
  ///
  /// - Throws: ``KeyedArchiveError``.
  public init(keyedArchive data: Data) throws {
    try self.init(KeyedArchive(decoding: data).record(), archive: data)
  }

  /// Decodes a record that is an object of an archive.
  init(_ node: KeyedArchiveNode, archive: Data? = nil) throws {
    var systemFields = try node.systemFields()
    systemFields.archive = archive
    let plain = try node.child("ValueStore")?.fields(isEncrypted: false)
    let encrypted = try node.child("EncryptedValueStore")?.fields(isEncrypted: true)
    share = try node.share()
    if let share { systemFields.setShareInfo(share) }
    self.systemFields = systemFields
    fields = ((plain?.fields ?? []) + (encrypted?.fields ?? []))
      .sorted { compareUTF8($0.name, $1.name) < 0 }
    unsupportedFieldNames = ((plain?.unsupported ?? []) + (encrypted?.unsupported ?? []))
      .sorted { compareUTF8($0, $1) < 0 }
  }
}
