import Foundation
import RecordModel
import RecordPlatform
import RecordSchema
import RecordStore

extension CoreDataStore {
  package var info: ContainerInfo {
    ContainerInfo(
      schema: SchemaPrinter().print(model.schema(named: path)),
      schemaVersion: model.versionIdentifiers.first { !$0.isEmpty })
  }

  package func fill(_ container: ImportTransaction) throws -> [StoreLoss: Int] {
    let reader = ObjectReader(self)
    do {
      return try connection.reading {
        try connection.checkPages(path)
        for (scope, zoneID) in reader.zones {
          try container.add(RecordZone(zoneID: zoneID), to: scope)
        }
        func add(_ object: ObjectReader.Object) throws {
          try container.add(object.record, to: object.scope)
          for (digest, bytes) in object.files {
            try bytes.withUnsafeBytes {
              try container.addAssetChunk(
                $0, at: 0, ofAsset: digest.description, size: Int64(bytes.count))
            }
          }
        }
        try reader.forEachLink(add)
        try reader.forEachObject(add)
        return reader.losses
      }
    } catch let error as SQLiteError {
      throw Self.translated(error, path)
    }
  }
}

extension SQLiteConnection {
  /// Checks that all rows are reachable: with a wrong page number, SQLite skips rows in silence.
  ///
  /// - Parameter path: The path of the database in messages.
  func checkPages(_ path: String) throws {
    guard let problem = try text("PRAGMA quick_check(1)"), problem != "ok" else { return }
    throw AppStoreError(
      .damaged, path,
      "SQLite's check of its pages finds: "
        + problem.replacingOccurrences(of: "*** in database main ***\n", with: "")
        + "; save its rows with: sqlite3 '\(path)' .recover | sqlite3 Recovered.store")
  }
}
