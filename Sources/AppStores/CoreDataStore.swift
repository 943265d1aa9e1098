import Foundation
import RecordCoding
import RecordSchema
import RecordStore

/// A store of Core Data or SwiftData, open for reading: an SQLite file with the app's objects and its
/// model. Only one thread at a time may use it.
package final class CoreDataStore: AppStoreContents {
  /// The path of the store in messages, beside which its files of large values are.
  package let path: String
  package let model: StoreModel
  let layout: StoreLayout
  let connection: SQLiteConnection
  let names: RecordNames
  let mirroring: MirroringTables?
  let metadata: StoreMetadata

  /// The maximum size of a model. The models of real stores have 5 to 40 kB.
  static let maxModelSize = 16 << 20

  /// - Parameters:
  ///   - connection: A connection to the store or a copy of it.
  ///   - path: The path of the store.
  package init(_ connection: SQLiteConnection, path: String) throws {
    (self.connection, self.path) = (connection, path)
    do {
      metadata = try StoreMetadata(connection, path)
      model = try Self.model(connection, path)
      layout = try Self.layout(of: model, connection, path)
      names = RecordNames(store: metadata.uuid)
      mirroring = try MirroringTables(connection, path)
    } catch let error as SQLiteError {
      throw Self.translated(error, path)
    }
    try checkHashes()
  }

  static func translated(_ error: SQLiteError, _ path: String) -> AppStoreError {
    AppStoreError(.damaged, path, "SQLite cannot read it: \(error.message)")
  }

  /// Whether SwiftData made the store, as far as its marks say.
  package var isSwiftData: Bool {
    let hasIndex = try? connection.integer(
      "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name LIKE 'Z_%SwiftDataIndexOn%')")
    return hasIndex == 1
      || model.versionIdentifiers.contains { $0.split(separator: ".").count == 3 }
      || model.entities.contains { $0.attributes.contains { $0.kind == .composite } }
  }

  /// The model, as the checks of schemas read it.
  package var mirroredModel: MirroredModel {
    model.mirrored(named: path, isSwiftData ? .swiftData : .coreData)
  }

  // MARK: Reading the model

  private static func model(_ db: SQLiteConnection, _ path: String) throws -> StoreModel {
    guard
      try db.integer(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'Z_MODELCACHE'") == 1
    else {
      throw AppStoreError(
        .notReadable, path,
        "it is a store of Core Data without a model, as systems before iOS 8 wrote it; open it "
          + "once with the app, or name its .xcdatamodeld for a schema")
    }
    let content = try db.first("SELECT Z_CONTENT FROM Z_MODELCACHE") { row in
      let bytes = row.bytes(0)
      return bytes.count <= maxModelSize ? Array(bytes) : nil
    }
    guard let content else {
      throw AppStoreError(.notReadable, path, "Z_MODELCACHE has no model")
    }
    guard let content, !content.isEmpty else {
      throw AppStoreError(
        .damaged, path, "the model in Z_MODELCACHE is empty, or larger than \(maxModelSize) bytes")
    }
    do {
      return try StoreModelReader.read(
        Data(Inflate.decompress(content, limit: maxModelSize)))
    } catch let error as Inflate.Failure {
      throw AppStoreError(
        .damaged, path, "the model in Z_MODELCACHE, byte \(error.byte): \(error.reason)")
    } catch let error as RecordCodingError {
      throw AppStoreError(.damaged, path, "the model in Z_MODELCACHE: \(error)")
    }
  }

  private static func layout(
    of model: StoreModel, _ db: SQLiteConnection, _ path: String
  ) throws -> StoreLayout {
    let keys = try db.all(
      "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16001 ORDER BY Z_ENT"
    ) { StoreLayout.PrimaryKey(number: $0.int64(0), name: $0.string(1)) }
    var columns: [String: [String]] = [:]
    try db.forEachRow(
      """
      SELECT m.name, c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.name LIKE 'Z%' ORDER BY m.name, c.cid
      """
    ) { columns[$0.string(0), default: []].append($0.string(1)) }
    return try StoreLayout(model, keys, columns: columns) {
      AppStoreError(.damaged, path, $0)
    }
  }

  /// Checks that the model is the one that the app last opened the store with.
  private func checkHashes() throws {
    let names = Set(model.entities.map(\.name))
    guard !metadata.hashes.isEmpty, Set(metadata.hashes.keys) != names else { return }
    let odd = Set(metadata.hashes.keys).symmetricDifference(names).sorted()
    throw AppStoreError(
      .damaged, path,
      "Z_METADATA and the model in Z_MODELCACHE differ in their entities: "
        + odd.prefix(8).joined(separator: ", "))
  }
}

/// The row of `Z_METADATA`: the identity of a store, and the versions that wrote it.
package struct StoreMetadata: Sendable {
  package let uuid: String
  /// The hashes of the entities, by their names.
  let hashes: [String: Data]
  /// The key of the model's version, in base64.
  package let checksumKey: String?
  /// The version of Core Data that wrote the store.
  package let frameworkVersion: Int64?

  init(_ db: SQLiteConnection, _ path: String) throws {
    for (table, column) in [("Z_METADATA", "Z_UUID"), ("Z_METADATA", "Z_PLIST")]
      + ["Z_ENT", "Z_NAME", "Z_MAX"].map({ ("Z_PRIMARYKEY", $0) })
    where try db.integer(
      "SELECT count(*) FROM pragma_table_info('\(table)') WHERE name = '\(column)'") == 0
    {
      throw AppStoreError(
        .notReadable, path,
        "its table \(table) has no column \(column), so it is not a store of Core Data")
    }
    let row = try db.first("SELECT Z_UUID, Z_PLIST FROM Z_METADATA") { row in
      (row.string(0), Data(row.bytes(1)))
    }
    guard let (uuid, bytes) = row else {
      throw AppStoreError(.damaged, path, "Z_METADATA has no row")
    }
    self.uuid = uuid
    let plist: BinaryPlist
    do {
      plist = try BinaryPlist(decoding: bytes)
    } catch let error as RecordCodingError {
      throw AppStoreError(.damaged, path, "the property list in Z_METADATA: \(error)")
    }
    let top = Self.entries(plist, plist.top)
    var hashes: [String: Data] = [:]
    let found = top["NSStoreModelVersionHashes"].map { Self.entries(plist, $0) } ?? [:]
    for (name, ref) in found {
      if case .data(let hash) = plist.objects[Int(ref)] { hashes[name] = hash }
    }
    self.hashes = hashes
    checksumKey = top["NSStoreModelVersionChecksumKey"].flatMap {
      if case .string(let text) = plist.objects[Int($0)] { text } else { nil }
    }
    frameworkVersion = top["NSPersistenceFrameworkVersion"].flatMap {
      if case .integer(let number) = plist.objects[Int($0)] { number } else { nil }
    }
  }

  private static func entries(
    _ plist: BinaryPlist, _ ref: BinaryPlist.Ref
  ) -> [String: BinaryPlist.Ref] {
    guard case .dictionary(let entries) = plist.objects[Int(ref)] else { return [:] }
    return Dictionary(
      entries.compactMap { entry in
        guard case .string(let key) = plist.objects[Int(entry.key)] else { return nil }
        return (key, entry.value)
      }, uniquingKeysWith: { first, _ in first })
  }
}
