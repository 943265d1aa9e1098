import RecordCoding
import RecordModel

/// Takes records through migrations, one after the other, and counts what is done.
///
/// It belongs to one thread; each part of the whole has one of its own.
package final class MigrationRunner {
  /// The steps of each migration, and the same for records that have the type they give to others.
  private let stages: [[PreparedStep]]
  private let stagesForOthers: [[PreparedStep]]
  let environment: MigrationEnvironment
  let isDryRun: Bool
  /// What was counted, but for what recipes did.
  @exclusivity(unchecked) var counted: MigrationReport
  /// What has become of the last record: usually itself, nothing where it is left behind, several
  /// where a step in Swift made them. Valid until the next one.
  @exclusivity(unchecked) package private(set) var results: [EditableRecord] = []
  /// The records that were left behind so far, as they were called then.
  @exclusivity(unchecked) package private(set) var leftBehind:
    [(database: DatabaseScope, recordID: RecordID)] = []
  let migrator: Migrator
  @exclusivity(unchecked) private var sourceCheck: SourceCheck?
  @exclusivity(unchecked) private var resultCheck: ResultCheck?
  @exclusivity(unchecked) private var identities: [IdentityMap.Lookup?]
  private let dangling: IdentityMap.Lookup?
  /// For each stage, the type records had when it was reached last, and the steps that look at it.
  @exclusivity(unchecked) private var selections: [(recordType: String, steps: [PreparedStep])?]
  @exclusivity(unchecked) private var recipes = MigrationRecipes()
  @exclusivity(unchecked) private var untouched: (recordType: String, isIt: Bool, isJoined: Bool)?

  package init(
    _ migrator: Migrator, environment: MigrationEnvironment, isDryRun: Bool = false
  ) {
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
    counted = migrator.emptyReport()
    sourceCheck = migrator.source.map(SourceCheck.init)
    resultCheck = migrator.target.map(ResultCheck.init)
    identities = stages.indices.map { environment.identities[$0].map(IdentityMap.Lookup.init) }
    dangling = environment.leftBehind.map(IdentityMap.Lookup.init)
    selections = stages.map { _ in nil }
  }

  /// What was done so far.
  package var report: MigrationReport {
    recipes.count(in: &counted)
    return counted
  }

  /// Migrates a record, which must not have been touched since it was loaded.
  ///
  /// A record is migrated step by step. Where no step has looked at its values, the next record
  /// with the same fields gets the same edits, without a step being run.
  ///
  /// - Throws: ``MigrationError`` for a record that does not have the source's schema, for a value
  ///   that does not fit under the policy to fail, and for a result that is not what the target
  ///   schema says. A dry run counts instead.
  package func run(_ record: EditableRecord) throws {
    results.removeAll(keepingCapacity: true)
    try migrate(record)
    if dangling != nil { countDangling(record.database) }
  }

  private func migrate(_ record: EditableRecord) throws {
    if let outline = record.outline {
      guard let place = recipes.place(of: outline) else { return try learn(record, outline) }
      if follow(recipes[place].result, record) {
        recipes[place].uses += 1
        return
      }
    }
    record.begin()
    try runSteps(record)
  }

  /// Migrates a record step by step, and keeps what has become of it for others like it.
  private func learn(_ record: EditableRecord, _ outline: EditableRecord.Outline) throws {
    record.begin()
    let before = counted
    counted = migrator.emptyReport()
    defer { counted = before.adding(counted) }
    try runSteps(record)
    let result: MigrationRecipe.Result
    if record.wasRead {
      result = .none
    } else if results.isEmpty {
      result = .leftBehind(record.zoneID)
    } else {
      result = results.count == 1 && results[0] === record ? .edits(record.edits) : .none
    }
    recipes.add(MigrationRecipe(outline, record.outlineObjects, result, counts: counted))
  }

  /// Changes a record as one like it was changed.
  ///
  /// - Returns: false where its values play a part in it.
  private func follow(_ recipe: MigrationRecipe.Result, _ record: EditableRecord) -> Bool {
    switch recipe {
    case .none: return false
    case .leftBehind(let zoneID):
      let recordID = RecordID(packedName: record.sourceID.packedName, zoneID: zoneID)
      leftBehind.append((record.database, recordID))
      return true
    case .edits(let edits):
      guard record.adopt(edits) else { return false }
      for number in identities.indices where identities[number] != nil {
        // What a later stage does may depend on where a reference leads by then, or drop it.
        if number < identities.count - 1, hasNewTargets(record, number) { return false }
        rewriteReferences(of: record, after: number)
      }
      results.append(record)
      return true
    }
  }

  private func runSteps(_ record: EditableRecord) throws {
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

  /// Refuses results that would be one record.
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

  /// Runs some of the stages only, without any check.
  func run(_ record: EditableRecord, stages range: Range<Int>) throws -> EditableRecord? {
    results.removeAll(keepingCapacity: true)
    try advance(record, stage: range.lowerBound, step: 0, to: range.upperBound)
    // A step in Swift that makes several records of one: the first takes its place.
    return results.first
  }

  private func known(_ recordType: String) -> (recordType: String, isIt: Bool, isJoined: Bool) {
    if let untouched, untouched.recordType.sameScalars(as: recordType) { return untouched }
    let known = (
      recordType, migrator.isUntouched(recordType, environment), migrator.isJoined(recordType)
    )
    untouched = known
    return known
  }

  /// Takes a record through the rest of a stage and all further ones.
  private func advance(
    _ record: EditableRecord, stage first: Int, step firstStep: Int, to end: Int
  ) throws {
    var step = firstStep
    for number in first..<end {
      guard try run(record, stage: number, from: step, to: end) else { return }
      step = 0
      if identities[number] != nil { rewriteReferences(of: record, after: number) }
    }
    results.append(record)
  }

  /// Takes a record through one stage.
  ///
  /// - Returns: whether it goes on; not where it is left behind, or where others took its place.
  private func run(
    _ record: EditableRecord, stage number: Int, from first: Int, to end: Int
  ) throws -> Bool {
    var steps = self.steps(number, for: record.recordType)
    var position = first == 0 ? 0 : steps.firstIndex { $0.place >= first } ?? steps.endIndex
    while position < steps.endIndex {
      let step = steps[position]
      position += 1
      guard step.looks(at: record) else { continue }
      switch try take(step, record) {
      case .keepOn: break
      case .failed: return false
      case .gone:
        leave(record)
        return false
      case .replaced(let others):
        if others.isEmpty { leave(record) }
        for other in others { try advance(other, stage: number, step: step.place + 1, to: end) }
        return false
      case .retyped:
        steps = self.steps(number, for: record.recordType)
        position = steps.firstIndex { $0.place > step.place } ?? steps.endIndex
      }
    }
    return true
  }

  private func leave(_ record: EditableRecord) {
    // Its name plays no part in it.
    let wasRead = record.wasRead
    leftBehind.append((record.database, record.recordID))
    record.wasRead = wasRead
  }

  private func countDangling(_ database: DatabaseScope) {
    for result in results {
      counted.danglingReferences += result.countReferences {
        dangling?.newIdentity(of: $0, in: database) != nil
      }
    }
  }

  /// The steps of a stage that look at records of a type.
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

  private func hasNewTargets(_ record: EditableRecord, _ number: Int) -> Bool {
    let database = record.database
    return record.hasReference(
      where: { identities[number]?.newIdentity(of: $0, in: database) != nil })
  }

  private func rewriteReferences(of record: EditableRecord, after number: Int) {
    let database = record.database
    counted.rewrittenReferences += record.mapReferences {
      identities[number]?.newIdentity(of: $0, in: database)
    }
  }
}
