import CSystemSQLite
import Foundation
import RecordPlatform
import Synchronization

/// The files of an open container, and whether the container's path still leads to them.
///
/// Another program may move or replace the file, or write over it (`cp`). Later saves would be lost:
/// the next program that opens the path finds another file, or another log.
final class ContainerPlace: Sendable {
  let path: String
  let file: FileIdentity
  /// SQLite follows links, and keeps its files beside the target.
  private let realPath: String
  private let log: FileIdentity?
  private let index: FileIdentity?
  private let known = Mutex(Known())

  private struct Known {
    /// The page of the file's stamp, and the size of pages.
    var page: (number: Int64, size: Int)?
    /// The stamp in the file that was found last.
    var stamp: Int64?
    /// The stamp of the state with the log, at the same time.
    var state: Int64?
    /// The size of the log at the same time.
    var logSize: Int64 = 0
    /// SQLite's number of the changes that other connections have made, at the same time.
    var version: Int64?
  }

  /// - Parameter path: the path of a container that was just opened.
  init?(_ path: String) {
    guard let file = FileIdentity(path: path) else { return nil }
    self.path = path
    self.file = file
    realPath = StoreFile.real(path)
    log = FileIdentity(path: realPath + "-wal")
    index = FileIdentity(path: realPath + "-shm")
  }

  /// Whether the path leads to the file.
  var isHere: Bool { FileIdentity(path: path) == file }

  /// Whether the log is beside the path.
  var hasLog: Bool { log != nil && FileIdentity(path: realPath + "-wal") == log }

  /// Checks that what is saved can be found under the path.
  ///
  /// - Throws: ``ContainerStoreError/Code/moved``.
  func check(_ db: SQLiteConnection) throws {
    guard isHere, log == nil || hasLog,
      index == nil || FileIdentity(path: realPath + "-shm") == index, try hasOwnContent(db)
    else { throw moved }
  }

  /// The error of a container whose file has moved; it says where the last saves are.
  var moved: ContainerStoreError {
    let size = hasLog ? StoreFile.auxiliaryFileSize("-wal", of: realPath) ?? 0 : 0
    return .moved(path: path, log: size > 0 ? realPath + "-wal" : nil)
  }

  /// Whether the file is in a state that this log leads to, and was not written over.
  ///
  /// - Parameter db: a connection to the file.
  func hasOwnContent(_ db: SQLiteConnection) throws -> Bool {
    // Another process has changed the file through SQLite if the number differs: only then is the stamp
    // that SQLite finds in the file a new one. Of pages that are no longer in the log, SQLite reads
    // whatever was written over them.
    let version = try db.integer("PRAGMA data_version")
    for attempt in 0..<10 {
      // Another process may just be moving the log into the file, or beginning a new one.
      if attempt > 0 { usleep(500 << UInt32(min(attempt, 5))) }
      guard let page = try page(db) else { return true }
      let reading = FileStamp.read(
        page: try SQLiteFile(db).bytes(page.size, at: (page.number - 1) * Int64(page.size)))
      guard let own = reading.own else { continue }
      let size = StoreFile.auxiliaryFileSize("-wal", of: realPath) ?? 0
      // Another program has shortened the log, unless the file has got its state.
      let last = self.known.withLock { $0 }
      if hasLog, size < last.logSize, own == last.stamp, own != last.state { continue }
      let state = try FileStamp.read(from: db)?.own ?? 0
      let known = self.known.withLock { $0 }
      let isOwn =
        known.stamp == own || known.state == own || version != known.version && state == own
        || WriteAheadLog(realPath + "-wal")?
          .belongs(to: reading, onPage: page.number, ofSize: page.size, after: known.stamp) ?? false
      guard isOwn else { continue }
      self.known.withLock {
        ($0.stamp, $0.state, $0.version, $0.logSize) = (own, state, version, size)
      }
      return true
    }
    return false
  }

  private func page(_ db: SQLiteConnection) throws -> (number: Int64, size: Int)? {
    if let page = known.withLock({ $0.page }) { return page }
    guard let number = try FileStamp.page(in: db), number > 0,
      let size = try db.integer("PRAGMA page_size")
    else { return nil }
    known.withLock { $0.page = (number, Int(size)) }
    return (number, Int(size))
  }
}

// MARK: The end

extension ContainerPlace {
  /// Prepares the connection that writes for being closed: the log of a file that has moved is moved
  /// into it, unless it is in use elsewhere; SQLite would not. A file that was written over is left
  /// as it is.
  ///
  /// - Parameter db: the only connection of the store to the file.
  func settle(_ db: SQLiteConnection) throws {
    guard try hasOwnContent(db) else { return db.leaveLog() }
    guard !isHere else { return }
    let isMerged = try SQLiteFile(db).whileAlone { try db.isCheckpointComplete() } ?? false
    db.leaveLog()
    guard isMerged else { return }
    if hasLog { unlink(realPath + "-wal") }
    if FileIdentity(path: realPath + "-shm") == index { unlink(realPath + "-shm") }
  }
}

extension StoreFile {
  /// Checks that the log beside a container file is the file's own: SQLite would move any log into
  /// the file. Another log is renamed.
  ///
  /// - Parameter file: the file. Nothing was read from it through SQLite.
  /// - Throws: ``ContainerStoreError/Code/log``.
  static func checkLog(of file: SQLiteFile, _ path: String, pageSize: Int) throws {
    let name = real(path) + "-wal"
    for attempt in 0..<50 {
      guard let log = WriteAheadLog(name) else { return }
      // Another process may be moving it into the file, or beginning a new one.
      if attempt > 0 { usleep(1_000) }
      guard
        let page = try? FileStamp.page(
          in: SQLiteConnection(StoreLocation.immutable(path), isReadOnly: true)),
        page > 0
      else { return }
      func reading() throws -> FileStamp.Reading {
        FileStamp.read(page: try file.bytes(pageSize, at: (page - 1) * Int64(pageSize)))
      }
      let found = try reading()
      if log.belongs(to: found, onPage: page, ofSize: pageSize) { return }
      log.lock()
      guard log.isAt(name), log.isUnchanged, try reading() == found else { continue }
      var number = 1
      while try exists("\(name).\(number)") { number += 1 }
      let aside = "\(name).\(number)"
      let isAside = rename(name, aside) == 0
      // The index belongs to the log that was renamed.
      if isAside { unlink(real(path) + "-shm") }
      throw ContainerStoreError.foreignLog(path: path, log: name, aside: isAside ? aside : nil)
    }
    throw ContainerStoreError.busy
  }
}
