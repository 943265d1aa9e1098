import RecordModel

extension SaveRule {
  /// No record of the public database has encrypted fields.
  ///
  /// Source: Apple's documentation of `CKRecord.encryptedValues`; the message was seen by MistKit
  /// (`encrypted-fields-adp-probe`).
  static let encryption = SaveRule { save, request in
    guard request.scope == .public, save.draft.fields.contains(where: \.isEncrypted) else {
      return
    }
    throw CloudError(
      .invalidArguments, "encrypted fields are not supported in the public database")
  }
}
