import Foundation
import RecordText
import Testing

/// A difference between two sets of records, or two containers.
///
/// `String(describing:)` of it is a text for people: a line for each record, and for each changed
/// value. The value of an encrypted field is `<encrypted>` unless it was asked for.
struct DifferenceError: Error, CustomStringConvertible, LocalizedError {
  /// The difference in words, in lines.
  let description: String

  /// The same as ``description``.
  var errorDescription: String? { description }

  init?(_ lines: DifferenceLines, between first: String, and second: String) {
    guard !lines.isEmpty else { return nil }
    description = (["\(second) differs from \(first):"] + lines.all).joined(separator: "\n")
  }

  init(_ description: String) { self.description = description }
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

  /// Adds the lines about one difference.
  mutating func add(_ lines: @autoclosure () -> [String]) {
    count += 1
    guard shown < Self.limit, characters < Self.maxCharacters else { return }
    shown += 1
    let lines = lines()
    characters += lines.reduce(0) { $0 + $1.utf8.count }
    self.lines += lines
  }
}

/// Compares records and containers, and describes the differences in words.
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

  /// Compares all contents, or the part that passes a filter.
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

extension ResultRecord: CustomTestStringConvertible {
  /// The record on one line, as Swift Testing shows it: `Message 'm1' of 'Chats' [2k] text: "Hi"`.
  /// Values of encrypted fields are covered.
  public var testDescription: String { systemFields.title + fields.testText }
}

extension DraftRecord: CustomTestStringConvertible {
  /// The record on one line, with the names of its changed fields. Values of encrypted fields are
  /// covered.
  public var testDescription: String {
    let keys = changedKeys().map(\.visible).joined(separator: ", ")
    return "\(systemFields.title)\(fields.testText)\(keys.isEmpty ? "" : ", changing \(keys)")"
  }
}

extension SystemFields {
  /// The type, identity and change tag in words.
  fileprivate var title: String {
    recordID.title(ofType: recordType) + (recordChangeTag.map { " [\($0.visible)]" } ?? "")
  }
}

extension RecordID {
  /// The type and identity in words.
  func title(ofType recordType: String) -> String {
    let zone = zoneID == .default ? "" : " of '\(zoneID.zoneName.visible)'"
    let owner =
      zoneID.ownerName == ZoneID.currentUserOwnerName
      ? "" : " owned by '\(zoneID.ownerName.visible)'"
    return "\(recordType.visible) '\(recordName.visible)'\(zone)\(owner)"
  }
}

extension Sequence<Field> {
  /// The fields on one line, as many as a person reads.
  fileprivate var testText: String {
    let words = FieldText(showEncrypted: false)
    var texts: [String] = []
    for field in self {
      guard texts.count < 40 else { return " " + texts.joined(separator: ", ") + ", …" }
      texts.append("\(field.name.visible): \(words.line(field))")
    }
    return texts.isEmpty ? "" : " " + texts.joined(separator: ", ")
  }
}
