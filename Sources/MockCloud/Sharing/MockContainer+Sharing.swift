import CloudInterface
import Foundation
import RecordCoding
import RecordModel
import RecordStore

extension MockContainer {
  // MARK: Participants

  func shareParticipants(
    for lookupInfos: [UserIdentity.LookupInfo], _ device: DeviceKey
  ) async throws -> [UserIdentity.LookupInfo: Result<ShareParticipant, any Error>] {
    try await answering(device, items: lookupInfos.count) { [self] _ in
      let info = try store.info()
      var results: [UserIdentity.LookupInfo: Result<ShareParticipant, any Error>] = [:]
      for lookupInfo in lookupInfos {
        results[lookupInfo] = try itemResult {
          guard let user = info.user(lookupInfo) else {
            throw CloudError(.unknownItem, "no user of the container has that identity")
          }
          var identity = user.identity
          identity.lookupInfo = lookupInfo
          return ShareParticipant(userIdentity: identity)
        }
      }
      return results
    }
  }

  // MARK: Links

  func shareMetadatas(
    for urls: [URL], _ device: DeviceKey
  ) async throws -> [URL: Result<ShareMetadata, any Error>] {
    try await answering(device, items: urls.count) { [self] account in
      try store.makeIndex(.share)
      return try store.snapshot { snapshot in
        let info = try snapshot.info()
        let view = AccountView(.shared, of: account, in: info)
        var results: [URL: Result<ShareMetadata, any Error>] = [:]
        for url in urls {
          results[url] = try itemResult {
            guard let record = try snapshot.share(at: url), let share = record.shareInfo else {
              throw CloudError(.unknownItem, "no share of the container has that link")
            }
            return try metadata(of: record, share, view, info, snapshot)
          }
        }
        return results
      }
    }
  }

  private func metadata(
    of record: ResultRecord, _ share: Share, _ view: AccountView, _ info: ContainerInfo,
    _ snapshot: ContainerSnapshot
  ) throws -> ShareMetadata {
    let invitation = Invitation(share, to: view.user, info)
    guard let participant = invitation.participant else {
      throw CloudError(
        .participantMayNeedVerification, "the user is not a participant of the share")
    }
    let zone = StoredZone(scope: .private, zoneID: record.recordID.zoneID)
    let owner = share.participants.first { $0.role == .owner } ?? share.owner
    let root = try snapshot.root(of: record.recordID)
    let isOwner = participant.role == .owner
    return ShareMetadata(
      containerIdentifier: containerIdentifier,
      share: isOwner ? record : view.shown(record, in: zone),
      hierarchicalRootRecordID: isOwner ? root : root.map(view.seen),
      ownerIdentity: owner?.userIdentity ?? UserIdentity(),
      participantRole: participant.role, participantStatus: participant.acceptanceStatus,
      participantPermission: participant.permission)
  }

  // MARK: Accepting

  func accept(
    _ metadatas: [ShareMetadata], _ device: DeviceKey
  ) async throws -> [ShareMetadata: Result<ResultRecord, any Error>] {
    try await answering(device, items: metadatas.count) { [self] account in
      let database = DatabaseKey(scope: .shared, account: account)
      return try changing(in: database, from: device) { transaction, notifier in
        let saver = AccountSaver(transaction, from: device.name)
        var results: [ShareMetadata: Result<ResultRecord, any Error>] = [:]
        for metadata in metadatas where results[metadata] == nil {
          results[metadata] = try itemResult {
            try accept(metadata.share.recordID, transaction, saver, notifier)
          }
        }
        return results
      }
    }
  }

  /// Makes the user of a database a participant of a share who has accepted it.
  ///
  /// - Parameter recordID: the share as the user sees it.
  private func accept(
    _ recordID: RecordID, _ transaction: AccountTransaction, _ saver: AccountSaver,
    _ notifier: Notifier
  ) throws -> ResultRecord {
    let view = transaction.view
    guard let zone = view.stored(recordID.zoneID), view.isOfOthers(zone),
      let row = try transaction.row(of: recordID)
    else { throw CloudError.unknownItem(recordID, in: view.scope) }
    let record = view.seen(row.record)
    guard var share = record.shareInfo else {
      throw CloudError.unknownItem(recordID, in: view.scope)
    }
    let info = try transaction.base.info()
    let invitation = Invitation(share, to: view.user, info)
    guard var participant = invitation.participant else {
      throw CloudError(
        .participantMayNeedVerification, "the user is not a participant of the share")
    }
    // Accepting a share again changes nothing.
    if participant.acceptanceStatus == .accepted, invitation.index != nil {
      return record.shown(to: view.user)
    }
    if invitation.index == nil, share.participants.count >= rules.maxParticipants {
      throw CloudError(
        .tooManyParticipants, "the share has \(share.participants.count) participants already")
    }
    participant.acceptanceStatus = .accepted
    participant.userIdentity.userRecordName = view.user
    participant.userIdentity.nameComponents =
      participant.userIdentity.nameComponents ?? info.account(view.user)?.nameComponents
    if let index = invitation.index {
      share.participants[index] = participant
    } else {
      share.participants.append(participant)
    }
    let completed = ShareCompletion(user: view.user, isOwner: false, stored: share)
      .result(of: share, recordID)
    let tracker = try AccessTracker(transaction.base)
    try tracker.includeShare(view.inContainer(record).recordID)
    let saved = try saver.save(record.replacingShareInfo(completed), over: row)
    try notifier.note(.update, saved.stored, in: zone.scope)
    try tracker.finish(notifier, view)
    return saved.shown
  }

