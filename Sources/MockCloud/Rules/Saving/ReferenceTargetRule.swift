import RecordModel

extension SaveRule {
  /// The parent and the share of a record, and targets of references that are to be validated, are
  /// stored or saved by the same request, in any order. Other references may lead nowhere.
  ///
  /// Sources: `CKErrorReferenceViolation` in Apple's `CKError.h`; sqlite-data's `MockCloudDatabase`.
  static let referenceTargets = SaveRule { save, request in
    let record = save.merged
    var targets: [(RecordID, String)] = []
    if let parent = record.parent { targets.append((parent.recordID, "parent")) }
    if let share = record.share { targets.append((share.recordID, "share")) }
    for field in record.fields {
      for reference in field.value.references where reference.action == .validate {
        targets.append((reference.recordID, "target of field '\(field.name)'"))
      }
    }
    for (target, name) in targets where try !request.willExist(target) {
      throw CloudError(
        .referenceViolation,
        "the \(name) of record '\(save.recordID)', '\(target)', is not in the "
          + "\(request.scope.rawValue) database")
    }
  }
}
