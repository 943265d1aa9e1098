import RecordModel

extension SaveRule {
  /// The zone of the record exists.
  ///
  /// Source: Apple's documentation of `CKError.Code.zoneNotFound`.
  static let zoneExists = SaveRule { save, request in
    try request.checkZone(save.recordID.zoneID)
  }
}

extension ModifyRequest {
  /// - Throws: `zoneNotFound` or `userDeletedZone`.
  func checkZone(_ zoneID: ZoneID) throws {
    guard try transaction.hasZone(zoneID) else {
      throw try transaction.missingZone(zoneID)
    }
  }
}
