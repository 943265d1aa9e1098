import Foundation
import RecordModel
import RecordStore

/// Replaces the objects of a store by those of records, in one transaction: keys, both sides of each
/// relationship, orders, pairs, and the counters of keys. The model, the metadata and the history stay.
///
/// The rows have no history. In a store that CloudKit has never mirrored that changes nothing: its
/// first export takes all objects. So a store with records of CloudKit is not filled.
package final class StoreFiller {
  /// The records to fill a store with. They are read up to three times.
  package struct Source {
    package var forEachRecord:
      (RecordFilter, (ResultRecord, DatabaseScope) throws -> Void) throws -> Void
    /// Returns the bytes of an asset; nil if they are not stored.
    package var asset: (String) throws -> Data?
    /// Whether values that records lack and the model requires are those of the objects that are
    /// replaced. Made data needs it: only the app can encode its own types.
    package var takesValues = false

    package init(
      forEachRecord:
        @escaping (RecordFilter, (ResultRecord, DatabaseScope) throws -> Void)
        throws -> Void, asset: @escaping (String) throws -> Data?
    ) {
      (self.forEachRecord, self.asset) = (forEachRecord, asset)
    }
  }

  /// The number of problems that an error lists.
  private static let maxProblems = 20

  let store: CoreDataStore
  let db: SQLiteConnection
  let source: Source
  var report = FilledStore()
  private var problems: [String] = []
  private(set) var hasLinks = false
  /// The number of rows that triggers may have been run for.
  private var rows = 0
  /// Values of the objects that are replaced, by the number of the entity and the attribute.
  private var samples: [Int64: [String: [[StoreCell?]]]] = [:]

  /// - Parameter store: The store, open for writing.
  init(_ store: CoreDataStore, _ source: Source) {
    (self.store, self.source) = (store, source)
    db = store.connection
  }

  /// Fills a copy of a store.
  ///
  /// - Parameters:
  ///   - template: A connection to the store that the app made.
  ///   - path: The path of the store, in messages.
  ///   - file: The path of an empty file or of none, which becomes the filled store.
  ///   - source: The records.
  /// - Throws: ``AppStoreError``, and the errors of the source.
  package static func fill(
    _ template: SQLiteConnection, at path: String, to file: String, with source: Source
  ) throws -> FilledStore {
    do {
      // The triggers of Core Data compute derived attributes.
      let db = try SQLiteConnection(file, creates: true, runsTriggers: true)
      try db.execute("PRAGMA page_size = \(template.integer("PRAGMA page_size") ?? 4096)")
      try template.copy(to: db, pagesPerStep: -1) {}
      // The copy is not visible before it is complete.
      try db.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
      let filler = StoreFiller(try CoreDataStore(db, path: path), source)
      let report = try db.atomically { try filler.run() }
      if AppStoreFile.isInWALMode(path) { try db.execute("PRAGMA journal_mode = WAL") }
      try db.close()
      return report
    } catch let error as SQLiteError where error.primaryCode == 9 {
      throw AppStoreError(
        .cannotFill, path,
        "its triggers do not end; those of Core Data do, so name a store that the app made")
    } catch let error as SQLiteError {
      throw CoreDataStore.translated(error, path)
    }
  }

  private func run() throws -> FilledStore {
    if try store.mirroring?.count(where: "Z_PK", "NOT NULL") ?? 0 > 0 {
      throw AppStoreError(
        .cannotFill, store.path,
        "CloudKit mirrors it: its tables name records of the objects that would be replaced; "
          + "name a store from a configuration without CloudKit, or one that was never signed in")
    }
    // Triggers of derived attributes call them.
    for name in [
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
    ] {
      try db.defineNull(name)
    }
    var keys = try ObjectKeys(store)
    if source.takesValues { try takeSamples() }
    if try db.integer("SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger')") == 1 {
      try limitTriggers()
    }
    for join in store.layout.joins { try db.run("DELETE FROM \(join.table.quoted)") }
    for (table, _) in store.layout.tables { try db.run("DELETE FROM \(table.quoted)") }
    try source.forEachRecord(.all) { record, scope in try assign(record, scope, &keys) }
    try throwProblems()
    try insertObjects(keys)
    try throwProblems()
    try insertRelationships(keys)
    try throwProblems()
    try completeRelationships(keys)
    try throwProblems()
    try keys.writeCounters()
    return report
  }

  /// Bounds what the triggers of the template do. Those of Core Data take some hundred steps a row.
  private func limitTriggers() throws {
    for (table, _) in store.layout.tables {
      rows += Int(try db.integer("SELECT count(*) FROM \(table.quoted)") ?? 0)
    }
    var millions = 0
    db.limitSteps { [weak self] in
      millions += 1
      return millions <= 10 + (self?.rows ?? 0) / 10
    }
  }

  // MARK: Samples

  private static let maxSamples = 16

  /// Keeps the first values of attributes that must have one, and have no default.
  private func takeSamples() throws {
    for entity in store.layout.entities {
      for attribute in entity.attributes
      where !attribute.model.isOptional && !attribute.model.hasDefault {
        let columns = attribute.columns.map(\.quoted)
        let rows = try db.all(
          """
          SELECT DISTINCT \(columns.joined(separator: ", ")) FROM \(entity.table.quoted)
          WHERE Z_ENT = ? AND (\(columns.map { $0 + " NOT NULL" }.joined(separator: " OR ")))
          LIMIT \(Self.maxSamples)
          """, [entity.number]
        ) { row in columns.indices.map { StoreCell(row.cell(Int32($0))) } }
        if !rows.isEmpty { samples[entity.number, default: [:]][attribute.model.name] = rows }
      }
    }
  }

  /// Returns the cells of an attribute that a record lacks; nil if no object had it.
  func sample(
    _ attribute: StoreLayout.Attribute, of entity: StoreLayout.Entity, key: Int64
  ) -> [StoreCell?]? {
    let known = samples[entity.number]?[attribute.model.name] ?? []
    return known.isEmpty ? nil : known[Int(key % Int64(known.count))]
  }

  // MARK: Problems

  /// Notes that a record does not fit.
  func note(_ problem: String) throws {
    problems.append(problem)
    if problems.count >= Self.maxProblems { try throwProblems() }
  }

  private func throwProblems() throws {
    guard !problems.isEmpty else { return }
    throw AppStoreError(.doesNotFit, store.path, problems)
  }

  // MARK: Keys

  private func assign(
    _ record: ResultRecord, _ scope: DatabaseScope, _ keys: inout ObjectKeys
  ) throws {
    if CoreDataNames.isLink(record.recordType) {
      hasLinks = true
      guard record.recordType != CoreDataNames.linkType else { return }
      return try note(
        "'\(record.recordType)' '\(record.recordID.recordName)' is a link of an old version of Core "
          + "Data, which is not read; leave it out with --type")
    }
    guard let name = record.entityName else {
      return try note(
        "'\(record.recordType)' '\(record.recordID.recordName)' is not a record of an object: "
          + "its type begins with CD_, and CD_entityName names its entity; choose types with --type"
      )
    }
    guard let entity = store.layout.entity(name) else {
      let names = store.layout.entities.map(\.model.name).sorted().prefix(12)
      return try note(
        "'\(record.recordID.recordName)' is a '\(name)', and the model has the entities "
          + names.joined(separator: ", "))
    }
    let root = store.model.root(of: entity.model).name
    guard record.recordType == CoreDataNames.recordType(of: root) else {
      return try note(
        "'\(record.recordID.recordName)' has the type '\(record.recordType)', and a '\(name)' has "
          + "'\(CoreDataNames.recordType(of: root))'")
    }
    guard !entity.model.isAbstract else {
      return try note(
        "'\(record.recordID.recordName)' is a '\(name)', which is abstract: it has no objects")
    }
    try keys.add(record.recordID, scope, entity)
    report.objects[name, default: 0] += 1
    rows += 1
  }
}
