import Foundation
import Testing

/// Expects two records to be equal, and tells which fields are not.
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
/// - Parameters:
///   - first: the record as it should be.
///   - second: the record as it is.
///   - ignored: system fields that may differ.
///   - showEncrypted: whether the text has the values of encrypted fields.
///   - sourceLocation: where the issue is shown.
public func expectNoDifference(
  _ first: ResultRecord, _ second: ResultRecord,
  ignoring ignored: Set<RecordDifference.SystemField> = [], showEncrypted: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  expectNoDifference(
    [first], [second], ignoring: ignored, showEncrypted: showEncrypted,
    sourceLocation: sourceLocation)
}

/// Expects two lists to have equal records with the same IDs, in any order, and tells what differs.
public func expectNoDifference(
  _ first: [ResultRecord], _ second: [ResultRecord],
  ignoring ignored: Set<RecordDifference.SystemField> = [], showEncrypted: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  record(sourceLocation) {
    try requireNoDifference(first, second, ignoring: ignored, showEncrypted: showEncrypted)
  }
}

/// Expects two containers to have the same contents, and tells what differs. Change tokens are not
/// compared.
///
/// - Parameters:
///   - first: the container as it should be.
///   - second: the container as it is.
///   - filter: the part that is compared.
///   - ignored: system fields that may differ.
///   - showEncrypted: whether the text has the values of encrypted fields.
///   - sourceLocation: where the issue is shown.
public func expectNoDifference(
  _ first: some StoredContainer, _ second: some StoredContainer, filter: RecordFilter = .all,
  ignoring ignored: Set<RecordDifference.SystemField> = [], showEncrypted: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  record(sourceLocation) {
    try requireNoDifference(
      first, second, filter: filter, ignoring: ignored, showEncrypted: showEncrypted)
  }
}

/// Throws if two lists do not have equal records with the same IDs; for XCTest, and where a test
/// should end.
///
/// - Throws: ``DifferenceError``.
public func requireNoDifference(
  _ first: [ResultRecord], _ second: [ResultRecord],
  ignoring ignored: Set<RecordDifference.SystemField> = [], showEncrypted: Bool = false
) throws {
  let finder = DifferenceFinder(ignored: ignored, showEncrypted: showEncrypted)
  let lines = finder.difference(from: first, to: second)
  if let error = DifferenceError(lines, between: "the first", and: "the second") { throw error }
}

/// Throws if two containers do not have the same contents; for XCTest, and where a test should end.
///
/// - Throws: ``DifferenceError``; `ContainerStoreError`.
public func requireNoDifference(
  _ first: some StoredContainer, _ second: some StoredContainer, filter: RecordFilter = .all,
  ignoring ignored: Set<RecordDifference.SystemField> = [], showEncrypted: Bool = false
) throws {
  let finder = DifferenceFinder(ignored: ignored, showEncrypted: showEncrypted)
  let lines = try finder.difference(
    from: .container(first.store), to: .container(second.store), filter)
  if let error = DifferenceError(lines, between: "the first", and: "the second") { throw error }
}

/// Records an issue if `body` throws.
func record(_ sourceLocation: SourceLocation, _ body: () throws -> Void) {
  do {
    try body()
  } catch let error as DifferenceError {
    Issue.record(Comment(rawValue: error.description), sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}
