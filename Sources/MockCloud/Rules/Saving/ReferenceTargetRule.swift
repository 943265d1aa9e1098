import RecordModel

extension SaveRule {
  /// The parent and the share of a record, and targets of references that are to be validated, are
  /// stored or saved by the same request, in any order. Other references may lead nowhere.
  ///
  /// Sources: `CKErrorReferenceViolation` in Apple's `CKError.h`; sqlite-data's `MockCloudDatabase`.
  static let referenceTargets = SaveRule { save, request in
    let record = save.merged
    // References to records above it stay in the zone. The message is not the server's.
    var known: [RecordID] { save.stored?.targets.map(\.recordID) ?? [] }
    for link in [record.parent, record.share].compactMap(\.self)
    where link.recordID.zoneID != record.recordID.zoneID && !known.contains(link.recordID) {
      throw CloudError(
        .invalidArguments,
        "record '\(save.recordID)' refers to '\(link.recordID)' as its parent or share, which is in "
          + "another zone")
    }
    // What was there before may be out of the user's sight.
    let unseen = request.scope == .shared ? known : []
    for (target, name) in record.targets
    where try !(unseen.contains(target) ? request.willExist(target) : request.willBeSeen(target)) {
      throw CloudError(
        .referenceViolation,
        "the \(name) of record '\(save.recordID)', '\(target)', is not in the "
          + "\(request.scope.rawValue) database")
    }
  }
}

extension ResultRecord {
  /// The records that have to exist, and what they are to this one.
  fileprivate var targets: [(recordID: RecordID, name: String)] {
    var targets: [(recordID: RecordID, name: String)] = []
    if let parent { targets.append((parent.recordID, "parent")) }
    if let share { targets.append((share.recordID, "share")) }
    for (field, reference) in references where reference.action == .validate {
      targets.append((reference.recordID, "target of field '\(field.string)'"))
    }
    return targets
  }
}
