/// The limits a save is held to.
///
/// Sources: Apple's documentation of `CKRecord` (record names, key names), the archived *Data Size
/// Limits* page of CloudKit Web Services (1 MB record, 50 MB asset, 750 references), and for the
/// rest the notes at each property. They are settings, because Apple has changed some before.
public struct RecordLimits: Sendable, Hashable {
  /// The longest record name, in characters (ASCII): 255.
  public var recordNameLength = 255
  /// The longest zone name, in characters: 255.
  public var zoneNameLength = 255
  /// The longest record type or field name, in characters: 255.
  public var keyLength = 255
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

/// A value that no save would accept.
public struct RecordLimitError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Which limit was met.
  public enum Limit: String, Sendable, Hashable {
    case recordNameLength, recordNameCharacters, zoneNameLength, zoneNameCharacters
    case recordTypeLength, recordTypeCharacters, keyLength, keyCharacters
    case recordSize, assetSize, referenceCount
    case finiteNumber, encryptableType, knownType, locationRange
  }

  /// Which limit was met.
  public var limit: Limit
  /// The record it was met in.
  public var recordID: RecordID
  /// The field it was met in, where it is about one.
  public var key: String?
  /// What was found; never the value of an encrypted field.
  public var found: String
  /// What is allowed.
  public var allowed: String

  package init(
    limit: Limit, recordID: RecordID, key: String?, found: String, allowed: String
  ) {
    self.limit = limit
    self.recordID = recordID
    self.key = key
    self.found = found
    self.allowed = allowed
  }

  /// Record, field, what was found and what is allowed, in one sentence.
  public var description: String {
    let place = key.map { "field '\($0)' of record '\(recordID)'" } ?? "record '\(recordID)'"
    return "\(place): \(found); allowed: \(allowed) (\(limit.rawValue))"
  }
}
