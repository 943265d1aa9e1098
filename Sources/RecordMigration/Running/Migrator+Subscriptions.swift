import RecordModel

extension Migrator {
  /// Returns a subscription with the new names of record types and fields. Ignores steps with a
  /// condition, because they only change some records.
  package func migrate(_ subscription: CloudSubscription) -> CloudSubscription {
    var subscription = subscription
    for step in steps where step.condition == nil {
      guard step.selection.databases == nil, step.selection.zoneNames == nil else { continue }
      switch subscription.kind {
      case .query(var query, let zoneID, let firesOn, let firesOnce):
        guard step.selection.contains(recordType: query.recordType) else { continue }
        query.take(step.action.effects)
        subscription.kind = .query(query, zoneID: zoneID, firesOn: firesOn, firesOnce: firesOnce)
        if let (name, newName) = step.action.effects.renames {
          subscription.notificationInfo?.rename(name, newName)
        }
      case .zone(let zoneID, let type?):
        guard let name = step.newType(of: type) else { continue }
        subscription.kind = .zone(zoneID, recordType: name)
      case .database(let type?):
        guard let name = step.newType(of: type) else { continue }
        subscription.kind = .database(recordType: name)
      case .zone, .database: continue
      }
    }
    return subscription
  }

  /// Returns the tombstone of a deleted record with the new name of its type.
  package func migrate(_ tombstone: DeletedRecord, in database: DatabaseScope) -> DeletedRecord {
    var tombstone = tombstone
    for step in steps where step.condition == nil {
      guard let type = tombstone.recordType,
        step.selection.contains(database: database, zoneID: tombstone.recordID.zoneID),
        let name = step.newType(of: type)
      else { continue }
      tombstone.recordType = name
    }
    return tombstone
  }
}

extension MigrationStep {
  fileprivate func newType(of type: String) -> String? {
    guard selection.recordTypes?.containsName(type) == true else { return nil }
    return action.effects.newType?.name
  }
}

extension RecordQuery {
  fileprivate mutating func take(_ effects: StepEffects) {
    if let type = effects.newType { recordType = type.name }
    guard let (name, newName) = effects.renames else { return }
    for index in filters.indices where filters[index].fieldName.sameScalars(as: name) {
      filters[index].fieldName = newName
    }
    for index in sort.indices where sort[index].fieldName.sameScalars(as: name) {
      sort[index].fieldName = newName
    }
  }
}

extension NotificationInfo {
  fileprivate mutating func rename(_ name: String, _ newName: String) {
    func renamed(_ list: [String]) -> [String] {
      list.map { $0.sameScalars(as: name) ? newName : $0 }
    }
    alertLocalizationArgs = renamed(alertLocalizationArgs)
    titleLocalizationArgs = renamed(titleLocalizationArgs)
    subtitleLocalizationArgs = renamed(subtitleLocalizationArgs)
    desiredKeys = renamed(desiredKeys)
  }
}
