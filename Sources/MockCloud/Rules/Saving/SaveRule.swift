import RecordModel

/// A condition that a record must meet to be saved.
///
/// One rule is one file, which names the rule's source.
struct SaveRule: Sendable {
  /// Checks a record.
  ///
  /// Throws the error of the record; another error fails the request.
  let check: @Sendable (PendingSave, ModifyRequest) throws -> Void

  /// The rules about a record and what is stored, in the order in which they are checked.
  static let own: [SaveRule] = [
    .zoneExists, .sharedRecord, .shareZone, .recordType, .grants, .userRecord, .changeTag,
    .shareParticipants,
    .systemFields,
    .limits, .encryption, .assets,
  ]

  /// The rules about a record and the others of its request, checked after ``own`` of all records.
  static let related: [SaveRule] = [
    .sharedParent, .referenceTargets, .shareRoot, .oneShare, .owningReferences,
  ]
}
