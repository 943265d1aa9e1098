import CloudInterface
import RecordBundle
import RecordModel
import RecordStore

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
  ///   - download: What is downloaded, and how.
  ///   - store: The file of an earlier download, or an empty container, which keeps the download so
  ///     that a later one goes on with it; nil for a temporary one.
  ///   - path: The path of the bundle; `-` is standard output.
  ///   - overwrite: Whether to replace an existing file.
  /// - Returns: What was downloaded, and what could not be; and a summary of the bundle.
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
