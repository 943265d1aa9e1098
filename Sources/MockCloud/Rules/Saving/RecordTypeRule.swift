import RecordModel

extension SaveRule {
  /// A record keeps its type.
  ///
  /// Source: the server's message, reported for `invalidArguments` by several apps.
  static let recordType = SaveRule { save, _ in
    guard let stored = save.stored, !stored.recordType.sameScalars(as: save.draft.recordType)
    else { return }
    throw CloudError(
      .invalidArguments,
      "invalid attempt to update record from type '\(stored.recordType)' to "
        + "'\(save.draft.recordType)'")
  }
}
