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
  }

  package let reason: Reason
  /// The entity and attribute, such as `Note.text`, or the table.
  package let place: String

  package init(_ reason: Reason, _ place: String) { (self.reason, self.place) = (reason, place) }
}

extension [StoreLoss: Int] {
  /// Counts a value or row.
  mutating func add(_ reason: StoreLoss.Reason, _ place: String, _ count: Int = 1) {
    self[StoreLoss(reason, place), default: 0] += count
  }
}
