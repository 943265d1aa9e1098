import Foundation

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
/// `RECORD_SNAPSHOTS=1 swift test` writes the bundle where it does not exist, is damaged, or differs,
/// and names it on standard error. Another file at the path is left as it is. Change tokens are not
/// compared. So that a snapshot stays the same, give the container a fixed time, and records fixed
/// names.
///
/// - Parameters:
///   - container: the container.
///   - path: the path of the bundle, in the folder of the test's source file.
///   - bundle: the bundle with the test's resources (`.module`), for tests that do not run where
///     they were built. Snapshots are written to the folder of the source file all the same.
///   - filter: the part that is compared, and written.
///   - ignored: system fields that may differ; with `.modified` also the dates of deletions.
///   - ignoredFields: the names of fields that may differ.
///   - showEncrypted: whether the text has the values of encrypted fields.
///   - fileID: the file in which the failure is shown, with its module.
///   - filePath: the path of that file: the test's source file.
///   - line: the line at which the failure is shown.
///   - column: the column.
public func expectSnapshot(
  _ container: some StoredContainer, matches path: String, in bundle: Bundle? = nil,
  filter: RecordFilter = .all, ignoring ignored: Set<RecordDifference.SystemField> = [],
  ignoringFields ignoredFields: Set<String> = [], showEncrypted: Bool = false,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let finder = DifferenceFinder(
    ignored: ignored, ignoredFields: ignoredFields, showEncrypted: showEncrypted)
  TestIssue(fileID, filePath, line, column).report {
    try Snapshot(FixtureFile(path: path, bundle: bundle, source: "\(filePath)"))
      .check(container.store, filter, finder)
  }
}

/// Throws if a container does not have the contents of a bundle that was committed with the test;
/// where a test should end. See
/// ``expectSnapshot(_:matches:in:filter:ignoring:ignoringFields:showEncrypted:fileID:filePath:line:column:)``.
///
/// - Throws: ``DifferenceError``; the errors of reading and writing bundles.
public func requireSnapshot(
  _ container: some StoredContainer, matches path: String, in bundle: Bundle? = nil,
  filter: RecordFilter = .all, ignoring ignored: Set<RecordDifference.SystemField> = [],
  ignoringFields ignoredFields: Set<String> = [], showEncrypted: Bool = false,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line
) throws {
  let finder = DifferenceFinder(
    ignored: ignored, ignoredFields: ignoredFields, showEncrypted: showEncrypted)
  try locating(fileID, line) {
    try Snapshot(FixtureFile(path: path, bundle: bundle, source: "\(filePath)"))
      .check(container.store, filter, finder)
  }
}
