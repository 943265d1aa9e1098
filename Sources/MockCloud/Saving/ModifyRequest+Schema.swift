import RecordModel
import RecordSchema

extension ModifyRequest {
  /// Judges the records that were not refused by the container's schema, and collects what they add
  /// to it. A record of the request sees the types and fields of those before it.
  ///
  /// The records of a zone that fails as a whole add nothing.
  func judgeBySchema() throws {
    guard let base = pendingSchema?.base else { return }
    var schema = PendingSchema(base)
    for group in savesByFailure {
      var all = schema
      for save in group where errors[save.recordID] == nil {
        try check(save.recordID) {
          var own = all
          try own.judge(save, in: scope, rules)
          all = own
        }
      }
      if !group.contains(where: { errors[$0.recordID] != nil || failsZone(of: $0.recordID) }) {
        schema = all
      }
    }
    pendingSchema = schema
  }

  /// Whether a deletion was refused in the zone of a record, and fails the zone.
  private func failsZone(of recordID: RecordID) -> Bool {
    atomicZones.contains(recordID.zoneID)
      && deletions.contains { $0.zoneID == recordID.zoneID && errors[$0] != nil }
  }

  /// The saves of the request, those together that fail together, in the order of the first ones.
  private var savesByFailure: [[SaveCandidate]] {
    var groups: [[SaveCandidate]] = []
    var places: [ZoneID: Int] = [:]
    for save in saves {
      let zoneID = save.recordID.zoneID
      if let place = places[zoneID] {
        groups[place].append(save)
      } else {
        if atomicZones.contains(zoneID) { places[zoneID] = groups.count }
        groups.append([save])
      }
    }
    return groups
  }

  /// Writes the schema if the saved records added something to it.
  func writeSchema() throws {
    guard let pendingSchema, !pendingSchema.isEmpty else { return }
    var info = try transaction.base.info()
    info.schema = pendingSchema.text
    try transaction.container.setInfo(info)
  }

  /// - Throws: `permissionFailure`.
  func checkGrant(deleting recordID: RecordID) throws {
    guard scope == .public, let stored = try transaction.record(recordID) else { return }
    try grants?.check(deleting: stored)
    try checkUserRecord(recordID, stored.recordType)
  }
}
