/// The limits on records, names and assets that are saved.
///
/// Sources: Apple's documentation of `CKRecord` (record names, key names), of `CKRecordZone` and
/// its `ID` (zone and owner names), the archived *Data Size Limits* page of CloudKit Web Services
/// (1 MB record, 50 MB asset, 750 references), and for the rest the notes at each property. The
/// limits can be set because Apple has changed some before.
public struct RecordLimits: Sendable, Hashable {
  /// The maximum length of a record name, in ASCII characters: 255.
  public var recordNameLength = 255
  /// The maximum length of a zone name or owner name, in ASCII characters: 255.
  public var zoneNameLength = 255
  /// The maximum length of a record type or field name, in characters: 255.
  public var keyLength = 255
  /// The maximum length of a subscription identifier, in ASCII characters: 255, as for other names.
  /// Apple documents none.
  public var subscriptionIDLength = 255
  /// The maximum size of a record without its assets, in bytes: 1 MB (1,000,000).
  public var recordSize = 1_000_000
  /// The maximum size of an asset, in bytes: 50 MB, as Web Services document it. Nil for no limit,
  /// as in the framework.
  public var assetSize: Int64? = 50_000_000
  /// The maximum number of references in a record: 750.
  public var referenceCount = 750

  /// The limits CloudKit documents.
  public static let cloudKit = RecordLimits()

  /// Creates the limits CloudKit documents.
  public init() {}
}
