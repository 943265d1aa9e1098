import RecordCoding
import RecordModel

extension MigrationRunner {
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
}
