import CloudInterface
import Foundation
import RecordModel
import RecordStore

/// A container as a user, or the app on a user's device, sees it.
///
/// The functions of `CloudContainer` of ``MockContainer``, ``MockAccount`` and ``MockDevice``.
protocol MockClient: CloudContainer where Database == MockDatabase {
  var container: MockContainer { get }
  /// The device that requests come from.
  var deviceKey: DeviceKey { get }
}

extension MockClient {
  /// The identifier in the container's metadata when it was opened.
  public var containerIdentifier: String? { container.containerIdentifier }

  /// Returns the database with a scope, of the user who has signed in at the time of a request.
  public func database(with databaseScope: DatabaseScope) -> MockDatabase {
    MockDatabase(container: container, databaseScope: databaseScope, device: deviceKey)
  }

  // MARK: The account

  /// Returns whether the app can use the account.
  public func accountStatus() async throws -> AccountStatus {
    container.sessions.session(of: deviceKey).status
  }

  /// Returns the status of the account each time that it changes, and when another user signs in.
  public func accountChanges() -> AsyncStream<AccountStatus> {
    container.sessions.stream(to: deviceKey)
  }

  /// Returns the identifier of the user's record: for the signed-in user of the container, the name in
  /// its metadata, or one that the container's identifier determines.
  ///
  /// - Throws: `CloudError`: `notAuthenticated` or `accountTemporarilyUnavailable`.
  public func userRecordID() async throws -> RecordID {
    try await container.answering(deviceKey) { [container] account in
      let view = AccountView(.private, of: account, in: try container.store.info())
      return UserRecord.recordID(named: view.user)
    }
  }

  // MARK: Sharing

  /// Finds users to invite to a share; see `CloudContainer`.
  public func shareParticipants(
    for lookupInfos: [UserIdentity.LookupInfo]
  ) async throws -> [UserIdentity.LookupInfo: Result<ShareParticipant, any Error>] {
    try await container.answering(deviceKey, items: lookupInfos.count) { [container] _ in
      let info = try container.store.info()
      return try resultsOfItems(lookupInfos) { lookupInfo in
        guard let user = info.user(lookupInfo) else {
          throw CloudError(.unknownItem, "no user of the container has that identity")
        }
        var identity = user.identity
        identity.lookupInfo = lookupInfo
        return ShareParticipant(userIdentity: identity)
      }
    }
  }

  /// Fetches the metadata of the shares behind links; see `CloudContainer`.
  public func shareMetadatas(
    for urls: [URL]
  ) async throws -> [URL: Result<ShareMetadata, any Error>] {
    try await container.answering(deviceKey, items: urls.count) { [container] account in
      try container.store.makeIndex(.share)
      return try container.store.snapshot { snapshot in
        let info = try snapshot.info()
        let view = AccountView(.shared, of: account, in: info)
        return try resultsOfItems(urls) { url in
          guard let found = try snapshot.share(at: url, in: view.storedScopes) else {
            throw MockContainer.unknownLink
          }
          return try container.metadata(
            of: found.record, found.share, found.guest, found.scope, view, info, snapshot)
        }
      }
    }
  }

  /// Accepts shares; see `CloudContainer`.
  public func accept(
    _ metadatas: [ShareMetadata]
  ) async throws -> [ShareMetadata: Result<ResultRecord, any Error>] {
    try await container.answering(deviceKey, items: metadatas.count) {
      [container, deviceKey] account in
      let database = DatabaseKey(scope: .shared, account: account)
      return try container.changing(in: database, from: deviceKey) { transaction, notifier in
        try resultsOfItems(metadatas) { try container.accept($0.share, transaction, notifier) }
      }
    }
  }

  /// Asks the owners of shares for access; see `CloudContainer`.
  public func requestShareAccess(
    for urls: [URL]
  ) async throws -> [URL: Result<Void, any Error>] {
    try await container.answering(deviceKey, items: urls.count) {
      [container, deviceKey] account in
      let database = DatabaseKey(scope: .shared, account: account)
      return try container.changing(in: database, from: deviceKey) { transaction, notifier in
        try resultsOfItems(urls) { try container.requestAccess(to: $0, transaction, notifier) }
      }
    }
  }
}

