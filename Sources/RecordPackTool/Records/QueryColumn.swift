import Foundation
import RecordCoding
import RecordModel

/// A column of a query: a system value, or a field.
struct QueryColumn: Sendable {
  enum Content: Sendable {
    case system(RecordProperty)
    case field(String)
  }

  /// The name in the option, which is the title.
  let title: String
  let content: Content

  /// The columns that every table has.
  static let identity = [
    QueryColumn(title: "recordName", content: .system(.recordName)),
    QueryColumn(title: "recordType", content: .system(.recordType)),
  ]

  /// The columns that tell records with one name apart, if they may be in several zones.
  static func places(of zones: Set<ZoneLocation>) -> [QueryColumn] {
    func column(_ property: RecordProperty, _ isNeeded: Bool) -> [QueryColumn] {
      isNeeded ? [QueryColumn(title: property.rawValue, content: .system(property))] : []
    }
    return column(.zoneName, Set(zones.map { ExactString($0.zoneID.zoneName) }).count > 1)
      + column(.ownerName, Set(zones.map { ExactString($0.zoneID.ownerName) }).count > 1)
      + column(.database, Set(zones.map(\.database)).count > 1)
  }

  private init(title: String, content: Content) {
    self.title = title
    self.content = content
  }

  init(field: String) {
    self.init(
      title: RecordProperty(rawValue: field) == nil ? field : "field('\(field)')",
      content: .field(field))
  }

  /// Creates the column that an option names: a system value, a field, or `field('name')` for a
  /// field that is named like a system value.
  init(argument: String) {
    if let system = RecordProperty(rawValue: argument) {
      self.init(title: argument, content: .system(system))
    } else if let quoted = argument.wholeMatch(of: /field\(['"](.+)['"]\)/) {
      self.init(title: argument, content: .field(String(quoted.1)))
    } else {
      self.init(title: argument, content: .field(argument))
    }
  }

  var fieldName: String? { if case .field(let name) = content { name } else { nil } }
  var system: RecordProperty? { if case .system(let name) = content { name } else { nil } }

  /// Whether another column has the same value, even if its title is written in another way.
  func isSame(as other: QueryColumn) -> Bool {
    switch (content, other.content) {
    case (.system(let name), .system(let otherName)): name == otherName
    case (.field(let name), .field(let otherName)): name.sameScalars(as: otherName)
    default: false
    }
  }

  /// Whether the column is a part of a record's identity. The optimiser of Swift 6.3.1 crashes if this
  /// is a closure on ``system``.
  var isIdentity: Bool {
    switch content {
    case .system(let name): name.member == nil
    case .field: false
    }
  }

  /// The value in a record, and whether it is encrypted; nil if the record has none.
  func value(
    in record: ResultRecord, _ database: DatabaseScope
  ) -> (value: RecordValue, isEncrypted: Bool)? {
    switch content {
    case .field(let name): record.field(named: name).map { ($0.value, $0.isEncrypted) }
    case .system(let name): name.value(in: record, database).map { ($0, false) }
    }
  }
}

extension RecordProperty {
  /// The member of a record's JSON with the value; nil for those that every line has.
  var member: String? {
    switch self {
    case .recordName, .recordType, .zoneName, .ownerName, .database: nil
    case .parent, .share, .recordChangeTag: rawValue
    case .creationDate, .creatorUserRecordID: "created"
    case .modificationDate, .lastModifiedUserRecordID: "modified"
    }
  }
}
