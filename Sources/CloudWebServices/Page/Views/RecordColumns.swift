import Foundation
import RecordModel
import RecordSchema
import RecordText

/// The columns of a table of records: fields of the schema and of the records that are shown, and
/// system fields.
struct RecordColumns {
  /// A column.
  struct Column {
    /// The name in the address.
    let name: String
    let title: String
    /// The name by which a query sorts; nil for a column that is not sorted by.
    var sortName: String?
    /// Why the column is not sorted by; nil if it is.
    var unsorted: String?
    var isNumber = false
    var isEncrypted = false

    /// The system field that is shown; nil for a field of the app.
    var property: RecordProperty?

    /// Returns the value of a record, whose fields are those of an object.
    func field(of record: ResultRecord, _ object: ResultRecord) -> Field? {
      guard let property else { return object.field(named: name) }
      return property.value(in: record, .private).map { Field(name: name, value: $0) }
    }
  }

  /// The number of columns that are shown before somebody chooses.
  private static let maxShown = 8
  /// The number of columns to choose from.
  private static let maxChoices = 500
  /// The name of a column in an address.
  static let name = "column"

  /// The columns to choose from.
  let choices: [Column]
  /// The columns that are shown.
  let shown: [Column]

  /// - Parameters:
  ///   - type: the type in the schema; nil for none.
  ///   - stored: the records that are shown, as they are in the container.
  ///   - records: the same records, Core Data's as objects.
  ///   - chosen: the names in the address.
  ///   - first: the first records of the type. Of more fields than are shown, those that most of
  ///     these records have come first, so that all pages of a table have the same columns.
  init(
    _ type: CloudSchema.RecordType?, stored: [ResultRecord], records: [ResultRecord],
    chosen: [String], first: [ResultRecord] = []
  ) {
    let isOfObjects = zip(stored, records).contains { $0 != $1 }
    let common = CommonFields.names(in: records)
    // The names of a schema are those of fields, and not of attributes.
    let fields = TypeField.all(of: isOfObjects ? nil : type, records, first: common)
      .prefix(Self.maxChoices).map { field in
        let names = [field.name, CoreDataNames.prefix + field.name]
        let storedName = names.first { name in stored.contains { $0.field(named: name) != nil } }
        return Column(
          name: field.name, title: field.name,
          sortName: field.unsorted == nil ? isOfObjects ? storedName : field.name : nil,
          unsorted: field.unsorted, isNumber: field.isNumber, isEncrypted: field.isEncrypted)
      }
    let system = Self.system
    choices = fields + system
    let wanted = NameSet(chosen)
    let found = choices.filter { wanted.contains($0.name) }
    if !found.isEmpty {
      shown = found
    } else {
      let usual =
        isOfObjects || type == nil
        ? Array(fields.filter { common.contains($0.name) }.prefix(Self.maxShown))
        : Self.mostUsed(fields, in: first)
      shown = usual + system.prefix(1)
    }
  }

  /// Whether a type has more fields than are shown, and so the choice depends on its first records.
  static func hasTooMany(_ type: CloudSchema.RecordType?) -> Bool {
    (type?.fields.count ?? 0) > maxShown
  }

  /// The columns that most records have a value for, in the order of the schema.
  private static func mostUsed(_ columns: [Column], in records: [ResultRecord]) -> [Column] {
    let uses = columns.enumerated().map { place, column in
      (place: place, count: records.count { $0.field(named: column.name) != nil })
    }
    let used = uses.sorted { ($1.count, $0.place) < ($0.count, $1.place) }.prefix(maxShown)
    return used.map(\.place).sorted().map { columns[$0] }
  }

  private static let system = [
    Column(.modTime, "Modified", .modificationDate), Column(.createTime, "Created", .creationDate),
    Column(.modifiedBy, "Modified by", .lastModifiedUserRecordID),
    Column(.createdBy, "Created by", .creatorUserRecordID),
    Column(.etag, "Change tag", .recordChangeTag),
    // A schema has no name for the parent.
    Column(
      name: "___parent", title: "Parent", unsorted: "CloudKit cannot query the parent",
      property: .parent),
  ]
}

extension RecordColumns.Column {
  fileprivate init(_ field: SystemField, _ title: String, _ property: RecordProperty) {
    self.init(
      name: field.rawValue, title: title, sortName: field.predicateName, property: property)
  }
}
