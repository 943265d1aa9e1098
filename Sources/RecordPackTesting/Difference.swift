import RecordText

/// What differs between two sets of records, or two containers.
///
/// `String(describing:)` of it is a text for people: a line for each record, and for each changed
/// value. The value of an encrypted field is `<encrypted>` unless it was asked for.
public struct DifferenceError: Error, CustomStringConvertible {
  /// The difference in words, in lines.
  public let description: String

  init?(_ lines: DifferenceLines, between first: String, and second: String) {
    guard !lines.isEmpty else { return nil }
    description = (["\(second) differs from \(first):"] + lines.all).joined(separator: "\n")
  }

  init(_ description: String) { self.description = description }
}

/// The lines about a difference, as many as a person reads.
struct DifferenceLines {
  /// The number of differences that are shown.
  private static let limit = 40

  private var lines: [String] = []
  private var count = 0

  var isEmpty: Bool { count == 0 }

  var all: [String] {
    let rest = count - Self.limit
    return lines + (rest > 0 ? ["… \(Numbers.grouped(rest)) more differences"] : [])
  }

  /// Adds what is known of one difference.
  mutating func add(_ lines: @autoclosure () -> [String]) {
    count += 1
    if count <= Self.limit { self.lines += lines() }
  }
}

/// Compares what tests have, and tells in words what differs.
struct DifferenceFinder {
  var ignored: Set<RecordDifference.SystemField>
  var showEncrypted: Bool

  private var text: ChangeText {
    ChangeText(style: Style(isColored: false), showEncrypted: showEncrypted)
  }

  /// Compares records with the same IDs. Their order does not matter.
  func difference(from first: [ResultRecord], to second: [ResultRecord]) -> DifferenceLines {
    var lines = DifferenceLines()
    let (before, after) = (byID(first, &lines), byID(second, &lines))
    for recordID in Set(before.keys).union(after.keys).sorted() {
      switch (before[recordID], after[recordID]) {
      case (let record?, nil): lines.add(["- \(record.testDescription)"])
      case (nil, let record?): lines.add(["+ \(record.testDescription)"])
      case (let old?, let new?):
        let change = difference(from: old, to: new)
        if !change.isEmpty { lines.add(["~ \(new.title)"] + text.values(of: change)) }
      case (nil, nil): break
      }
    }
    return lines
  }

  private func byID(
    _ records: [ResultRecord], _ lines: inout DifferenceLines
  ) -> [RecordID: ResultRecord] {
    var found: [RecordID: ResultRecord] = [:]
    for record in records where found.updateValue(record, forKey: record.recordID) != nil {
      lines.add(["! \(record.title) is there more than once"])
    }
    return found
  }

  private func difference(from old: ResultRecord, to new: ResultRecord) -> RecordDifference {
    var change = RecordDifference(from: old, to: new)
    change.system.removeAll { ignored.contains($0.field) }
    return change
  }

  /// Compares all contents, or those that pass a filter.
  func difference(
    from first: ArchiveSource, to second: ArchiveSource, _ filter: RecordFilter
  ) throws -> DifferenceLines {
    var comparison = ArchiveComparison(first, second)
    comparison.filter = filter
    comparison.ignoredSystemFields = ignored
    var lines = DifferenceLines()
    _ = try comparison.run { lines.add(text.lines($0)) }
    return lines
  }
}
