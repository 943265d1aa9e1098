import Foundation
import CSystemSQLite

/// The way to open a container file, according to its layout.
struct StoreLocation {
  /// The location for SQLite: the path, or a URI with options.
  let text: String

  /// Checks the layout of a file.
  /// - Parameter file: a connection to the file, which has the header of a container.
  /// - Throws: ``ContainerStoreError/newerVersion(path:found:supported:)``, or errors of reading.
  init(of file: SQLiteFile, at path: String, _ mode: ContainerStore.OpenMode) throws {
    do {
      try Self.check(file, path)
      text = path
    } catch let error as ContainerStoreError where Self.isAboutFolder(error) {
      // Nothing can be written beside the file, not even the index of the log.
      for log in ["-wal", "-journal"] where (StoreFile.auxiliaryFileSize(log, of: path) ?? 0) > 0 {
        throw ContainerStoreError.logUnreadable(path: path)
      }
      guard mode == .readOnly else { throw ContainerStoreError.folderReadOnly(path: path) }
      text = try Self.immutable(path)
      try Self.check(SQLiteFile(text, isReadOnly: true), path)
    }
  }

  /// Whether SQLite could not create a file beside the container: it reports an unreadable file on
  /// a read-only file system, and a read-only one if the folder's permissions forbid it.
  private static func isAboutFolder(_ error: ContainerStoreError) -> Bool {
    switch error {
    case .storage(let code, _): code & 0xFF == SQLITE_CANTOPEN
    case .readOnly: true
    default: false
    }
  }

  /// Returns the URI that opens a file as immutable: without locks and without a log.
  private static func immutable(_ path: String) throws -> String {
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: "?#%")
    guard let escaped = path.addingPercentEncoding(withAllowedCharacters: allowed) else {
      throw ContainerStoreError.invalidPath(path)
    }
    return "file://\(escaped)?immutable=1"
  }

  /// Checks that this code knows the layout. The version is queried through SQLite, because the
  /// header may be older than the log.
  private static func check(_ file: SQLiteFile, _ path: String) throws {
    let version = try file.numbers("PRAGMA user_version")?.first ?? 0
    guard version > Int64(StoreSchema.version) else { return }
    throw ContainerStoreError.newerVersion(
      path: path, found: Int(clamping: version), supported: Int(StoreSchema.version))
  }
}
