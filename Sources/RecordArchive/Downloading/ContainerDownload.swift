import CloudInterface
import RecordBundle
import RecordModel
import RecordSchema
import RecordStore

/// A download of what an account sees of a live container into a container file.
///
/// ```swift
/// var download = ContainerDownload()
/// download.progress = { print($0.records, "records") }
/// let report = try await download.run(from: container, into: store)
/// ```
///
/// The file is the state of the download. Each page of records is one transaction, together with the
/// change token that stands for it: a download that was interrupted goes on where it was, and a later
/// one fetches only what has changed since. The download removes deleted records from the file.
public struct ContainerDownload: Sendable {
  /// The databases to download.
  ///
  /// The public database has no change feed, and records of all users: it is not among them by
  /// default, and needs record types.
  public var databases: Set<DatabaseScope> = [.private, .shared]
  /// The zones to download; nil for all. Others that the file has from an earlier download stay.
  public var zoneIDs: Set<ZoneID>?
  /// The record types to query in zones without a change feed, which are the default zones; empty for
  /// the types of the schema in ``info``.
  public var recordTypes: [String] = []
  /// Whether to download encrypted values. If not, they do not get into the file, and are counted.
  public var includesEncryptedValues = false
  /// Whether to download the content of assets. If not, records refer to assets by what the server
  /// tells about them.
  public var includesAssets = true
  /// Whether to download the subscriptions of the account.
  public var includesSubscriptions = true
  /// The maximum number of records in a page; nil for as many as the server sends at once.
  public var resultsLimit: Int?
  /// How often a request is repeated that failed with an error that passes, such as
  /// `networkFailure` or `zoneBusy`.
  public var maxRetries = 5
  /// Metadata that the server does not send: the schema, its version and the environment.
  public var info = ContainerInfo()
  /// Called after each page. If it throws, the download ends with that error; the page is kept.
  public var progress: (@Sendable (ArchiveProgress) throws -> Void)?
  /// Waits before a request is repeated: as long as `retryAfter` says, otherwise 1, 2, 4 … up to 30
  /// seconds.
  public var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

  /// Creates a download of the private and the shared database, without encrypted values.
  public init() {}

  /// Downloads, or fetches what has changed since the last time.
  ///
  /// - Parameters:
  ///   - container: The container, as the app of a signed-in user sees it.
  ///   - store: The file of an earlier download of the same account, finished or not, or an empty
  ///     container. No other code may change it.
  /// - Returns: A report of the download.
  /// - Throws: ``ArchiveError``; `CancellationError` if the task is cancelled; `ContainerStoreError`;
  ///   the error of ``progress``. Pages that were downloaded until then are in the file.
  public func run(
    from container: some CloudContainer, into store: some StoredContainer
  ) async throws -> DownloadReport {
    let types = queriedTypes()
    if databases.contains(.public), types.isEmpty { throw ArchiveError.noRecordTypes }
    return try await DownloadRun(self, types, container, store.store).run()
  }

  /// The types to query, each once, in the order of a bundle. User records cannot be queried.
  private func queriedTypes() -> [String] {
    var types = recordTypes
    if types.isEmpty, let schema = info.schema {
      types = SchemaDocument(parsing: schema).schema.recordTypes.map(\.name)
    }
    return NameSet(types).names.filter { !$0.sameScalars(as: UserRecord.recordType) }
  }

  func includes(_ zoneID: ZoneID) -> Bool { zoneIDs?.contains(zoneID) != false }
}

extension Archiver {
  /// Downloads a live container, or the databases and zones that pass ``filter``, and exports it to a
  /// bundle.
  ///
  /// ```swift
  /// let result = try await Archiver().export(downloading: container, to: "Notes.recordpack")
  /// for problem in result.download.problems { print(problem) }
  /// ```
  ///
  /// - Parameters:
  ///   - container: The container, as the app of a signed-in user sees it.
  ///   - download: The options of the download.
  ///   - store: The file of an earlier download, or an empty container, which keeps the download so
  ///     that a later one goes on with it; nil for a temporary one.
  ///   - path: The path of the bundle; `-` is standard output.
  ///   - overwrite: Whether to replace an existing file.
  /// - Returns: A report of the download, and a summary of the bundle.
  /// - Throws: The errors of ``ContainerDownload/run(from:into:)`` and of
  ///   ``run(from:through:into:)``. An existing file is then unchanged, and no new one appears.
  @discardableResult
  public func export(
    downloading container: some CloudContainer, by download: ContainerDownload = .init(),
    through store: ContainerStore? = nil, to path: String, overwrite: Bool = true
  ) async throws -> (download: DownloadReport, bundle: BundleSummary) {
    var download = download
    if let databases = filter.databases { download.databases.formIntersection(databases) }
    if let zoneIDs = filter.zoneIDs {
      download.zoneIDs = download.zoneIDs?.intersection(zoneIDs) ?? zoneIDs
    }
    download.progress = download.progress ?? progress
    let folder = try store == nil ? TemporaryFolder() : nil
    defer { withExtendedLifetime(folder) {} }
    let file = try store ?? Self.temporaryContainer(in: folder)
    let report = try await download.run(from: container, into: file)
    let bundle = try await perform { try $0.export(file, to: path, overwrite: overwrite) }
    return (report, bundle)
  }

  private static func temporaryContainer(in folder: TemporaryFolder?) throws -> ContainerStore {
    guard let folder else { return try .inMemory() }
    return try ContainerStore.open(path: folder.file("download.sqlite"), mode: .create)
  }
}