  /// Answers a request of a device about shares.
  ///
  /// - Parameter body: gets the account that has signed in.
  private func answering<T: Sendable>(
    _ device: DeviceKey, items: Int, _ body: @escaping @Sendable (String?) throws -> T
  ) async throws -> T {
    try await perform { [self] in
      let session = sessions.session(of: device)
      try AccountRule.check(session.status)
      try RequestLimitRule.check(items: items, rules)
      return try body(session.account)
    }
  }
}

/// A user's place in a share, before or after accepting it.
private struct Invitation {
  /// The participant that the user is, or becomes; nil if the share is not for the user.
  private(set) var participant: ShareParticipant?
  /// The index among the participants; nil for a user who joins by the link and was no participant.
  private(set) var index: Int?

  init(_ share: Share, to user: String, _ info: ContainerInfo) {
    let account = info.account(user)
    index = share.participants.firstIndex { $0.userIdentity.isIdentity(of: user, account) }
    if let index, share.participants[index].acceptanceStatus != .removed {
      participant = share.participants[index]
    } else if share.publicPermission == .readOnly || share.publicPermission == .readWrite {
      participant = ShareParticipant(
        role: .publicUser, permission: share.publicPermission,
        userIdentity: UserIdentity(
          userRecordName: user, nameComponents: account?.nameComponents,
          lookupInfo: account?.lookupInfo))
    }
  }
}

extension UserIdentity {
  /// Whether the identity is that of a user: by the record name, or what the user was invited by.
  fileprivate func isIdentity(of user: String, _ account: ContainerAccount?) -> Bool {
    if let name = userRecordName { return name.sameScalars(as: user) }
    guard let lookupInfo else { return false }
    return lookupInfo.userRecordName?.sameScalars(as: user) ?? false
      || account.map { lookupInfo.finds($0) } ?? false
  }
}

extension UserIdentity.LookupInfo {
  /// Whether a user has the e-mail address or phone number.
  fileprivate func finds(_ account: ContainerAccount) -> Bool {
    let known = account.lookupInfo
    return Self.isSame(emailAddress?.lowercased(), known?.emailAddress?.lowercased())
      || Self.isSame(phoneNumber.map(Self.digits), known?.phoneNumber.map(Self.digits))
  }

  private static func isSame(_ a: String?, _ b: String?) -> Bool {
    guard let a, let b, !a.isEmpty else { return false }
    return a.sameScalars(as: b)
  }

  /// A telephone number without the characters that make it readable.
  private static func digits(_ number: String) -> String {
    String(number.filter { $0.isASCII && ($0.isNumber || $0 == "+") })
  }
}

extension ContainerInfo {
  /// Returns the user with an identity; nil if there is none.
  fileprivate func user(_ lookupInfo: UserIdentity.LookupInfo) -> ContainerAccount? {
    guard let name = lookupInfo.userRecordName else {
      return accounts.first(where: lookupInfo.finds)
    }
    if let account = account(name) { return account }
    let isSignedIn = currentUserRecordName?.sameScalars(as: name) ?? false
    return isSignedIn ? ContainerAccount(userRecordName: name) : nil
  }
}

extension ContainerSnapshot {
  /// Returns the share of a private database with a link; nil if there is none.
  fileprivate func share(at url: URL) throws -> ResultRecord? {
    var found: ResultRecord?
    let filter = RecordFilter(recordTypes: [Share.recordType])
    try forEachRecord(in: .private, filter: filter) { record in
      if record.shareInfo?.url.map({ $0 == url.absoluteString }) ?? false { found = record }
    }
    return found
  }

  /// Returns the record that a share is about; nil for the share of a zone.
  fileprivate func root(of share: RecordID) throws -> RecordID? {
    guard !share.isZoneWideShare else { return nil }
    return try records(referringTo: share, as: .share, in: .private).first
  }
}

extension AccountView {
  fileprivate func seen(_ recordID: RecordID) -> RecordID {
    let zone = StoredZone(scope: .private, zoneID: recordID.zoneID)
    return RecordID(
      recordName: recordID.recordName, zoneID: seen(zone) ?? recordID.zoneID)
  }
}