extension CloudContainer {
  /// Accepts a share by its link: its records are in the user's shared database from then on.
  ///
  /// ```swift
  /// try await kenji.accept(saved)
  /// ```
  ///
  /// - Parameter share: the share as its owner saved or fetched it.
  /// - Returns: the share as the user sees it.
  /// - Throws: `CloudError`: `invalidArguments` for a record that is not a share or was not saved, and
  ///   the errors of `shareMetadata(for:)` and `accept(_:)`.
  @discardableResult
  public func accept(_ share: ResultRecord) async throws -> ResultRecord {
    guard let url = share.shareInfo?.url else {
      throw CloudError(.invalidArguments, "the record '\(share.recordID)' is not a saved share")
    }
    return try await accept(shareMetadata(for: url))
  }
}

extension MockContainer {
  fileprivate func metadata(
    of record: ResultRecord, _ share: Share, _ guest: ShareParticipant?, _ scope: DatabaseScope,
    _ view: AccountView, _ info: ContainerInfo, _ snapshot: ContainerSnapshot
  ) throws -> ShareMetadata {
    let invitation = Invitation(share, to: view.user, info, as: guest)
    let isStored = scope == .shared
    guard
      let participant = invitation.participant ?? (isStored ? share.currentUserParticipant : nil)
    else {
      throw CloudError(
        .participantMayNeedVerification, "the user is not a participant of the share")
    }
    let zone = ZoneLocation(scope, record.recordID.zoneID)
    let owner = share.participants.first { $0.role == .owner } ?? share.owner
    let root = try snapshot.root(of: record.recordID, in: scope)
    let isOwner = participant.role == .owner
    var shown = isOwner ? record : view.shown(record, in: zone)
    if participant.isOneTime, var info = shown.shareInfo {
      info.currentUserParticipant = participant
      shown = shown.replacingShareInfo(info)
    }
    return ShareMetadata(
      containerIdentifier: containerIdentifier, share: shown,
      hierarchicalRootRecordID: isOwner || isStored ? root : root.map(view.visible),
      ownerIdentity: owner?.userIdentity ?? UserIdentity(),
      participantRole: participant.role, participantStatus: participant.acceptanceStatus,
      participantPermission: participant.permission)
  }

  /// Makes the user of a database a participant of a share who has accepted it.
  ///
  /// - Parameter seen: the share as the user sees it.
  fileprivate func accept(
    _ seen: ResultRecord, _ transaction: AccountTransaction, _ notifier: Notifier
  ) throws -> ResultRecord {
    let (view, recordID) = (transaction.view, seen.recordID)
    // A zone whose owner is not in the container is in the shared database because the user has
    // accepted its share.
    if view.location(of: recordID.zoneID)?.database == .shared {
      guard let row = try transaction.storedRecord(recordID) else {
        throw CloudError.unknownItem(recordID, in: view.scope)
      }
      return row.record
    }
    guard let zone = view.location(of: recordID.zoneID), view.isOfOthers(zone),
      let row = try transaction.storedRecord(recordID)
    else { throw CloudError.unknownItem(recordID, in: view.scope) }
    let record = view.visible(row.record)
    guard var share = record.shareInfo else {
      throw CloudError.unknownItem(recordID, in: view.scope)
    }
    let info = try transaction.base.info()
    let invitation = Invitation(
      share, to: view.user, info, as: seen.shareInfo?.currentUserParticipant)
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
    let tracker = try AccessTracker(transaction.container)
    try tracker.includeShare(view.inContainer(record).recordID)
    let saved = try transaction.save(record.replacingShareInfo(completed), over: row)
    try notifier.note(.update, saved.stored, in: zone.database)
    try tracker.finish(notifier, view)
    return saved.shown
  }
}

extension MockContainer {
  fileprivate static var unknownLink: CloudError {
    CloudError(.unknownItem, "no share of the container has that link")
  }

