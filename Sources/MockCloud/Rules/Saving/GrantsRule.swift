import RecordModel

extension SaveRule {
  /// The user may create or change the record. See ``GrantRule``.
  static let grants = SaveRule { save, request in
    try request.grants?.check(saving: save.draft, over: save.stored)
  }
}
