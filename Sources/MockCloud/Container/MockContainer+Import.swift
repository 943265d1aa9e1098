import Foundation
import GRDB
import RecordModel

extension MockContainer {
  /// Fills the container in one transaction: all of it is there afterwards, or, where `body`
  /// throws or the process ends, the container is as it was.
  ///
  /// - Parameter resolve: what to do about a record that is there already with another content; by
  ///   default the import fails and names both. A record that is there already with the same
  ///   content is counted, and no conflict.
  /// - Throws: what `body` or `resolve` throws, or ``MockContainerError``.
  @discardableResult
  public func importTransaction<T>(
    onConflict resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution = {
      throw $0.error
    },
    _ body: (ContainerWriter) throws -> T
  ) throws -> T {
    try writeBulk(resolve, body)
  }

  /// Makes a new container file and fills it: the fastest way to load many records.
  ///
  /// The file is built beside its place without a journal, synced and then named: it is there when
  /// it is complete, or not at all.
  ///
  /// - Parameters:
  ///   - path: where the file will lie; nothing may lie there, and no log of a container that was
  ///     there before (``MockContainerError/leftLog(path:log:)``).
  ///   - info: what the container says about itself.
  ///   - resolve: what to do about a record that comes twice with different contents; by default
  ///     the build fails and names both.
  @discardableResult
  public static func build<T>(
    path: String, info: ContainerInfo = ContainerInfo(),
    onConflict resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution = {
      throw $0.error
    },
    _ body: (ContainerWriter) throws -> T
  ) throws -> T {
    let path = try StoreFile.absolute(path)
    guard try !StoreFile.exists(path) else { throw MockContainerError.alreadyExists(path: path) }
    try StoreFile.refuseLeftLog(path)
    let file = try BuildingFile(for: path)
    let result = try StoreConnection.translating {
      let queue = try DatabaseQueue(
        path: file.path, configuration: StoreConnection.buildConfiguration())
      let result = try queue.inDatabase { db in
        let result = try db.atomically {
          try initialize(db, info)
          return try fill(db, resolve, body)
        }
        // The mode lies in the file: those who open it need not agree on a change of it.
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        return result
      }
      try queue.close()
      return result
    }
    try file.publish()
    return result
  }

  static func fill<T>(
    _ db: Database, _ resolve: @escaping (ImportConflict) throws -> ImportConflict.Resolution,
    _ body: (ContainerWriter) throws -> T
  ) throws -> T {
    let hasRecords = try db.integer("SELECT EXISTS (SELECT 1 FROM record)") == 1
    let writer = try ContainerWriter(db, isEmpty: !hasRecords, resolve)
    defer { writer.end() }
    let result = try body(writer)
    try writer.finish()
    return result
  }
}
