import Foundation
import Testing
import XCTest

/// Expects two records to be equal, and shows the fields that differ.
///
/// ```swift
/// expectNoDifference(before, after, ignoring: [.recordChangeTag, .modified])
/// ```
///
/// ```text
/// the second differs from the first:
/// ~ Message 'm1' of 'Chats'
///     messageCount  12 → 13
/// ```
///
/// A test of XCTest fails, too.
///
/// - Parameters:
///   - first: the record as it should be.
///   - second: the record as it is.
///   - ignored: system fields that may differ.
///   - ignoredFields: the names of fields that may differ.
///   - showEncrypted: whether the text has the values of encrypted fields.
///   - fileID: the file in which the failure is shown, with its module.
///   - filePath: the path of that file.
///   - line: the line at which the failure is shown.
///   - column: the column.
public func expectNoDifference(
  _ first: ResultRecord, _ second: ResultRecord,
  ignoring ignored: Set<RecordDifference.SystemField> = [],
  ignoringFields ignoredFields: Set<String> = [], showEncrypted: Bool = false,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  expectNoDifference(
    [first], [second], ignoring: ignored, ignoringFields: ignoredFields,
    showEncrypted: showEncrypted, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Expects two lists to have equal records with the same IDs, in any order, and shows the differences.
public func expectNoDifference(
  _ first: [ResultRecord], _ second: [ResultRecord],
  ignoring ignored: Set<RecordDifference.SystemField> = [],
  ignoringFields ignoredFields: Set<String> = [], showEncrypted: Bool = false,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  TestIssue(fileID, filePath, line, column).report {
    try DifferenceFinder(
      ignored: ignored, ignoredFields: ignoredFields, showEncrypted: showEncrypted
    ).requireNone(first, second)
  }
}

/// Expects two containers to have the same contents, and shows the differences. Change tokens are
/// not compared.
///
/// - Parameters:
///   - first: the container as it should be.
///   - second: the container as it is.
///   - filter: the part that is compared.
///   - ignored: system fields that may differ; with `.modified` also the dates of deletions.
///   - ignoredFields: the names of fields that may differ.
///   - showEncrypted: whether the text has the values of encrypted fields.
///   - fileID: the file in which the failure is shown, with its module.
///   - filePath: the path of that file.
///   - line: the line at which the failure is shown.
///   - column: the column.
public func expectNoDifference(
  _ first: some StoredContainer, _ second: some StoredContainer, filter: RecordFilter = .all,
  ignoring ignored: Set<RecordDifference.SystemField> = [],
  ignoringFields ignoredFields: Set<String> = [], showEncrypted: Bool = false,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  TestIssue(fileID, filePath, line, column).report {
    try DifferenceFinder(
      ignored: ignored, ignoredFields: ignoredFields, showEncrypted: showEncrypted
    ).requireNone(first.store, second.store, filter)
  }
}

/// The environment variable that has snapshots written: `RECORD_SNAPSHOTS=1 swift test`.
let snapshotVariable = "RECORD_SNAPSHOTS"

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

extension DifferenceFinder {
  func requireNone(_ first: [ResultRecord], _ second: [ResultRecord]) throws {
    let lines = difference(from: first, to: second)
    if let error = DifferenceError(lines, between: "the first", and: "the second") { throw error }
  }

  func requireNone(
    _ first: ContainerStore, _ second: ContainerStore, _ filter: RecordFilter
  ) throws {
    let lines = try difference(from: .container(first), to: .container(second), filter)
    if let error = DifferenceError(lines, between: "the first", and: "the second") { throw error }
  }
}

/// Where a failed expectation is shown.
struct TestIssue {
  private let filePath: StaticString
  private let line: UInt
  private let sourceLocation: SourceLocation

  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.filePath = filePath
    self.line = line
    // The default argument of Swift Testing, a macro, would need an import of it in each test.
    sourceLocation = SourceLocation(
      fileID: "\(fileID)", filePath: "\(filePath)", line: max(1, Int(line)),
      column: max(1, Int(column)))
  }

  /// Reports an issue if `body` throws.
  func report(_ body: () throws -> Void) {
    do {
      try body()
    } catch {
      let difference = error as? DifferenceError
      // A test of XCTest has no current test here, and does not hear of an issue; nor has a detached
      // task of Swift Testing, which does not hear of a failure of XCTest.
      if Test.current == nil {
        XCTFail(difference?.description ?? "\(error)", file: filePath, line: line)
      }
      if let difference {
        Issue.record(Comment(rawValue: difference.description), sourceLocation: sourceLocation)
      } else {
        Issue.record(error, sourceLocation: sourceLocation)
      }
    }
  }
}
