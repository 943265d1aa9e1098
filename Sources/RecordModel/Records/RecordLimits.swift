/// The limits a save is held to.
///
/// Sources: Apple's documentation of `CKRecord` (record names, key names), of `CKRecordZone` and its
/// `ID` (zone and owner names), the archived *Data Size Limits* page of CloudKit Web Services (1 MB
/// record, 50 MB asset, 750 references), and for the rest the notes at each property. They are
/// settings, because Apple has changed some before.
public struct RecordLimits: Sendable, Hashable {
  /// The longest record name, in characters (ASCII): 255.
  public var recordNameLength = 255
  /// The longest zone name, and name of a zone's owner, in characters (ASCII): 255.
  public var zoneNameLength = 255
  /// The longest record type or field name, in characters: 255.
  public var keyLength = 255
  /// The longest identifier of a subscription, in characters (ASCII): 255, as for other names;
  /// Apple states none.
  public var subscriptionIDLength = 255
  /// The largest record without its assets, in bytes: 1 MB (1,000,000).
  public var recordSize = 1_000_000
  /// The largest asset, in bytes: 50 MB as Web Services state it; nil is no limit, as the
  /// framework has none.
  public var assetSize: Int64? = 50_000_000
  /// The most references in one record: 750.
  public var referenceCount = 750

  /// The limits CloudKit states.
  public static let cloudKit = RecordLimits()

  /// Makes the limits CloudKit states, for changing some.
  public init() {}
}
