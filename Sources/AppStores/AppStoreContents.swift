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
  /// - Returns: The numbers of values that could not be decoded and are kept as they are, by entity
  ///   and attribute.
  func fill(_ container: ImportTransaction) throws -> [String: Int]
}
