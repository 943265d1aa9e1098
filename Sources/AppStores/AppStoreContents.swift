import RecordModel
import RecordSchema
import RecordStore

/// The contents of a store of one of the libraries. Only one thread at a time may use it.
package protocol AppStoreContents {
  /// The model, as the checks of schemas read it.
  var mirroredModel: MirroredModel { get }
  /// The metadata of a container with the records of the store.
  var info: ContainerInfo { get }

  /// Counts the objects, and reads the state of the mirroring.
  func facts() throws -> StoreFacts

  /// Adds the records of all objects to a container.
  ///
  /// - Returns: The numbers of values and rows that the records do not have as the app stored them.
  func fill(_ container: ImportTransaction) throws -> [StoreLoss: Int]
}

/// The values of an attribute, or the rows of a table, that records do not have as the app stored them.
package struct StoreLoss: Sendable, Hashable {
  package enum Reason: String, Sendable, Hashable {
    /// Values that could not be decoded. The records have the bytes of the cells.
    case notDecoded
    /// Values that are missing: another field of their records has the same name.
    case nameTaken
    /// Rows that are missing: their table has no primary key of one column, so SQLiteData does not
    /// synchronize it.
    case notSynchronized
    /// Records without a change tag and dates: SQLiteData's system fields cannot be read.
    case noSystemFields
    /// Records whose fields all have the time of their row's last change, and that lack the fields of
    /// newer versions of the app: SQLiteData's copy of the server's record cannot be read.
    case noServerRecord
    /// Values that are missing: only SQLiteData's copy of the server's record has them, in an unknown
    /// form or as a file.
    case noServerValue
    /// Records that are missing: SQLiteData knows them, and the app's database has no row of them.
    case noRow
    /// Records that lead to a share that is missing or cannot be read.
    case noShare
    /// Records in the default zone, whose own zone is missing in Core Data's tables.
    case noZone
  }

  package let reason: Reason
  /// The entity and attribute, such as `Note.text`, or the table.
  package let place: String
  /// The first row, and what is wrong with it. Losses that differ only in this are equal.
  @EqualityIgnored package var example: String?

  package init(_ reason: Reason, _ place: String, example: String? = nil) {
    (self.reason, self.place, self.example) = (reason, place, example)
  }
}

extension [StoreLoss: Int] {
  /// Counts a value or row.
  mutating func add(
    _ reason: StoreLoss.Reason, _ place: String, _ count: Int = 1, example: String? = nil
  ) {
    self[StoreLoss(reason, place, example: example), default: 0] += count
  }
}
