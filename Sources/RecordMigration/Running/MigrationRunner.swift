import RecordCoding
import RecordModel

/// Runs migrations on records and counts the results.
///
/// Not thread-safe: each thread uses its own runner.
package final class MigrationRunner {
  /// The steps of each migration, and the same steps for records that already have the resulting
  /// type.
  private let stages: [[PreparedStep]]
  private let stagesForOthers: [[PreparedStep]]
  let environment: MigrationEnvironment
  let isDryRun: Bool
  /// A report with all counts at zero.
  let empty: MigrationReport
  /// The counts, without those of recipes.
  @exclusivity(unchecked) var counted: MigrationReport
  /// The results for the last record: usually the record itself, none if it is left behind, or
  /// several if a step in Swift created them. Valid until the next record.
  @exclusivity(unchecked) package internal(set) var results: [EditableRecord] = []
  /// The records that were left behind so far, with the IDs that references to them have: those at
  /// the start of the migration that left them behind.
  @exclusivity(unchecked) package internal(set) var leftBehind:
    [(database: DatabaseScope, recordID: RecordID)] = []
  /// The index of the migration that left the last of these behind.
  @exclusivity(unchecked) private(set) var lastLeavingStage = 0
  /// The records that steps made of the last record.
  @exclusivity(unchecked) private(set) var made: [EditableRecord] = []
  /// The ID at the start of the stage of the record whose steps run, or `nil` if it is that of the
  /// source; and the index of the stage.
  @exclusivity(unchecked) private var running: (ownID: RecordID?, stage: Int) = (nil, 0)
  let migrator: Migrator
  @exclusivity(unchecked) private var sourceCheck: SourceCheck?
  @exclusivity(unchecked) private var resultCheck: ResultCheck?
  @exclusivity(unchecked) private(set) var identities: [RecordIDMap.Lookup?]
  let dangling: RecordIDMap.Lookup?
  /// For each stage, the last record type and the steps that apply to it.
  @exclusivity(unchecked) private var selections: [(recordType: String, steps: [PreparedStep])?]
  @exclusivity(unchecked) var recipes = MigrationRecipes()
  @exclusivity(unchecked) private var untouched: (recordType: String, isIt: Bool, isJoined: Bool)?
  /// Whether steps move records to other zones.
  private let movesRecords: Bool
  /// The new targets of the references of the last record, if steps move records.
  @exclusivity(unchecked) private var newTargets: Set<RecordID> = []

  package init(_ migrator: Migrator, environment: MigrationEnvironment, isDryRun: Bool = false) {
    self.migrator = migrator
    self.environment = environment
    self.isDryRun = isDryRun
    func prepared(isForOthers: Bool) -> [[PreparedStep]] {
      migrator.stages.map { stage in
        stage.steps.enumerated().map {
          PreparedStep($1, index: stage.firstStep + $0, place: $0, isForOthers: isForOthers)
        }
      }
    }
    stages = prepared(isForOthers: false)
    stagesForOthers = prepared(isForOthers: true)
    empty = migrator.emptyReport()
    counted = empty
    sourceCheck = migrator.source.map(SourceCheck.init)
    resultCheck = migrator.target.map(ResultCheck.init)
    identities = stages.indices.map { environment.identities[$0].map(RecordIDMap.Lookup.init) }
    dangling = environment.leftBehind.map(RecordIDMap.Lookup.init)
    selections = stages.map { _ in nil }
    movesRecords = migrator.steps.contains { $0.action.effects.changes.contains(.zone) }
  }

  /// Returns the report and the records left behind since the last call, and forgets them. Results
  /// that were learnt from records remain.
  package func takeOutcome() -> (
    report: MigrationReport, leftBehind: [(database: DatabaseScope, recordID: RecordID)]
  ) {
    defer {
      counted = empty
      leftBehind = []
    }
    recipes.count(in: &counted)
    return (counted, leftBehind)
  }

  /// Migrates a record, which must be unchanged since it was loaded.
  ///
  /// Records are migrated step by step. If no step reads a record's values, the next record with
  /// the same fields gets the same edits without running the steps.
  ///
  /// - Throws: ``MigrationError`` if the record does not match the source schema, or a result does
  ///   not match the target schema; if a value does not fit and the policy is to fail. A dry
  ///   run counts these errors instead.
  package func run(_ record: EditableRecord) throws {
    forgetResults()
    try migrate(record)
    if movesRecords { countCrossing(from: record.sourceZoneID) }
    if dangling != nil { countDangling(record.database) }
  }

  /// Migrates a record, and returns the results: the record itself if nothing changed it.
  package func run(
    _ record: ResultRecord, in database: DatabaseScope
  ) throws -> [ResultRecord] {
    let editable = EditableRecord(record, in: database)
    try run(editable)
    // A record created by a step in Swift also counts as unchanged, but is a different record.
    return results.map { $0 === editable && $0.isUnchanged ? record : $0.resultRecord }
  }

  func runSteps(_ record: EditableRecord) throws {
    counted.records += 1
    if let problem = sourceCheck?.problem(of: record) {
      return try note(problem, ofSource: record)
    }
    let (_, isUntouched, isJoined) = known(record.recordType)
    if isUntouched { counted.unchanged += 1 }
    if isUntouched, !isJoined {
      results.append(record)
    } else {
      try advance(record, stage: 0, step: 0, to: stages.count)
    }
    try checkResults(of: record)
    counted.results += results.count
  }

  private func checkResults(of record: EditableRecord) throws {
    if results.count > 1 { try checkNames(of: record) }
    var wrong: [Int] = []
    for index in results.indices {
      if let problem = resultCheck?.problem(of: results[index]) {
        try note(problem, ofResultOf: record)
        wrong.append(index)
      }
    }
    for index in wrong.reversed() { results.remove(at: index) }
  }

  private func checkNames(of record: EditableRecord) throws {
    var seen: [RecordID: String] = [:]
    for result in results {
      guard let other = seen.updateValue(result.recordType, forKey: result.recordID) else {
        continue
      }
      let error = MigrationError.collision(result.recordID, other, result.recordType)
      guard isDryRun else { throw error }
      counted.collisions.add("\(record.sourceType) '\(record.sourceID)': \(error)")
    }
  }

  /// Runs some stages only, without checks.
  func run(_ record: EditableRecord, stages range: Range<Int>) throws -> [EditableRecord] {
    forgetResults()
    try advance(record, stage: range.lowerBound, step: 0, to: range.upperBound)
    return results
  }

  private func forgetResults() {
    results.removeAll(keepingCapacity: true)
    if !made.isEmpty { made = [] }
    if !newTargets.isEmpty { newTargets = [] }
  }

  /// Returns the ID of the record whose step runs, at the start of the migration: references in
  /// other records still have it.
  func firstID(of record: EditableRecord) -> RecordID { running.ownID ?? record.sourceID }

  /// Returns a value of another record at the start of the migration whose step runs; `nil` if the
  /// record is unknown.
  func lookUp(
    _ source: LookUpSource, _ recordID: RecordID, in database: DatabaseScope
  ) -> Field?? {
    environment.lookUps[running.stage]?.field(source, of: recordID, in: database)
  }

  private func known(_ recordType: String) -> (recordType: String, isIt: Bool, isJoined: Bool) {
    if let untouched, untouched.recordType.sameScalars(as: recordType) { return untouched }
    let known = (
      recordType, migrator.isUntouched(recordType, environment), migrator.isJoined(recordType)
    )
    untouched = known
    return known
  }

  /// Runs the rest of a stage and all following stages on a record.
  ///
  /// - Parameter ownID: The ID at the start of the stage, if it is not the current one.
  private func advance(
    _ record: EditableRecord, stage first: Int, step firstStep: Int, to end: Int,
    from ownID: RecordID? = nil
  ) throws {
    var step = firstStep
    for number in first..<end {
      // References to the record have the ID that it has now.
      let now = record.didChangeID ? record.peeking { record.recordID } : nil
      let ownID = number == first ? ownID ?? now : now
      guard try run(record, ownID, stage: number, from: step, to: end) else { return }
      step = 0
      if identities[number] != nil { rewriteReferences(of: record, after: number) }
    }
    results.append(record)
  }

  /// Runs a stage on a record.
  ///
  /// - Parameter ownID: The ID at the start of the stage, or `nil` if it is that of the source.
  /// - Returns: Whether to continue with the record. False if it is left behind or replaced.
  private func run(
    _ record: EditableRecord, _ ownID: RecordID?, stage number: Int, from first: Int, to end: Int
  ) throws -> Bool {
    // A step that runs others, which change this, is the last one that runs on the record here.
    running = (ownID, number)
    var steps = self.steps(number, for: record.recordType)
    var position = first == 0 ? 0 : steps.firstIndex { $0.place >= first } ?? steps.endIndex
    while position < steps.endIndex {
      let step = steps[position]
      position += 1
      guard step.looks(at: record) else { continue }
      switch try take(step, record) {
      case .unchanged, .ambiguous, .changed, .dropped: break
      case .failed: return false
      case .gone:
        leave(record, ownID, number)
        return false
      case .replaced(let others):
        let (arrived, left) = (results.count, leftBehind.count)
        for other in others { try advance(other, stage: number, step: step.place + 1, to: end) }
        let isGone = others.isEmpty || results.count == arrived && leftBehind.count > left
        if isGone { leave(record, ownID, number) }
        return false
      case .split(let others, _):
        made += others
        try advance(
          record, stage: number, step: step.place + 1, to: end, from: ownID ?? record.sourceID)
        for other in others { try advance(other, stage: number, step: step.place + 1, to: end) }
        return false
      case .retyped:
        steps = self.steps(number, for: record.recordType)
        position = steps.firstIndex { $0.place > step.place } ?? steps.endIndex
      }
    }
    return true
  }

  private func leave(_ record: EditableRecord, _ ownID: RecordID?, _ number: Int) {
    // No edit depends on the ID that is read here.
    let recordID = ownID ?? record.peeking { record.sourceID }
    leftBehind.append((record.database, recordID))
    lastLeavingStage = number
  }

  /// Returns the steps of a stage that apply to records of a type.
  private func steps(_ number: Int, for recordType: String) -> [PreparedStep] {
    if let known = selections[number], known.recordType.sameScalars(as: recordType) {
      return known.steps
    }
    let stage = migrator.stages[number]
    let steps =
      (stage.steps(for: recordType).map { stages[number][$0] }
      + stage.arrivals(at: recordType).map { stagesForOthers[number][$0] })
      .sorted { $0.place < $1.place }
    selections[number] = (recordType, steps)
    return steps
  }

  func migrate(_ record: EditableRecord) throws {
    if let outline = record.editKey {
      guard let place = recipes.place(of: outline) else { return try learn(record, outline) }
      if follow(recipes[place].result, record) {
        recipes[place].uses += 1
        return
      }
    }
    record.begin()
    try runSteps(record)
  }

  /// Migrates a record step by step, and keeps the result as a recipe for similar records.
  private func learn(_ record: EditableRecord, _ outline: EditableRecord.EditKey) throws {
    record.begin()
    let (before, left) = (counted, leftBehind.count)
    counted = empty
    var learnt: MigrationRecipe?
    defer {
      let added = counted
      counted = before
      counted.add(added)
      if let learnt { recipes.add(learnt, &counted) }
    }
    try runSteps(record)
    let result: MigrationRecipe.Result
    if record.dependsOnValues {
      result = .none
    } else if results.isEmpty, leftBehind.count == left + 1, let last = leftBehind.last {
      result = .leftBehind(
        LearntEdits(record.edits), from: last.recordID.zoneID, stage: lastLeavingStage)
    } else {
      result =
        results.count == 1 && results[0] === record ? .edits(LearntEdits(record.edits)) : .none
    }
    learnt = MigrationRecipe(outline, record.editKeyObjects, result, counts: counted)
  }

  /// Applies a recipe to a record.
  ///
  /// - Returns: `false` if the result depends on the record's values.
  private func follow(_ recipe: MigrationRecipe.Result, _ record: EditableRecord) -> Bool {
    switch recipe {
    case .none: return false
    case .leftBehind(let edits, let zoneID, let stage):
      guard record.apply(edits) else { return false }
      // References that the stages before rewrite are counted.
      for number in 0..<stage where hasNewTargets(record, number) { return false }
      let recordID = RecordID(packedName: record.sourceID.packedName, zoneID: zoneID)
      leftBehind.append((record.database, recordID))
      return true
    case .edits(let edits):
      guard record.apply(edits) else { return false }
      for number in identities.indices where identities[number] != nil {
        // A later stage may depend on the updated target of a reference, or drop it.
        if number < identities.count - 1, hasNewTargets(record, number) { return false }
        rewriteReferences(of: record, after: number)
      }
      results.append(record)
      return true
    }
  }

  /// Counts the references of the results to records that are left behind, and the results whose
  /// relationships lead to them.
  func countDangling(_ database: DatabaseScope) {
    guard let dangling else { return }
    for result in results {
      if dangling.mayConcern(result) {
        counted.danglingReferences += result.countReferences {
          dangling.newIdentity(of: $0, in: database) != nil
        }
      }
      guard CoreDataNames.isMirrored(result.recordType) else { continue }
      let record = result.peeking { result.resultRecord }
      let zoneID = record.recordID.zoneID
      let targets =
        record.mirroredLink?.sides.map { (CoreDataNames.linkRecordsField, $0.recordID) }
        ?? record.possibleTargets.map {
          ($0.field.string, RecordID(recordName: $0.name.string, zoneID: zoneID))
        }
      for (name, target) in targets where dangling.newIdentity(of: target, in: database) != nil {
        counted.danglingRelationships.add(
          "\(record.recordType) '\(record.recordID)': '\(name)' leads to '\(target)'")
      }
    }
  }

  /// Counts the results with references to another zone that are new: they have a new target, or the
  /// record has moved.
  private func countCrossing(from zoneID: ZoneID) {
    for result in results {
      let own = result.zoneID
      let hasMoved = own != zoneID
      guard hasMoved || !newTargets.isEmpty else { continue }
      var target: RecordID?
      let count = result.countReferences {
        guard $0.zoneID != own, hasMoved || newTargets.contains($0) else { return false }
        target = target ?? $0
        return true
      }
      guard count > 0, let target else { continue }
      let name = result.peeking { result.described }
      counted.crossingReferences.add("\(name) refers to '\(target)'")
    }
  }

  /// Whether a stage rewrites a reference that the record has, or had when it was loaded.
  func hasNewTargets(_ record: EditableRecord, _ number: Int) -> Bool {
    guard identities[number]?.mayConcern(record) == true else { return false }
    let database = record.database
    return record.hasReference(where: { newTarget(of: $0, number, database) != nil })
  }

  /// Rewrites the references to records that a stage renames or moves, and counts them.
  func rewriteReferences(of record: EditableRecord, after number: Int) {
    guard identities[number]?.mayConcern(record) == true else { return }
    let database = record.database
    counted.rewrittenReferences += record.mapReferences {
      let target = newTarget(of: $0, number, database)
      if movesRecords, let target { newTargets.insert(target) }
      return target
    }
  }

  private func newTarget(
    of recordID: RecordID, _ number: Int, _ database: DatabaseScope
  ) -> RecordID? {
    let new = identities[number]?.newIdentity(of: recordID, in: database)
    return new == recordID ? nil : new
  }
}
