import Foundation
import Synchronization

/// A bundle with the contents that a container should have.
struct Snapshot {
  let file: FixtureFile
  let isRecording: Bool

  /// The snapshots that this process has recorded.
  private let records: SnapshotRecords

  init(
    _ file: FixtureFile,
    isRecording: Bool = ProcessInfo.processInfo.environment[snapshotVariable] == "1",
    records: SnapshotRecords = .shared
  ) {
    self.file = file
    self.isRecording = isRecording
    self.records = records
  }

  func check(_ store: ContainerStore, _ filter: RecordFilter, _ finder: DifferenceFinder) throws {
    if isRecording { return try record(store, filter, finder) }
    let url = try existing()
    if let error = try difference(from: url, to: store, filter, finder) {
      throw DifferenceError(
        "\(error)\nIf this is right, run the test with \(snapshotVariable)=1, and commit "
          + "'\(file.path)'.")
    }
  }

  /// The file, in the resources if there are any.
  private func existing() throws -> URL {
    if let url = try? file.url(), FileManager.default.fileExists(atPath: url.path) { return url }
    guard file.bundle != nil, FileManager.default.fileExists(atPath: file.sourceURL.path) else {
      throw DifferenceError(
        "there is no snapshot '\(file.path)'; run the test with \(snapshotVariable)=1 to write it")
    }
    throw DifferenceError(
      "the snapshot '\(file.path)' is beside the test, but not in the resources of its target: "
        + "declare its folder there (resources: [.copy(…)]), and build again")
  }

  private func difference(
    from url: URL, to store: ContainerStore, _ filter: RecordFilter, _ finder: DifferenceFinder
  ) throws -> DifferenceError? {
    let lines = try finder.difference(from: .open([url.path]), to: .container(store), filter)
    return DifferenceError(lines, between: "the snapshot", and: "the container")
  }

  // MARK: Recording

  /// Writes the bundle where it is missing, damaged, or differs: beside the test, not in the copy of
  /// its resources.
  private func record(
    _ store: ContainerStore, _ filter: RecordFilter, _ finder: DifferenceFinder
  ) throws {
    let url = file.sourceURL
    var found: DifferenceError?
    if FileManager.default.fileExists(atPath: url.path) {
      guard !ArchiveSource.isContainer(url.path) else { throw left("it is a container") }
      do {
        found = try difference(from: url, to: store, filter, finder)
        if found == nil { return try note(url, nil) }
      } catch let error as BundleError
        where [
          .emptyFile, .truncated, .damaged, .malformed, .order, .mismatch, .notFound,
        ].contains(error.code)
      {
        // A damaged snapshot is not worth keeping.
      } catch let error as BundleError
        where [.notABundle, .notAFile, .tooNew, .shards].contains(error.code)
      {
        throw left(error.message)
      }
    }
    try note(url, found)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    var archiver = Archiver()
    archiver.filter = filter
    try archiver.export(store, to: url.path)
    FileHandle.standardError.write(
      Data("\(snapshotVariable)=1: recorded \(url.path)\n".utf8))
  }

  private func left(_ reason: String) -> DifferenceError {
    DifferenceError(
      "'\(file.path)' is no snapshot, and was left as it is: \(reason). Delete it, or choose "
        + "another name")
  }

  /// Notes that the snapshot has been recorded.
  ///
  /// - Parameter difference: what differs from the file; nil if nothing does.
  /// - Throws: ``DifferenceError`` if this process has recorded other contents before.
  private func note(_ url: URL, _ difference: DifferenceError?) throws {
    guard !records.insert(url.path), let difference else { return }
    throw DifferenceError(
      "'\(file.path)' was recorded before in this run, with other contents: give each snapshot a "
        + "name of its own\n\(difference)")
  }
}

/// The paths of the snapshots that a process has recorded.
final class SnapshotRecords: Sendable {
  static let shared = SnapshotRecords()

  private let paths = Mutex<Set<String>>([])

  /// Returns whether the path is new.
  func insert(_ path: String) -> Bool { paths.withLock { $0.insert(path).inserted } }
}
