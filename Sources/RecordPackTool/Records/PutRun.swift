import Foundation
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
struct PutRun {
  private var result = PutResult()

  private let transaction: ContainerTransaction
  private let options: PutOptions
  private let validation: Archiver.Validation?
  private let merge: DraftBuilder
  private let container: String
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
    // A schema with errors says nothing about types; only --validate needs a valid one.
    let schema = try transaction.info().schemaDocument(of: container).flatMap {
      try? $0.validSchema()
    }
    merge = DraftBuilder(
      // With --create-only, a record that was deleted is created again.
      replaces: options.replace, ignoresChangeTag: options.force || options.createOnly,
      isDeleted: { try transaction.tombstone(of: $0, in: $1) != nil }, schema: schema)
  }

  mutating func save(_ given: InputRecord) throws {
    let database = given.database ?? options.database
    let zoneID = try given.zoneID ?? zoneOfOptions(in: database)
    let recordID = RecordID(recordName: given.recordName ?? UUID().uuidString, zoneID: zoneID)
    let stored = try transaction.record(for: recordID, in: database)
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
      try given.reading { try transaction.save(RecordZone(zoneID: zoneID), in: database) }
      result.zones.append(ZoneLocation(database, zoneID))
    }
    let draft = try merge.draft(of: given, recordID: recordID, in: database, over: stored)
    if let stored, Self.isSame(draft, stored) {
      return result.changes.append(PutChange(stored, from: stored, in: database))
    }
    for saved in try given.reading({ try transaction.save([draft], in: database) }) {
      result.changes.append(PutChange(saved, from: stored, in: database))
    }
    let place = RecordLocation(database, recordID)
    if validation != nil, savedPlaces.insert(place).inserted { saved.append(place) }
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

  /// Validates the saved records, each as it is after all saves.
  ///
  /// - Returns: The result of all saves.
  /// - Throws: `ArchiveError`; `SchemaError.syntax` for an invalid schema.
  mutating func finish() throws -> PutResult {
    guard let validation, !saved.isEmpty else { return result }
    var census = census
    for place in saved {
      try Interruption.check()
      guard let record = try transaction.record(for: place.recordID, in: place.database) else {
        continue
      }
      try census.add(record, in: place.database)
    }
    var info = try transaction.info()
    let found = try validation.validate(census, embedded: info.schemaDocument(of: container))
    validation.report?(found)
    if found.fails(at: validation.failOn) { throw ArchiveError.validationFailed(found) }
    guard let growth = found.extendedSchema, !growth.changes.isEmpty else { return result }
    result.schemaChanges = growth.changes.changes
    info.schema = SchemaPrinter().print(growth.schema)
    try transaction.setInfo(info)
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

  init(_ saved: ResultRecord, from stored: ResultRecord?, in database: DatabaseScope) {
    location = RecordLocation(database, saved)
    recordType = saved.recordType
    let names = saved.fields.filter { $0 != stored?.field(named: $0.name) }.map(\.name)
    fields = names + Self.systemFields(of: saved, from: stored)
    removed = stored?.fields.map(\.name).filter { saved.field(named: $0) == nil } ?? []
    kind =
      if stored == nil { .added } else if saved == stored { .unchanged } else { .changed }
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
