import Foundation
import Testing

/// The environment variable that has snapshots written: `RECORD_SNAPSHOTS=1 swift test`.
public let snapshotVariable = "RECORD_SNAPSHOTS"

/// Expects a container to have the contents of a bundle that was committed with the test, and tells
/// what differs.
///
/// ```swift
/// try await app.sync()
/// expectSnapshot(container, matches: "Snapshots/AfterSync.recordpack")
/// ```
///
/// `RECORD_SNAPSHOTS=1 swift test` writes the bundle where it does not exist or differs. Change
/// tokens are not compared. So that a snapshot stays the same, give the container a fixed time, and
/// records fixed names.
///
/// - Parameters:
///   - container: the container.
///   - path: the path of the bundle, in the folder of the test's source file.
///   - bundle: the bundle with the test's resources (`.module`), for tests that do not run where
///     they were built. Snapshots are written to the folder of the source file all the same.
///   - filter: the part that is compared, and written.
///   - ignored: system fields that may differ.
///   - showEncrypted: whether the text has the values of encrypted fields.
///   - filePath: the test's source file.
///   - sourceLocation: where the issue is shown.
public func expectSnapshot(
  _ container: some StoredContainer, matches path: String, in bundle: Bundle? = nil,
  filter: RecordFilter = .all, ignoring ignored: Set<RecordDifference.SystemField> = [],
  showEncrypted: Bool = false, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  record(sourceLocation) {
    try requireSnapshot(
      container, matches: path, in: bundle, filter: filter, ignoring: ignored,
      showEncrypted: showEncrypted, filePath: filePath)
  }
}

/// Throws if a container does not have the contents of a bundle that was committed with the test;
/// for XCTest, and where a test should end. See
/// ``expectSnapshot(_:matches:in:filter:ignoring:showEncrypted:filePath:sourceLocation:)``.
///
/// - Throws: ``DifferenceError``; the errors of reading and writing bundles.
public func requireSnapshot(
  _ container: some StoredContainer, matches path: String, in bundle: Bundle? = nil,
  filter: RecordFilter = .all, ignoring ignored: Set<RecordDifference.SystemField> = [],
  showEncrypted: Bool = false, filePath: String = #filePath
) throws {
  let file = FixtureFile(path: path, bundle: bundle, source: filePath)
  let isRecording = ProcessInfo.processInfo.environment[snapshotVariable] == "1"
  let snapshot = Snapshot(file: file, isRecording: isRecording)
  let finder = DifferenceFinder(ignored: ignored, showEncrypted: showEncrypted)
  try snapshot.check(container.store, filter, finder)
}

/// A bundle with the contents that a container should have.
struct Snapshot {
  let file: FixtureFile
  let isRecording: Bool

  func check(_ store: ContainerStore, _ filter: RecordFilter, _ finder: DifferenceFinder) throws {
    // What is recorded lies beside the test, not in the copy of its resources.
    let url = isRecording ? file.sourceURL : try? file.url()
    guard let url, FileManager.default.fileExists(atPath: url.path) else {
      if isRecording { return try write(store, filter) }
      throw DifferenceError(
        "there is no snapshot '\(file.path)'; run the test with \(snapshotVariable)=1 to write it")
    }
    let lines = try finder.difference(
      from: .open([url.path]), to: .container(store), filter)
    guard let error = DifferenceError(lines, between: "the snapshot", and: "the container") else {
      return
    }
    guard !isRecording else { return try write(store, filter) }
    throw DifferenceError(
      "\(error)\nIf this is right, run the test with \(snapshotVariable)=1, and commit "
        + "'\(file.path)'.")
  }

  private func write(_ store: ContainerStore, _ filter: RecordFilter) throws {
    let url = file.sourceURL
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    var archiver = Archiver()
    archiver.filter = filter
    try archiver.export(store, to: url)
  }
}
