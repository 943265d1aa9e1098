import RecordModel
import Synchronization

/// The metadata that a store has read last, by the checksums of its settings: most requests need it,
/// and it seldom changes.
final class InfoCache: Sendable {
  private let known: Mutex<(hashes: [Int64], info: ContainerInfo)?>

  /// - Parameter other: the cache of a store with the same contents.
  init(_ other: InfoCache? = nil) { known = Mutex(other?.known.withLock { $0 }) }

  /// Returns the metadata as the connection sees it.
  func info(from db: SQLiteConnection) throws -> ContainerInfo {
    let hashes = try db.all("SELECT hash FROM setting ORDER BY name") { $0.int64(0) }
    if let known = known.withLock({ $0 }), known.hashes == hashes { return known.info }
    let info = try ContainerInfo.read(from: db)
    known.withLock { $0 = (hashes, info) }
    return info
  }
}
