import Foundation
import MockCloud
import RecordArchive
import RecordCoding
import RecordModel
import RecordSchema
import RecordStore
import RecordText

/// The result of `put`.
struct PutResult {
  var changes: [PutChange] = []
  /// The zones that were created.
  var zones: [ZoneLocation] = []
  /// The changes of the schema of the container.
  var schemaChanges: [SchemaChange] = []
}

/// Saves given records in a transaction. It must not outlive the transaction.
///
/// The records of a database are saved together, as a request of an app would, so that their order
/// does not matter.
struct PutRun {
  /// A record that is saved together with others.
  private struct Pending {
    let given: InputRecord
    let draft: DraftRecord
    let stored: ResultRecord?
    let isDamaged: Bool
    /// The place of its change in the result.
    let position: Int
  }

  private var zones: [ZoneLocation] = []
  /// The change of each record; nil while it is pending.
  private var changes: [PutChange?] = []
  private var pending: [DatabaseScope: [Pending]] = [:]
  private var pendingIDs: Set<RecordLocation> = []

  private let transaction: ContainerTransaction
  private let options: PutOptions
  private let validation: Archiver.Validation?
  private let merge: DraftBuilder
  private let container: String
  /// Saves by CloudKit's rules; nil with `--unchecked`.
  private let server: ServerTransaction?
  /// The metadata of the container before the saves.
  private let info: ContainerInfo
  private let census: RecordCensus
  /// The saved records, each once.
  private var saved: [RecordLocation] = []
  private var savedPlaces: Set<RecordLocation> = []

  init(
    transaction: ContainerTransaction, options: PutOptions, validation: Archiver.Validation?,
    container: String
  ) throws {
    self.transaction = transaction
    self.options = options
    self.validation = validation
    self.container = container
    census = RecordCensus(source: container)
    server = options.unchecked ? nil : ServerTransaction(transaction)
    info = try transaction.info()
    // A schema with errors says nothing about types; only --validate needs a valid one.
    let schema = info.schemaDocument(of: container).flatMap {
      try? $0.validSchema()
    }
    merge = DraftBuilder(
      // With --create-only, a record that was deleted is created again.
      replaces: options.replace, ignoresChangeTag: options.ignoreChangeTags || options.createOnly,
      isDeleted: { try transaction.tombstone(of: $0, in: $1) != nil }, schema: schema)
  }

  mutating func save(_ given: InputRecord) throws {
    let database = given.database ?? options.database
    let zoneID = try given.zoneID ?? zoneOfOptions(in: database)
    let recordID = RecordID(recordName: given.recordName ?? UUID().uuidString, zoneID: zoneID)
    let place = RecordLocation(database, recordID)
    if pendingIDs.contains(place) { try savePending(in: database) }
    let (stored, isDamaged) = try self.stored(recordID, in: database)
    if stored != nil, options.createOnly {
      throw given.failure(
        "it exists in zone '\(zoneID)' of the \(database.rawValue) database; without "
          + "--create-only, it is changed")
    }
    if try !transaction.hasZone(zoneID, in: database) {
      guard options.createZone else {
        throw given.failure(
          "zone '\(zoneID)' is not in the \(database.rawValue) database; --create-zone creates it")
      }
      let zone = RecordZone(zoneID: zoneID)
      try given.reading {
        if let server {
          try server.save(zone, in: database)
        } else {
          try transaction.save(zone, in: database)
        }
      }
      zones.append(ZoneLocation(database, zoneID))
    }
    let draft = try merge.draft(of: given, recordID: recordID, in: database, over: stored)
    if let stored, Self.isSame(draft, stored) {
      return changes.append(PutChange(stored, from: stored, in: database))
    }
    pending[database, default: []].append(
      Pending(
        given: given, draft: draft, stored: stored, isDamaged: isDamaged, position: changes.count))
    changes.append(nil)
    pendingIDs.insert(place)
    if server == nil { try savePending(in: database) }
    if validation != nil, savedPlaces.insert(place).inserted { saved.append(place) }
  }

  private mutating func savePending(in database: DatabaseScope) throws {
    guard let pending = pending.removeValue(forKey: database) else { return }
    let drafts = pending.map(\.draft)
    var records: [RecordID: ResultRecord] = [:]
    if let server {
      do {
        records = try server.save(drafts, in: database)
      } catch let rejection as ServerTransaction.Rejection {
        // The transaction is rolled back in any case. Some rules hold for every save.
        let canSave = (try? transaction.save(drafts, in: database)) != nil
        throw pending[rejection.index].given.failure(
          "\(rejection.error)"
            + (canSave ? "; --unchecked saves it without CloudKit's rules" : ""))
      }
    } else if let given = pending.first?.given {
      for record in try given.reading({ try transaction.save(drafts, in: database) }) {
        records[record.recordID] = record
      }
    }
    for save in pending {
      pendingIDs.remove(RecordLocation(database, save.draft.recordID))
      changes[save.position] = records[save.draft.recordID].map {
        PutChange($0, from: save.stored, replacingDamage: save.isDamaged, in: database)
      }
    }
  }

