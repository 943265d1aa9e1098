import RecordModel

/// A zone has a valid name, and is saved by its owner in a private database.
///
/// Sources: Apple's documentation of `CKRecordZone` (the public database has only the default zone;
/// zones of the shared database belong to other users) and of its `ID`.
enum ZoneRule {
  static func check(
    saving zone: RecordZone, in scope: DatabaseScope, _ rules: ServerRules
  ) throws {
    try rules.recordLimits.check(zoneID: zone.zoneID)
    switch scope {
    case .private: return
    case .public:
      guard !zone.zoneID.isDefault else { return }
      throw CloudError(
        .invalidArguments, "the public database has no zones but the default zone")
    case .shared:
      throw CloudError(
        .permissionFailure, "a zone of the shared database is saved by its owner only")
    }
  }
}
