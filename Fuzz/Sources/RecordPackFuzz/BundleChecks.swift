import Foundation
import RecordStore
import RecordArchive
import RecordBundle
import RecordModel

/// What must hold for any file that is opened as a bundle.
struct BundleChecks {
  let folder: WorkFolder
  nonisolated(unsafe) private static var imported: Set<Data> = []

  /// Threads would only make the runs slower and less repeatable.
  private var options: BundleWriter.Options {
    var options = BundleWriter.Options()
    options.threads = 1
    return options
  }

  /// Opens, lists, reads, verifies, imports and recovers a file.
  ///
  /// - Returns: whether `verify` calls it intact.
  func check(_ path: String) -> Bool {
    let records = checkIntact(path)
    checkRecovery(of: path, records)
    return records != nil
  }

  /// - Returns: the number of records of a bundle that `verify` calls intact.
  private func checkIntact(_ path: String) -> Int? {
    guard let bundle = try? BundleReader(path: path) else { return nil }
    let records = read(bundle)
    guard let report = try? bundle.verify(threads: 1), report.isIntact else { return nil }
    require(records == bundle.recordCount, "an intact bundle has other records than it says")
    checkImport(of: bundle)
    return bundle.recordCount
  }

  /// - Returns: the number of records; nil where they cannot all be read.
  private func read(_ bundle: BundleReader) -> Int? {
    _ = bundle.sections
    _ = bundle.recordCount
    _ = try? bundle.zones()
    var count = 0
    var names: [String] = []
    let end = Result {
      try bundle.forEachRecord(threads: 1) { record, _ in
        count += 1
        if names.isEmpty { names.append(record.recordID.recordName) }
        checkAccess(record)
      }
    }
    try? bundle.forEachRecordID(threads: 1) { _, _, _ in }
    for name in names { _ = try? bundle.records(named: name) }
    var assets: Set<String> = []
    try? bundle.forEachItem(of: Set(LineKind.allCases), threads: 1) { item in
      if case .asset(let chunk) = item { assets.insert(chunk.sha256) }
    }
    for asset in assets.prefix(1) { try? bundle.forEachChunk(ofAsset: asset) { _ in } }
    return (try? end.get()).map { count }
  }

  /// What is intact can be imported, and exported again as it was.
  private func checkImport(of bundle: BundleReader) {
    // Most changes leave the lines as they were.
    guard let bytes = FileManager.default.contents(atPath: bundle.fileNames[0]),
      Self.imported.insert(bytes).inserted
    else { return }
    var archiver = Archiver()
    archiver.threads = 1
    let path = folder.path("again.recordpack")
    defer { unlink(path) }
    requireNoError("importing an intact bundle") {
      let container = try ContainerStore.inMemory()
      _ = try archiver.importBundle(bundle, into: container)
      try archiver.export(container, to: path)
      let again = try BundleReader(path: path)
      let report = try again.verify(threads: 1)
      require(report.isIntact, "an imported bundle is exported damaged: \(report)")
      require(again.recordCount == bundle.recordCount, "an import loses records")
    }
  }

  /// Of an intact bundle everything is recovered; what is recovered of another can be read.
  private func checkRecovery(of path: String, _ records: Int?) {
    let output = folder.path("recovered.recordpack")
    defer { unlink(output) }
    guard let recovery = try? BundleRecovery.recover([path], to: output, options: options) else {
      return require(records == nil, "an intact bundle cannot be recovered")
    }
    requireNoError("reading what was recovered") {
      let bundle = try BundleReader(path: output)
      let report = try bundle.verify(threads: 1)
      if report.isIntact { checkImport(of: bundle) }
      guard let records else { return }
      require(
        recovery.isComplete && report.isIntact && bundle.recordCount == records,
        "an intact bundle is not recovered whole: \(recovery) \(report)")
    }
  }
}
