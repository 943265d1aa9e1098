import Foundation
import RecordArchive
import RecordModel
import RecordPages
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

    init(name: String, title: String, sortName: String? = nil, unsorted: String? = nil) {
      (self.name, self.title, self.sortName, self.unsorted) = (name, title, sortName, unsorted)
    }

    init(_ field: TypeField, sortName: String?) {
      self.init(
        name: field.name, title: field.name, sortName: field.unsorted == nil ? sortName : nil,
        unsorted: field.unsorted)
      (isNumber, isEncrypted) = (field.isNumber, field.isEncrypted)
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
        return Column(field, sortName: isOfObjects ? storedName : field.name)
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
    column(.modTime, "Modified"), column(.createTime, "Created"),
    column(.modifiedBy, "Modified by"), column(.createdBy, "Created by"),
    column(.etag, "Change tag"),
    Column(name: parent, title: "Parent", unsorted: "CloudKit cannot query the parent"),
  ]
  /// The name of the column with the parent, for which a schema has no name.
  private static let parent = "___parent"

  private static func column(_ field: SystemField, _ title: String) -> Column {
    Column(name: field.rawValue, title: title, sortName: field.predicateName)
  }

  /// The value of a column that is not a field of the app.
  enum SystemValue {
    case date(Date?)
    case text(String?)
    case parent(RecordID?)
  }

  /// Returns the value of a record for a column; nil for a column that is a field.
  static func systemValue(_ name: String, of record: ResultRecord) -> SystemValue? {
    switch SystemField(rawValue: name) {
    case .modTime: .date(record.modificationDate)
    case .createTime: .date(record.creationDate)
    case .modifiedBy: .text(record.systemFields.modified?.userRecordName)
    case .createdBy: .text(record.systemFields.created?.userRecordName)
    case .etag: .text(record.recordChangeTag)
    case .recordID, nil: name == parent ? .parent(record.parent?.recordID) : nil
    }
  }

}
