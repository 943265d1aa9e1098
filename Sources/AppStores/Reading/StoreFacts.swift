import Foundation
import RecordStore

/// The facts about a store beside its objects.
package struct StoreFacts: Sendable {
  /// An import or export with CloudKit.
  package struct Event: Sendable, Hashable {
    package var date: Date?
    /// Whether it ended: the others run, or their app was ended.
    package var hasEnded: Bool
    package var hasSucceeded: Bool
    /// The domain and code of the error.
    package var error: String?
  }

  /// The state of the mirroring.
  package struct Mirroring: Sendable, Hashable {
    /// The number of objects that CloudKit has no record of.
    package var neverExported = 0
    /// The numbers of objects with changes to upload, and of records to delete.
    package var needsUpload: Int?
    package var needsCloudDelete: Int?
    /// The number of rows about records whose object is gone.
    package var withoutObject = 0
    package var lastImport: Event?
    package var lastExport: Event?
  }

  /// The name of the library.
  package var library: String
  /// The identity of a store of Core Data; empty for others.
  package var uuid: String
  package var frameworkVersion: Int64?
  package var versionIdentifiers: [String]
  package var checksumKey: String?
  /// The number of objects of each entity that is not abstract.
  package var entities: [(name: String, count: Int)] = []
  /// The columns that the model does not explain.
  package var unexplainedColumns: [String]
  /// Nil if the store was never mirrored.
  package var mirroring: Mirroring?
}

extension CoreDataStore {
  package func facts() throws -> StoreFacts {
    do {
      var facts = StoreFacts(
        library: isSwiftData ? "SwiftData" : "Core Data", uuid: metadata.uuid,
        frameworkVersion: metadata.frameworkVersion,
        versionIdentifiers: model.versionIdentifiers.filter { !$0.isEmpty },
        checksumKey: metadata.checksumKey, unexplainedColumns: layout.unexplained)
      for (table, _) in layout.tables {
        var counts: [Int64: Int] = [:]
        try connection.forEachRow("SELECT Z_ENT, count(*) FROM \(table.quoted) GROUP BY Z_ENT") {
          counts[$0.int64(0)] = Int($0.int64(1))
        }
        for entity in layout.entities where entity.table == table && !entity.model.isAbstract {
          facts.entities.append((entity.model.name, counts[entity.number] ?? 0))
        }
      }
      facts.entities.sort { $0.name < $1.name }
      if let mirroring { facts.mirroring = try state(of: mirroring) }
      return facts
    } catch let error as SQLiteError {
      throw Self.translated(error, path)
    }
  }

  private func state(of tables: MirroringTables) throws -> StoreFacts.Mirroring {
    var state = StoreFacts.Mirroring()
    state.needsUpload = try tables.count(where: "ZNEEDSUPLOAD", "<> 0")
    state.needsCloudDelete = try tables.count(where: "ZNEEDSCLOUDDELETE", "<> 0")
    state.lastImport = try tables.lastEvent(1)
    state.lastExport = try tables.lastEvent(2)
    for (table, root) in layout.tables {
      let numbers = layout.entities.filter { $0.root == root }.map { String($0.number) }
      let list = numbers.joined(separator: ", ")
      state.neverExported += Int(
        try connection.integer(
          """
          SELECT count(*) FROM \(table.quoted) o WHERE NOT EXISTS (SELECT 1
            FROM ANSCKRECORDMETADATA m WHERE m.ZENTITYID = o.Z_ENT AND m.ZENTITYPK = o.Z_PK
            AND m.ZCKRECORDNAME NOT NULL)
          """) ?? 0)
      state.withoutObject += Int(
        try connection.integer(
          """
          SELECT count(*) FROM ANSCKRECORDMETADATA m WHERE m.ZENTITYID IN (\(list))
            AND NOT EXISTS (SELECT 1 FROM \(table.quoted) o WHERE o.Z_PK = m.ZENTITYPK)
          """) ?? 0)
    }
    return state
  }
}

extension String {
  /// The name of a table or column as SQL has it.
  var quoted: String { "\"" + replacingOccurrences(of: "\"", with: "\"\"") + "\"" }
}
