import Foundation
import RecordText

/// What differs between two sets of records, or two containers.
///
/// `String(describing:)` of it is a text for people: a line for each record, and for each changed
/// value. The value of an encrypted field is `<encrypted>` unless it was asked for.
public struct DifferenceError: Error, CustomStringConvertible, LocalizedError {
  /// The difference in words, in lines.
  public private(set) var description: String

  /// The same as ``description``.
  public var errorDescription: String? { description }

  init?(_ lines: DifferenceLines, between first: String, and second: String) {
    guard !lines.isEmpty else { return nil }
    description = (["\(second) differs from \(first):"] + lines.all).joined(separator: "\n")
  }

  init(_ description: String) { self.description = description }

  /// The error with the place that it comes from: a thrown error is shown at the beginning of its
  /// test.
  func located(_ fileID: StaticString, _ line: UInt) -> Self {
    DifferenceError("\(description)\n(\(fileID):\(line))")
  }
}

/// The lines about a difference, as many as a person reads.
struct DifferenceLines {
  /// The numbers of differences and of characters after which the others are counted only.
  private static let (limit, maxCharacters) = (40, 40_000)
  /// The number of changed fields of a record to show.
  static let maxFields = 40

  private var lines: [String] = []
  private var count = 0
  private var shown = 0
  private var characters = 0

  var isEmpty: Bool { count == 0 }

  var all: [String] {
    let rest = count - shown
    return lines + (rest > 0 ? ["… \(Numbers.grouped(rest)) more differences"] : [])
  }

  /// Adds what is known of one difference.
  mutating func add(_ lines: @autoclosure () -> [String]) {
    count += 1
    guard shown < Self.limit, characters < Self.maxCharacters else { return }
    shown += 1
    let lines = lines()
    characters += lines.reduce(0) { $0 + $1.utf8.count }
    self.lines += lines
  }
}

/// Compares what tests have, and tells in words what differs.
struct DifferenceFinder {
  var ignored: Set<RecordDifference.SystemField> = []
  var ignoredFields: Set<String> = []
  var showEncrypted = false

  private var text: ChangeText {
    ChangeText(style: TerminalStyle(isColored: false), showEncrypted: showEncrypted)
  }

  /// Compares records with the same IDs. Their order does not matter.
  func difference(from first: [ResultRecord], to second: [ResultRecord]) -> DifferenceLines {
    var lines = DifferenceLines()
    let before = Dictionary(grouping: first, by: \.recordID)
    let after = Dictionary(grouping: second, by: \.recordID)
    for recordID in Set(before.keys).union(after.keys).sorted() {
      compare(before[recordID] ?? [], after[recordID] ?? [], &lines)
    }
    return lines
  }

  /// Compares the records with one ID: as a rule one on each side.
  private func compare(
    _ before: [ResultRecord], _ after: [ResultRecord], _ lines: inout DifferenceLines
  ) {
    for (old, new) in zip(before, after) {
      var change = RecordDifference(from: old, to: new)
      change.ignore(ignored, fields: ignoredFields)
      guard !change.isEmpty else { continue }
      lines.add(["~ \(title(new))"] + text.values(of: change, most: DifferenceLines.maxFields))
    }
    let isRepeated = max(before.count, after.count) > 1
    let note = isRepeated ? " (\(before.count) in the first, \(after.count) in the second)" : ""
    for record in before.dropFirst(after.count) {
      lines.add(["- \(record.testDescription)\(note)"])
    }
    for record in after.dropFirst(before.count) {
      lines.add(["+ \(record.testDescription)\(note)"])
    }
  }

  private func title(_ record: ResultRecord) -> String {
    record.recordID.title(ofType: record.recordType)
  }

  /// Compares all contents, or those that pass a filter.
  func difference(
    from first: ArchiveSource, to second: ArchiveSource, _ filter: RecordFilter
  ) throws -> DifferenceLines {
    guard !ignored.contains(.recordType) else {
      throw DifferenceError(
        "containers keep records of each type apart, so their types cannot be ignored: compare "
          + "lists of records instead")
    }
    var comparison = ArchiveComparison(first, second)
    comparison.filter = filter
    comparison.ignoredSystemFields = ignored
    comparison.ignoredFields = ignoredFields
    var lines = DifferenceLines()
    _ = try comparison.run { lines.add(text.lines($0, mostFields: DifferenceLines.maxFields)) }
    return lines
  }
}
