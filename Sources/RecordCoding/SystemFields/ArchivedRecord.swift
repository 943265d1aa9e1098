import Foundation
import RecordModel

/// A record as CloudKit's classes archive it: `encodeSystemFields(with:)`, or a whole `CKRecord`
/// or `CKShare` through `NSKeyedArchiver`.
public struct ArchivedRecord: Sendable, Hashable {
  /// Everything but the values; the archive is kept in it, so that it can be written back. The
  /// special fields of a share are among its `SystemFields.otherMembers`.
  public let systemFields: SystemFields
  /// The values; empty for an archive that holds system fields only.
  public let fields: [Field]
  /// The names of fields whose values are of a class that RecordPack does not know, sorted.
  public let unreadFieldNames: [String]
  /// The special fields of a share; `nil` where the record is none.
  public let share: Share?

  /// Reads an archive.
  ///
  /// - Throws: ``KeyedArchiveError``.
  public init(keyedArchive data: Data) throws {
    let node = try KeyedArchive(decoding: data).record()
    var systemFields = try node.systemFields()
    systemFields.archive = data
    let plain = try node.child("ValueStore")?.fields(isEncrypted: false)
    let encrypted = try node.child("EncryptedValueStore")?.fields(isEncrypted: true)
    share = try node.share()
    if let share {
      var draft = DraftRecord(systemFields: systemFields)
      draft.shareInfo = share
      systemFields = draft.systemFields
    }
    self.systemFields = systemFields
    fields = ((plain?.fields ?? []) + (encrypted?.fields ?? []))
      .sorted { compareUTF8($0.name, $1.name) < 0 }
    unreadFieldNames = ((plain?.unread ?? []) + (encrypted?.unread ?? []))
      .sorted { compareUTF8($0, $1) < 0 }
  }
}
