import RecordModel

extension SaveRule {
  /// Of several users, each changes the own user record only, also in a container without a schema.
  ///
  /// Source: the grants of the type `Users` in exported schemas: everyone reads, the creator writes.
  static let userRecord = SaveRule { save, request in
    try request.checkUserRecord(save.recordID, save.draft.recordType)
  }
}

extension ModifyRequest {
  /// - Throws: `permissionFailure` for another user's record.
  func checkUserRecord(_ recordID: RecordID, _ recordType: String) throws {
    let view = transaction.view
    guard scope == .public, view.hasOthers, recordType == UserRecord.recordType,
      !recordID.recordName.sameScalars(as: view.user)
    else { return }
    throw CloudError(
      .permissionFailure, "the user record '\(recordID.recordName)' is changed by its user only")
  }
}
