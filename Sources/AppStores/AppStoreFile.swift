import Foundation
import RecordStore

/// Recognises and opens the stores of apps, and never changes them.
package enum AppStoreFile {
  /// Whether the file at a path is the store of an app.
  package static func isStore(_ path: String) -> Bool {
    isCoreData(path) || isSQLiteData(path)
  }

  /// Whether the file at a path is a store of Core Data or SwiftData: an SQLite database with their
  /// tables. Its name and header say nothing.
  package static func isCoreData(_ path: String) -> Bool {
    guard path != "-", ForeignDatabase.isForeign(path) else { return false }
    if let db = try? ForeignDatabase.immutable(path), hasTables(db) { return true }
    // The tables of a new store may be in its log alone.
    guard hasLog(path) else { return false }
    let folder = FileManager.default.temporaryDirectory.path + "/recordpack." + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    guard
      (try? FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false)) != nil,
      let db = try? copied(path, to: folder)
    else { return false }
    defer { try? db.close() }
    return hasTables(db)
  }

  /// Whether the file at a path is the database of an app with SQLiteData: the metadata database of a
  /// sync engine is beside it, or it has the migrations of GRDB, which SQLiteData uses.
  private static func isSQLiteData(_ path: String) -> Bool {
    guard path != "-", ForeignDatabase.isForeign(path) else { return false }
    if metadataPath(of: path) != nil { return true }
    let db = try? ForeignDatabase.immutable(path)
    let count = try? db?.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'grdb_migrations'")
    return count == 1
  }

  /// Returns the path of the metadata database of an app's sync engine; nil if there is none.
  private static func metadataPath(of path: String) -> String? {
    let url = URL(fileURLWithPath: path)
    let start = ".\(url.deletingPathExtension().lastPathComponent).metadata"
    let folder = url.deletingLastPathComponent().path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().first {
      $0.hasPrefix(start) && $0.hasSuffix(".sqlite")
        && $0.dropFirst(start.count).first.map { $0 == "-" || $0 == "." } == true
    }.map { folder + "/" + $0 }
  }

  /// Opens a store for reading.
  ///
  /// - Parameter folder: Makes the folder for copies; see ``open(_:copyingTo:)``.
  package static func contents(
    of path: String, copyingTo folder: () throws -> String
  ) throws -> any AppStoreContents {
    let db = try open(path, copyingTo: folder)
    if isCoreData(path) { return try CoreDataStore(db, path: path) }
    let metadata = try metadataPath(of: path).map { try open($0, copyingTo: folder) }
    return try SQLiteDataStore(db, metadata, path: path)
  }

  private static func hasTables(_ db: SQLiteConnection) -> Bool {
    let count = try? db.integer(
      """
      SELECT count(*) FROM sqlite_master
      WHERE type = 'table' AND name IN ('Z_METADATA', 'Z_PRIMARYKEY')
      """)
    return count == 2
  }

  private static let logs = ["-wal", "-journal"]

  private static func hasLog(_ path: String) -> Bool {
    logs.contains { ForeignDatabase.size(of: $0, beside: path) > 0 }
  }

  /// Opens a store for reading. A store with a log is read from a copy of both, as SQLite would
  /// write beside it.
  ///
  /// - Parameter folder: Makes the folder for a copy, which must live as long as the connection.
  package static func open(
    _ path: String, copyingTo folder: () throws -> String
  ) throws -> SQLiteConnection {
    do {
      guard hasLog(path) else { return try ForeignDatabase.immutable(path) }
      return try copied(path, to: folder()) { try StoreLog.check($0, of: path) }
    } catch let error as SQLiteError {
      throw CoreDataStore.translated(error, path)
    }
  }

  /// Copies a store and its log, and opens the copy.
  ///
  /// - Parameter check: Checks the copy of a log in WAL mode.
  private static func copied(
    _ path: String, to folder: String, check: (String) throws -> Void = { _ in }
  ) throws -> SQLiteConnection {
    let files = FileManager.default
    // SQLite keeps the log beside the target of a link.
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    for _ in 0..<3 {
      let before = stamps(of: path)
      let copy = folder + "/store." + UUID().uuidString
      try files.copyItem(atPath: path, toPath: copy)
      for log in logs where files.fileExists(atPath: path + log) {
        try files.copyItem(atPath: path + log, toPath: copy + log)
      }
      if before == stamps(of: path) {
        if files.fileExists(atPath: copy + logs[0]) { try check(copy + logs[0]) }
        try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
        return try SQLiteConnection(copy)
      }
    }
    throw AppStoreError(
      .notReadable, path,
      "the app is writing to it; quit the app, or copy the store while it is not "
        + "running")
  }

  private static func stamps(of path: String) -> [String] {
    ([""] + logs).map { suffix in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
      return "\(attributes?[.size] ?? 0) \(attributes?[.modificationDate] ?? 0)"
    }
  }
}

extension AppStoreFile {
  /// Whether a store has its log beside it while it is open, as its header says.
  static func isInWALMode(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    let head = (try? file.read(upToCount: 20)) ?? nil
    return head?.count == 20 && head?[18] == 2
  }
}
