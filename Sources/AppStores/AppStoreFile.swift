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
    if !metadataPaths(of: path).isEmpty { return true }
    let db = try? ForeignDatabase.immutable(path)
    let count = try? db?.integer(
      "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'grdb_migrations'")
    return count == 1
  }

  /// Returns the paths of the metadata databases of an app's sync engines: one for each container.
  private static func metadataPaths(of path: String) -> [String] {
    places(of: path).lazy.map { url in
      let start = ".\(url.deletingPathExtension().lastPathComponent).metadata"
      let folder = url.deletingLastPathComponent().path
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return names.sorted().filter {
        $0.hasPrefix(start) && $0.hasSuffix(".sqlite")
          && $0.dropFirst(start.count).first.map { $0 == "-" || $0 == "." } == true
      }.map { folder + "/" + $0 }
    }.first { !$0.isEmpty } ?? []
  }

  /// Returns the path of the only metadata database; nil if there is none.
  private static func metadataPath(of path: String) throws -> String? {
    let paths = metadataPaths(of: path)
    guard paths.count < 2 else {
      throw AppStoreError(
        .notReadable, path,
        "it has the metadata databases of several containers: "
          + paths.map { "'\($0)'" }.joined(separator: ", ")
          + "; copy the database and one of them to another folder")
    }
    return paths.first
  }

  /// The places beside which a store's other files can be: the target of a link, and the link.
  static func places(of path: String) -> [URL] {
    let url = URL(fileURLWithPath: path)
    return [url.resolvingSymlinksInPath(), url]
  }

  /// Calls `body` with the contents of a store.
  ///
  /// - Parameter folder: Makes the folder for copies; see ``open(_:copyingTo:)``.
  /// - Throws: ``AppStoreError`` if the app wrote to the store meanwhile, so that a part of what `body`
  ///   read can be older than the rest.
  package static func withContents<R>(
    of path: String, copyingTo folder: () throws -> String,
    _ body: (any AppStoreContents) throws -> R
  ) throws -> R {
    // A copy has one state. SQLite reads a file without a log as if nobody wrote to it.
    var stamps: [String: [String]] = [:]
    func open(_ path: String) throws -> SQLiteConnection {
      if !hasLog(path) { stamps[path] = Self.stamps(of: path) }
      return try Self.open(path, copyingTo: folder)
    }
    func checkUnchanged() throws {
      for (path, before) in stamps where before != Self.stamps(of: path) { throw isWritten(path) }
    }
    do {
      let db = try open(path)
      let result: R
      if isCoreData(path) {
        result = try body(CoreDataStore(db, path: path))
      } else {
        let metadata = try metadataPath(of: path).map { (path: $0, db: try open($0)) }
        result = try body(SQLiteDataStore(db, metadata, path: path))
      }
      try checkUnchanged()
      return result
    } catch {
      try checkUnchanged()
      throw error
    }
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
    throw isWritten(path)
  }

  private static func isWritten(_ path: String) -> AppStoreError {
    AppStoreError(
      .notReadable, path,
      "the app is writing to it; quit the app, or copy the store while it is not "
        + "running")
  }

  /// Stamps of a store and its logs, which change with them: sizes, dates, and SQLite's counter of changes.
  private static func stamps(of path: String) -> [String] {
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    return [header(of: path).dropFirst(24).description]
      + ([""] + logs).map { suffix in
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + suffix)
        let date = attributes?[.modificationDate] as? Date
        return "\(attributes?[.size] ?? 0) \(date?.timeIntervalSinceReferenceDate ?? 0)"
      }
  }
}

extension AppStoreFile {
  /// Whether a store has its log beside it while it is open, as its header says.
  static func isInWALMode(_ path: String) -> Bool { header(of: path).dropFirst(18).first == 2 }

  /// The first bytes of a file, up to SQLite's counter of changes.
  private static func header(of path: String) -> [UInt8] {
    guard let file = FileHandle(forReadingAtPath: path) else { return [] }
    defer { try? file.close() }
    return (try? file.read(upToCount: 28)).flatMap { $0.map(Array.init) } ?? []
  }
}
