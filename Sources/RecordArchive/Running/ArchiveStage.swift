import Foundation
import RecordCoding
import RecordMigration
import RecordModel

/// A step of a run between its sources and its destination.
public enum ArchiveStage: Sendable {
  /// Migrates the records of each source by the migrator that the function returns for it; nil if
  /// the source already has the schema version of the run.
  case migrate(@Sendable (ArchiveSource) throws -> Migrator?)
  /// Validates the records against a schema. If they fail, the run throws ``ArchiveError``
  /// and writes nothing. After a migration, its results are validated.
  case validate(Archiver.Validation)
  /// Replaces everything in the sources, such as an anonymisation. Before it, a run can validate;
  /// temporary files contain replaced items only.
  case transform(ArchiveTransform)

  /// Migrates the records of all sources.
  public static func migrate(with migrator: Migrator) -> Self { .migrate { _ in migrator } }
}

/// A stage that replaces everything in a source, item by item, such as an anonymisation.
///
/// Records may get other names, and zones other IDs; types, fields and databases stay.
public struct ArchiveTransform: Sendable {
  package let content: any SourceTransform

  package init(_ content: any SourceTransform) { self.content = content }
}

/// Replaces the items of a source.
package protocol SourceTransform: Sendable {
  /// Returns a worker that replaces items on one thread at a time.
  ///
  /// - Parameter info: The metadata of the source.
  func makeWorker(for info: ContainerInfo) -> any TransformWorker

  /// Returns the replacement of an asset's bytes.
  ///
  /// - Parameter beginning: Its first bytes, at least 512 if it has as many.
  func replacement(
    forAsset sha256: String, size: Int, beginning: UnsafeRawBufferPointer
  ) -> AssetReplacement

  /// Called after all records were replaced, before anything is written.
  ///
  /// - Parameters:
  ///   - assets: The number of replaced assets that will be written.
  ///   - missingAssets: The number of replaced assets whose bytes the source does not have.
  /// - Throws: An error, to write nothing.
  func finish(_ workers: [any TransformWorker], assets: Int, missingAssets: Int) throws
}

/// Replaces items on one thread at a time.
package protocol TransformWorker: AnyObject {
  /// The new digests of the assets of the source, by their old ones; set before the records.
  var assets: [String: String] { get set }
  /// The new digests of the assets that the written records refer to.
  var usedAssets: Set<String> { get }

  func info(_ info: ContainerInfo) throws -> ContainerInfo
  func zone(_ zone: RecordZone, in database: DatabaseScope) throws -> RecordZone
  /// Returns the replacement of a subscription; nil to leave it out.
  func subscription(
    _ subscription: CloudSubscription, in database: DatabaseScope
  ) throws -> CloudSubscription?
  /// Returns the replacement of a deletion; nil to leave it out.
  func tombstone(_ tombstone: DeletedRecord, in database: DatabaseScope) throws -> DeletedRecord?
  func zoneTombstone(_ tombstone: DeletedZone, in database: DatabaseScope) throws -> DeletedZone

  /// Appends the canonical JSON of what replaces a record.
  ///
  /// - Returns: The identity of what replaces it; nil to leave the record out.
  func write(
    _ record: ResultRecord, in database: DatabaseScope, to buffer: ByteBuffer
  ) throws -> RecordID?
}

/// The bytes that replace those of an asset.
package struct AssetReplacement: Sendable {
  package let sha256: String
  package let size: Int
  /// Calls its argument with the bytes, in pieces of any size.
  package let forEachChunk:
    @Sendable (_ body: (UnsafeRawBufferPointer) throws -> Void) throws -> Void

  package init(
    sha256: String, size: Int,
    forEachChunk:
      @escaping @Sendable (_ body: (UnsafeRawBufferPointer) throws -> Void) throws ->
      Void
  ) {
    self.sha256 = sha256
    self.size = size
    self.forEachChunk = forEachChunk
  }
}