  /// Adds the user of a database to the requesters of a share.
  ///
  /// Source: Apple's `CKShare.h` of the SDKs of 2025: a share that does not take requests is not
  /// known to the user. The other codes are not documented.
  fileprivate func requestAccess(
    to url: URL, _ transaction: AccountTransaction, _ notifier: Notifier
  ) throws {
    let view = transaction.view
    guard case (let record, var share, _, _)? = try transaction.base.share(at: url, in: [.private]),
      share.allowsAccessRequests
    else { throw Self.unknownLink }
    let info = try transaction.base.info()
    let account = info.account(view.user)
    guard Invitation(share, to: view.user, info).index == nil else {
      throw CloudError(.participantAlreadyInvited, "the user is a participant of the share")
    }
    guard !share.blockedIdentities.contains(where: { $0.isIdentity(of: view.user, account) }) else {
      throw CloudError(.permissionFailure, "the user cannot ask for access to the share")
    }
    guard !share.requesters.contains(where: { $0.isIdentity(of: view.user, account) }),
      let row = try transaction.storedRecord(view.visible(record.recordID))
    else { return }
    share.requesters.append(
      UserIdentity(
        userRecordName: view.user, nameComponents: account?.nameComponents,
        lookupInfo: account?.lookupInfo ?? .init(userRecordName: view.user)))
    let changed = view.visible(record).replacingShareInfo(share)
    let saved = try transaction.save(changed, over: row)
    try notifier.note(.update, saved.stored, in: .private)
  }
}

/// A link to a share. Links of apps differ in what comes before the short identifier, the last part
/// of the path, and in the title after a `#`.
private struct ShareLink {
  private let shortGUID: Substring

  init(_ link: String) {
    shortGUID = link.prefix { $0 != "#" }.split(separator: "/").last ?? ""
  }

  func leads(to share: Share) -> Bool {
    let own = [share.shortGUID.map(Share.link(ofShortGUID:)), share.url?.absoluteString]
    return !shortGUID.isEmpty && own.contains { $0.map(Self.init)?.shortGUID == shortGUID }
  }
}

/// A user's place in a share, before or after accepting it.
private struct Invitation {
  /// The participant that the user is, or becomes; nil if the share is not for the user.
  private(set) var participant: ShareParticipant?
  /// The index among the participants; nil for a user who joins by the link and was no participant.
  private(set) var index: Int?

  /// - Parameter guest: the participant whose one-time link the user has opened.
  init(
    _ share: Share, to user: String, _ info: ContainerInfo, as guest: ShareParticipant? = nil
  ) {
    let account = info.account(user)
    index =
      share.participants.firstIndex { $0.userIdentity.isIdentity(of: user, account) }
      ?? share.participants.firstIndex {
        $0.isOneTime && $0.acceptanceStatus == .pending
          && $0.participantID == guest?.participantID
      }
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
    return name.sameScalars(as: signedInUserRecordName)
      ? ContainerAccount(userRecordName: name) : nil
  }
}

extension ContainerSnapshot {
  /// Returns the share with a link, its database in the container, and the participant for whom the
  /// link was made; nil if there is none.
  ///
  /// A share in the shared database is that of a zone whose owner is not in the container.
  ///
  /// - Throws: the error of a damaged share, which may have the link, if no other share has it.
  fileprivate func share(
    at url: URL, in scopes: [DatabaseScope]
  ) throws -> (record: ResultRecord, share: Share, guest: ShareParticipant?, scope: DatabaseScope)?
  {
    let link = ShareLink(url.absoluteString)
    var damage: ContainerStoreError?
    for scope in scopes {
      let shares = try recordTypes(in: scope).filter { $0.recordType == Share.recordType }
        .flatMap { try recordIDs(ofType: Share.recordType, in: $0.zoneID, of: scope) }
      for recordID in shares {
        switch try readableRecord(recordID, in: scope) {
        case .failure(let error): damage = error
        case .success(let stored):
          guard let record = stored?.record, let share = record.shareInfo else { continue }
          let guest = share.participants.first { $0.oneTimeLink == url.absoluteString }
          if guest != nil || link.leads(to: share) { return (record, share, guest, scope) }
        }
      }
    }
    if let damage { throw damage }
    return nil
  }

  /// Returns the record that a share is about; nil for the share of a zone.
  fileprivate func root(of share: RecordID, in scope: DatabaseScope) throws -> RecordID? {
    guard !share.isZoneWideShare else { return nil }
    return try records(referringTo: share, as: .share, in: scope).first
  }
}

extension AccountView {
  fileprivate func visible(_ recordID: RecordID) -> RecordID {
    let zone = ZoneLocation(.private, recordID.zoneID)
    return RecordID(
      recordName: recordID.recordName, zoneID: visible(zone) ?? recordID.zoneID)
  }
}