  /// Returns the stored record; nil if there is none, or if it is damaged and is replaced.
  private func stored(
    _ recordID: RecordID, in database: DatabaseScope
  ) throws -> (record: ResultRecord?, isDamaged: Bool) {
    switch try transaction.readableRecord(recordID, in: database) {
    case .success(let stored): return (stored?.record, false)
    case .failure(let error):
      guard options.replace else { throw error }
      return (nil, true)
    }
  }

  /// The zone of records that name none.
  private func zoneOfOptions(in database: DatabaseScope) throws -> ZoneID {
    try options.zone.flatMap { zone in
      try ZoneID(argument: zone.argument) { try transaction.hasZone($0, in: database) }
    } ?? .default
  }

  /// Whether a save would change only the tag and the stamp of a record.
  private static func isSame(_ draft: DraftRecord, _ stored: ResultRecord) -> Bool {
    let system = stored.systemFields
    return draft.fields.elementsEqual(stored.fields) && draft.parent == system.parent
      && draft.share == system.share && draft.otherMembers == system.otherMembers
  }

  /// Saves the pending records, and validates all saved ones, each as it is after all saves.
  ///
  /// - Returns: The result of all saves.
  /// - Throws: `CommandError`; `ArchiveError`; `SchemaError.syntax` for an invalid schema.
  mutating func finish() throws -> PutResult {
    for database in pending.keys.sorted() { try savePending(in: database) }
    var result = PutResult(changes: changes.compactMap { $0 }, zones: zones)
    var grown = try transaction.info()
    if grown.schema != info.schema, let after = grown.schemaDocument(of: container) {
      let before = info.schemaDocument(of: container)?.schema ?? CloudSchema(recordTypes: [])
      result.schemaChanges = SchemaDiff(from: before, to: after.schema).changes
    }
    guard let validation, !saved.isEmpty else { return result }
    var census = census
    for place in saved {
      try Interruption.check()
      guard let record = try transaction.record(for: place.recordID, in: place.database) else {
        continue
      }
      try census.add(record, in: place.database)
    }
    let found = try validation.validate(census, embedded: info.schemaDocument(of: container))
    validation.report?(found)
    if found.fails(at: validation.failOn) { throw ArchiveError.validationFailed(found) }
    // A save in development has added to the schema already.
    guard let growth = found.extendedSchema, !growth.changes.isEmpty, grown.schema == info.schema
    else { return result }
    result.schemaChanges = growth.changes.changes
    grown.schema = SchemaPrinter().print(growth.schema)
    try transaction.setInfo(grown)
    return result
  }
}

/// The change of a record by a save: the names of the changed fields, without values.
struct PutChange {
  enum Kind: String, CaseIterable {
    case added, changed, unchanged
  }

  let kind: Kind
  let location: RecordLocation
  let recordType: String
  /// The names of the fields that were set, and of the system fields that changed.
  let fields: [String]
  /// The names of the removed fields.
  let removed: [String]

  init(
    _ saved: ResultRecord, from stored: ResultRecord?, replacingDamage isDamaged: Bool = false,
    in database: DatabaseScope
  ) {
    location = RecordLocation(database, saved)
    recordType = saved.recordType
    let names = saved.fields.filter { $0 != stored?.field(named: $0.name) }.map(\.name)
    fields = names + Self.systemFields(of: saved, from: stored)
    removed = stored?.fields.map(\.name).filter { saved.field(named: $0) == nil } ?? []
    kind =
      if stored == nil, !isDamaged {
        .added
      } else if saved == stored {
        .unchanged
      } else {
        .changed
      }
  }

  private static func systemFields(
    of saved: ResultRecord, from stored: ResultRecord?
  ) -> [String] {
    guard let old = stored?.systemFields else { return [] }
    let new = saved.systemFields
    let others = Set((new.otherMembers + old.otherMembers).map { ExactString($0.name) }).sorted()
      .map(\.string).filter { new.otherMembers[$0] != old.otherMembers[$0] }
    return (new.parent == old.parent ? [] : ["parent"]) + (new.share == old.share ? [] : ["share"])
      + others
  }

  /// The line of the report; nil for a record that was not saved.
  func line(_ style: TerminalStyle) -> String? {
    let name = location.text(recordType)
    switch kind {
    case .added: return style.paint("+ \(name)", .green)
    case .unchanged: return nil
    case .changed:
      let names = fields.map(\.visible) + removed.map { "\($0.visible) (removed)" }
      return style.paint("~ \(name)", .yellow) + ": " + names.joined(separator: ", ")
    }
  }

  var json: JSONValue {
    .merging(
      ["change": kind.rawValue], location.json(recordType),
      kind == .changed ? ["fields": fields, "removed": removed] : [:])
  }
}
