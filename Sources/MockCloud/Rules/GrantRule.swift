import RecordModel
import RecordSchema

/// In the public database, a user creates, changes and reads the records that the grants of their
/// type allow: to everyone (`_world`), to signed-in users (`_icloud`), and to the user who created
/// the record (`_creator`). Deleting is changing. No user has another role.
///
/// Sources: Apple, *Integrating a Text-Based Schema into Your Workflow*, for roles and permissions;
/// the server's messages in EVCloudKitDao #13 and #87 (10/2007) for `WRITE`; that for `CREATE` is
/// what a server-to-server key gets too; that for `READ` is formed like them.
struct GrantRule {
  /// The schema of the container.
  let schema: ContainerSchema
  /// The record name of the signed-in user; nil if there is none.
  let user: String?
  /// Whether `__defaultOwner__` in the container stands for the user.
  private let isSignedInUser: Bool

  /// Creates the rule for a request; nil for other databases, and for a container without a schema.
  ///
  /// - Parameter hasAccount: Whether a user has signed in.
  init?(
    _ schema: ContainerSchema?, for view: AccountView, hasAccount: Bool = true
  ) {
    guard let schema, view.scope == .public else { return nil }
    self.schema = schema
    user = hasAccount ? view.user : nil
    isSignedInUser = view.account == nil
  }

  /// Checks that the user may save a record.
  ///
  /// - Parameter stored: the stored record; nil if it is to be created.
  func check(saving draft: DraftRecord, over stored: ResultRecord?) throws(CloudError) {
    // The server creates user records, not their users.
    let isOwnUserRecord =
      draft.recordType == UserRecord.recordType && draft.recordID.recordName == user
    if stored == nil, !isOwnUserRecord {
      try check(.create, draft.recordType, isCreator: true)
    } else {
      try check(
        .write, draft.recordType, isCreator: isOwnUserRecord || stored.map(isCreator(of:)) ?? false)
    }
  }

  /// Checks that the user may delete a record.
  func check(deleting stored: ResultRecord) throws(CloudError) {
    try check(.write, stored.recordType, isCreator: isCreator(of: stored))
  }

  /// Checks that the user may fetch a record.
  func check(reading stored: ResultRecord) throws(CloudError) {
    try check(.read, stored.recordType, isCreator: isCreator(of: stored))
  }

  /// Whether the user may fetch a record.
  func allows(reading stored: ResultRecord) -> Bool {
    do throws(CloudError) {
      try check(reading: stored)
      return true
    } catch {
      return false
    }
  }

  private func isCreator(of record: ResultRecord) -> Bool {
    guard let user, let creator = record.creatorUserRecordID?.recordName else { return false }
    return creator == user || isSignedInUser && creator == ZoneID.currentUserOwnerName
  }

  private func check(
    _ permission: CloudSchema.Permissions, _ recordType: String, isCreator: Bool
  ) throws(CloudError) {
    // A type that is not in the schema yet gets the default grants.
    let type = schema.types[recordType] ?? .justInTime(named: recordType)
    var roles = ["_world"]
    if user != nil { roles.append("_icloud") }
    if isCreator { roles.append("_creator") }
    if roles.contains(where: { type.permissions(of: $0).contains(permission) }) { return }
    throw CloudError(.permissionFailure, ServerMessage.notPermitted(permission))
  }
}
