import RecordModel
import RecordStore

/// The answer to a request to save and delete records.
struct ModifyAnswer: Sendable {
  var saveResults: [RecordID: Result<ResultRecord, any Error>] = [:]
  var deleteResults: [RecordID: Result<Void, any Error>] = [:]
  /// The deleted records whose referring records are deleted later.
  var deferred: [RecordID] = []
}

extension ModifyRequest {
  /// Writes what was not refused.
  func apply(_ notifier: Notifier) throws -> ModifyAnswer {
    var answer = ModifyAnswer()
    var saved: Set<RecordID> = []
    for save in saves {
      if let error = errors[save.recordID] {
        answer.saveResults[save.recordID] = .failure(error)
        continue
      }
      let record = try saver().save(DraftRecord(save.merged))
      notifier.note(save.stored == nil ? .create : .update, record)
      answer.saveResults[save.recordID] = .success(record)
      saved.insert(save.recordID)
    }
    try writeSchema()
    var known: Set<RecordID> = []
    let removed = try deletions.filter { errors[$0] == nil }.flatMap { try removals(with: $0) }
      .filter { known.insert($0).inserted }
    if rules.parentOfSavedChild != .stays {
      try touchParents(except: saved.union(removed), of: saved)
    }
    for recordID in removed { try delete(recordID, notifier) }
    for recordID in deletions {
      answer.deleteResults[recordID] = errors[recordID].map { .failure($0) } ?? .success(())
    }
    if rules.defaultZoneCascade == .later {
      answer.deferred = removed.filter { $0.zoneID.isDefault }
    }
    return answer
  }

  private func delete(_ recordID: RecordID, _ notifier: Notifier) throws {
    try notifier.note(.delete, transaction.record(recordID, in: scope))
    _ = try transaction.delete(recordID, in: scope)
  }

  /// Gives the parents of saved records new change tags, each one once.
  private func touchParents(except others: Set<RecordID>, of saved: Set<RecordID>) throws {
    var touched = others
    for save in saves where saved.contains(save.recordID) {
      guard let parent = save.merged.parent?.recordID, touched.insert(parent).inserted else {
        continue
      }
      try saver().touch(parent, isChange: rules.parentOfSavedChild == .changes)
    }
  }

  /// Deletes the records that refer to deleted records with `deleteSelf`.
  ///
  /// - Returns: the deleted records.
  func cascade(from targets: [RecordID], _ notifier: Notifier) throws -> [RecordID] {
    var deleted: [RecordID] = []
    var gone: Set<RecordID> = []
    for target in targets where try !transaction.contains(target, in: scope) {
      for recordID in try referrers(to: target, as: .owner) where !gone.contains(recordID) {
        let removed = try owned(by: recordID).filter { !gone.contains($0) }
        do {
          try ChildrenRule.check(removed, among: gone.union(removed), self)
        } catch is CloudError {
          continue
        }
        for recordID in removed { try delete(recordID, notifier) }
        gone.formUnion(removed)
        deleted += removed
      }
    }
    return deleted
  }
}
