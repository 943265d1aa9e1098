import RecordModel

/// The result of a download: counts, and the items that it could not fetch.
public struct DownloadReport: Sendable, Hashable {
  /// A database, or a zone of it.
  public struct Place: Sendable, Hashable {
    /// The database.
    public var databaseScope: DatabaseScope
    /// The zone; nil for the whole database.
    public var zoneID: ZoneID?
  }

  /// The counts of a download.
  public struct Counts: Sendable, Hashable, Codable {
    /// The number of records that the server sent.
    public var records = 0
    var bytes = 0
    /// The number of records that were removed because the server no longer has them, without records
    /// of deleted zones.
    public var deletedRecords = 0
    /// The number of zones that were removed because the server no longer has them.
    public var deletedZones = 0
    /// The number of contents of assets that were read.
    public var assets = 0
    /// The number of encrypted values that were left out, because they were not asked for.
    public var omittedEncryptedValues = 0
    /// The number of assets whose content was left out, because it was not asked for.
    public var omittedAssets = 0
  }

  /// The counts of this download and the attempts that were interrupted before.
  public var counts = Counts()
  /// The number of subscriptions of the account.
  public var subscriptions = 0
  /// The number of requests that were repeated, in this attempt.
  public var retries = 0
  /// The zones without a change feed that were not read, because no record types were given.
  public var unqueriedZones: [Place] = []
  /// The zones, and then the databases, that are complete.
  public var complete: [Place] = []
  /// The zones and databases that an interrupted download did not reach, or not to their end.
  public var unfinished: [Place] = []
  /// The items that could not be downloaded. The next download tries them again.
  public var problems: [DownloadProblem] = []

  /// Creates a report of nothing.
  public init() {}

  /// Whether all that was asked for is in the file.
  public var isComplete: Bool { problems.isEmpty && unfinished.isEmpty }
}

extension DownloadReport.Place: CustomStringConvertible {
  /// The zone and the database.
  public var description: String {
    zoneID.map { "the zone '\($0)' of the \(databaseScope.rawValue) database" }
      ?? "the \(databaseScope.rawValue) database"
  }
}

/// Something that the server did not send.
public struct DownloadProblem: Sendable, Hashable {
  /// The kind of an item.
  public enum Subject: Sendable, Hashable {
    /// A record. If an earlier download has it, that version is kept.
    case record(RecordID)
    /// The content of an asset. The record is there.
    case asset(RecordID, field: String)
    /// The records of a type, which the server does not let query.
    case recordType(String, ZoneID)
    /// The subscriptions to the database.
    case subscriptions
    /// A subscription that cannot be read; the others are there.
    case subscription(String)
  }

  /// The database.
  public var databaseScope: DatabaseScope
  /// The item that the server did not send.
  public var subject: Subject
  /// The error of the server.
  public var error: CloudError
}

extension DownloadProblem: CustomStringConvertible {
  /// The item and the error.
  public var description: String {
    let name =
      switch subject {
      case .record(let recordID): "the record '\(recordID)'"
      case .asset(let recordID, let field):
        "the asset in the field '\(field)' of the record '\(recordID)'"
      case .recordType(let type, let zoneID):
        "the records of type '\(type)' in the zone '\(zoneID)'"
      case .subscriptions: "the subscriptions"
      case .subscription(let id): "the subscription '\(id)'"
      }
    return "\(name) of the \(databaseScope.rawValue) database: \(error)"
  }
}
