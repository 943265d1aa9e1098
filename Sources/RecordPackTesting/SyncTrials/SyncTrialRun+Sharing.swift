import CloudInterface
import MockCloud
import RecordCoding
import RecordModel

extension SyncTrialRun {
  /// Sets what the second user may do with the zones of the first. The owner does it in the system's
  /// share sheet, or on another device.
  func share(_ permission: ShareParticipant.Permission) async throws {
    sharing = permission
    let guest = try container.account(SyncTrialPlan.secondUser)
    let owner = try container.account(SyncTrialPlan.firstUser).privateCloudDatabase
    for zone in try await owner.allRecordZones() where !zone.zoneID.isDefault {
      let new = DraftRecord(sharingZone: zone.zoneID)
      let known = try? await owner.record(for: new.recordID)
      if permission == .none {
        if known != nil { _ = try await owner.deleteRecord(withID: new.recordID) }
        continue
      }
      guard known?.shareInfo?.participants.last?.permission != permission else { continue }
      var share = known.map { DraftRecord($0) } ?? new
      try share.addParticipant(
        ShareParticipant(
          permission: permission, acceptanceStatus: .accepted,
          userIdentity: UserIdentity(userRecordName: guest.userRecordName)))
      do {
        try await owner.save(share)
      } catch let error as CloudError where error.code == .alreadyShared {
        throw SyncTrialFailure.Problem(
          .notTried,
          "the trial did not happen: the app shares records of \(zone.zoneID) itself, so that the trial "
            + "cannot share the zone.")
      }
    }
    // The server rejects what the participant has not sent.
    if permission != .readWrite { models[SyncTrialPlan.firstUser]?.forget(SyncTrialPlan.guest) }
  }

  /// Returns the user in whose database an edit has to arrive; nil if it cannot arrive.
  func owner(of edit: SyncTrialEdit, by user: String) -> String? {
    var item = edit.item
    if case .create(_, _, let parent?) = edit { item = parent }
    guard user == SyncTrialPlan.secondUser, isForeign(item, to: user) else { return user }
    return sharing == .readWrite ? SyncTrialPlan.firstUser : nil
  }

  /// Whether an item that a device shows belongs to another user than the device's. Nobody owns items of
  /// a device without a user.
  func isForeign(_ item: String, to user: String?) -> Bool {
    guard let user else { return true }
    return models[user]?.knows(item) != true
      && models.contains { $0.key != user && $0.value.knows(item) }
  }
}
