import RecordModel

/// The result of a request to save and delete records.
struct ModifyAnswer: Sendable {
  var saveResults: [RecordID: Result<ResultRecord, any Error>] = [:]
  var deleteResults: [RecordID: Result<Void, any Error>] = [:]
  /// The deleted records whose referring records are deleted later.
  var deferred: [RecordID] = []
}

extension ModifyRequest {
  /// Writes the records that the mock did not reject.
  func apply(_ notifier: Notifier) throws -> ModifyAnswer {
    var answer = ModifyAnswer()
    answer.saveResults.reserveCapacity(saves.count)
    var saved = Set<RecordID>(minimumCapacity: saves.count)
    let left = try deletions.filter { errors[$0] == nil }.filter(endsParticipation)
    var known: Set<RecordID> = []
    let removed = try deletions.filter { errors[$0] == nil }.flatMap { try removals(with: $0) }
      .filter { known.insert($0).inserted }
    let tracker = try tracker(removing: removed, leaving: left)
    for save in saves {
      if let error = errors[save.recordID] {
        answer.saveResults[save.recordID] = .failure(error)
        continue
      }
      let record = try transaction.save(
        save.merged, over: save.row, replacingDamage: save.damage != nil)
      try note(save.stored == nil ? .create : .update, record.stored, notifier)
      answer.saveResults[save.recordID] = .success(record.shown)
      saved.insert(save.recordID)
      if save.stored == nil, save.recordID.isZoneWideShare {
        try setShare(Reference(recordID: save.recordID), of: save.recordID.zoneID)
      }
    }
    try writeSchema()
    if rules.parentOfSavedChild != .stays {
      try touchParents(except: saved.union(removed), of: saved)
    }
    let unshared = try removed.flatMap { try referrers(to: $0, as: .share) }
    // The readers of a record are known as long as its share and the records above it exist.
    for recordID in removed { try noteDeletion(of: recordID, notifier) }
    for recordID in removed {
      try transaction.delete(recordID)
      if recordID.isZoneWideShare { try setShare(nil, of: recordID.zoneID) }
    }
    // Source: Apple's documentation of `CKShare`: a record whose share is deleted is not shared.
    for recordID in Set(unshared).subtracting(removed).sorted() {
      try transaction.removeShare(of: recordID)
      if saved.contains(recordID), let record = try transaction.record(recordID) {
        answer.saveResults[recordID] = .success(record)
      }
    }
    for recordID in left { try leave(recordID, notifier) }
    try tracker?.finish(notifier, transaction.view)
    for recordID in deletions {
      answer.deleteResults[recordID] = errors[recordID].map { .failure($0) } ?? .success(())
    }
    if rules.defaultZoneCascade == .later {
      answer.deferred = removed.filter { $0.zoneID.isDefault }
    }
    return answer
  }

  private func setShare(_ share: Reference?, of zoneID: ZoneID) throws {
    guard var zone = try transaction.zone(zoneID) else { return }
    zone.share = share
    try transaction.save(zone)
  }

  /// Notes that a record, which still exists, is deleted.
  private func noteDeletion(of recordID: RecordID, _ notifier: Notifier) throws {
    guard notifier.hasSubscribers, let record = try transaction.intactRecord(recordID)
    else { return }
    try note(.delete, transaction.view.inContainer(record), notifier)
  }

  /// Notes what happens to a record of the container.
  private func note(
    _ change: CloudSubscription.ChangeType, _ record: ResultRecord, _ notifier: Notifier
  ) throws {
    guard notifier.hasSubscribers else { return }
    let scope = transaction.view.scope(ofStored: record.recordID.zoneID)
    try notifier.note(change, record, in: scope)
  }

  /// Ends the user's part in a share.
  private func leave(_ recordID: RecordID, _ notifier: Notifier) throws {
    guard let row = try transaction.storedRecord(recordID) else { return }
    let record = transaction.view.visible(row.record)
    guard var share = record.shareInfo else { return }
    let user = transaction.view.user
    share.participants.removeAll {
      $0.userIdentity.userRecordName?.sameScalars(as: user) ?? false
    }
    let saved = try transaction.save(record.replacingShareInfo(share), over: row)
    try note(.update, saved.stored, notifier)
  }

  /// Returns what notes the changes of access; nil if the container has one user only.
  private func tracker(
    removing removed: [RecordID], leaving left: [RecordID]
  ) throws -> AccessTracker? {
    guard scope != .public, try !transaction.base.info().otherAccounts.isEmpty else { return nil }
    let tracker = try AccessTracker(transaction.container)
    for save in saves where errors[save.recordID] == nil {
      guard let stored = save.stored.map(transaction.view.inContainer) else {
        // A new share can have participants who have accepted. They see the zone from now on.
        if save.merged.isShare {
          try tracker.includeZone(transaction.view.inContainer(save.merged).recordID.zoneID)
        }
        continue
      }
      if stored.isShare {
        try tracker.includeShare(stored.recordID)
      } else if save.stored?.parent != save.merged.parent || save.stored?.share != save.merged.share
      {
        try tracker.include(stored.recordID)
      }
    }
    for recordID in removed {
      guard let record = try transaction.intactRecord(recordID) else { continue }
      try tracker.includeDeleted(transaction.view.inContainer(record))
    }
    for recordID in left {
      guard let record = try transaction.record(recordID) else { continue }
      try tracker.includeShare(transaction.view.inContainer(record).recordID)
    }
    return tracker
  }

  /// Gives the parents of saved records new change tags, each one once.
  private func touchParents(except others: Set<RecordID>, of saved: Set<RecordID>) throws {
    var touched = others
    for save in saves where saved.contains(save.recordID) {
      guard let parent = save.merged.parent?.recordID, touched.insert(parent).inserted else {
        continue
      }
      try transaction.advanceChangeTag(of: parent, isChange: rules.parentOfSavedChild == .changes)
    }
  }

  /// Deletes the records that refer to deleted records with `deleteSelf`.
  ///
  /// - Returns: the deleted records.
  func cascade(from targets: [RecordID], _ notifier: Notifier) throws -> [RecordID] {
    var deleted: [RecordID] = []
    var gone: Set<RecordID> = []
    for target in targets where try !transaction.contains(target) {
      for recordID in try referrers(to: target, as: .owner) where !gone.contains(recordID) {
        let removed = try owned(by: recordID).filter { !gone.contains($0) }
        do {
          try ChildrenRule.check(removed, among: gone.union(removed), self)
        } catch is CloudError {
          continue
        }
        for recordID in removed { try noteDeletion(of: recordID, notifier) }
        for recordID in removed { try transaction.delete(recordID) }
        gone.formUnion(removed)
        deleted += removed
      }
    }
    return deleted
  }
}
