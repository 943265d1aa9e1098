import Foundation
import MockCloud
import RecordArchive
import RecordModel
import RecordSchema

/// Saves given records in a transaction.
struct PutRun {
  private(set) var changes: [RecordChange] = []

  private let transaction: ContainerTransaction
  private let options: PutOptions
  private let validation: Archiver.Validation?
  private let merge: RecordMerge
  private let container: String
  private var census: RecordCensus

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
    merge = RecordMerge(
      replaces: options.replace, ignoresChangeTag: options.force, schema: schema)
  }

  mutating func save(_ given: GivenRecord) throws {
    let database = given.database ?? options.database
    let zoneID = given.zoneID ?? options.zone?.zoneID ?? .default
    let recordID = RecordID(recordName: given.recordName ?? UUID().uuidString, zoneID: zoneID)
    let stored = try transaction.record(recordID, in: database)
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
    }
    let draft = try merge.draft(of: given, recordID: recordID, over: stored)
    if let stored, Self.isSame(draft, stored) {
      return changes.append(RecordChange(stored, from: stored, in: database))
    }
    for saved in try given.reading({ try transaction.save([draft], in: database) }) {
      changes.append(RecordChange(saved, from: stored, in: database))
      if validation != nil { try census.add(saved, in: database) }
    }
  }

  /// Whether a save would change only the tag and the stamp of a record.
  private static func isSame(_ draft: DraftRecord, _ stored: ResultRecord) -> Bool {
    let system = stored.systemFields
    return draft.fields.elementsEqual(stored.fields) && draft.parent == system.parent
      && draft.share == system.share && draft.otherMembers == system.otherMembers
  }

  /// Validates what was saved.
  ///
  /// - Throws: `RecordValidationError`; `SchemaSyntaxError` for an invalid schema.
  func finish() throws {
    guard let validation, changes.contains(where: { $0.kind != .unchanged }) else { return }
    var info = try transaction.info()
    let found = try validation.judge(census, embedded: info.schemaDocument(of: container))
    validation.report?(found)
    if found.fails(at: validation.failOn) { throw RecordValidationError.failed(found) }
    guard let growth = found.extendedSchema, !growth.changes.isEmpty else { return }
    info.schema = SchemaPrinter().print(growth.schema)
    try transaction.setInfo(info)
  }
}
