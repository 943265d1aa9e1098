import RecordModel

extension SaveRule {
  /// Each asset has content, or is one that the container stores or the record had.
  ///
  /// Source: Apple's documentation of `CKError.Code.assetFileNotFound`.
  static let assets = SaveRule { save, request in
    try request.saver.checkAssets(of: save.merged, over: save.stored)
  }
}
