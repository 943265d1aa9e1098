import CloudInterface
import RecordModel

/// A request to a private or shared database, and a change of the public one, needs an account.
///
/// Sources: Apple's documentation of `CKError.Code.notAuthenticated` and
/// `accountTemporarilyUnavailable`; messages as reported by many apps.
enum AccountRule {
  static func check(_ status: AccountStatus) throws(CloudError) {
    switch status {
    case .available: return
    case .temporarilyUnavailable:
      throw CloudError(
        .accountTemporarilyUnavailable,
        "Account temporarily unavailable due to bad or missing auth token")
    case .noAccount, .restricted, .couldNotDetermine:
      throw CloudError(.notAuthenticated, "This request requires an authenticated account")
    }
  }
}

/// A request has a limited number of items and a limited size.
///
/// Sources: Apple's documentation of `CKError.Code.limitExceeded`; the message in sqlite-data #333.
package enum RequestLimitRule {
  static func check(items count: Int, _ rules: ServerRules) throws(CloudError) {
    guard count > rules.maxItems else { return }
    throw error(items: count, maxItems: rules.maxItems)
  }

  package static func error(items count: Int, maxItems: Int) -> CloudError {
    CloudError(
      .limitExceeded,
      "Your request contains \(count) items which is more than the maximum number of items in a "
        + "single request (\(maxItems))")
  }

  static func check(
    sizeOf saves: [SaveRequest], _ rules: ServerRules
  ) throws(CloudError) {
    let size = saves.reduce(0) { $0 + Self.size(of: $1) }
    guard size > rules.maxRequestSize else { return }
    throw CloudError(
      .limitExceeded,
      "the request saves \(size) bytes of values; \(rules.maxRequestSize) bytes are allowed")
  }

  /// The size of the fields that are sent.
  private static func size(of save: SaveRequest) -> Int {
    save.draft.fields.reduce(0) { size, field in
      guard save.draft.sends(field, all: save.sendsAllKeys) else { return size }
      return size + field.name.utf8.count + field.value.approximateSize
    }
  }
}

/// A response has at most as many results as the server sends at once, and as the app asks for.
///
/// Source: Apple's documentation of `resultsLimit` of `CKDatabase`'s calls.
enum ResultsLimitRule {
  /// Returns the number of results of a response.
  ///
  /// - Parameter wanted: The limit in the request; nil or 0 for as many as the server sends at once.
  static func limit(_ wanted: Int?, _ rules: ServerRules) throws(CloudError) -> Int {
    let maximum = max(1, rules.maxResults)
    guard let wanted, wanted != 0 else { return maximum }
    guard wanted > 0 else {
      throw CloudError(.invalidArguments, "a limit of \(wanted) results is not possible")
    }
    return min(wanted, maximum)
  }
}

/// A request names each record once.
///
/// Source: messages of the CloudKit framework, with which it rejects a whole operation.
enum OneItemOnceRule {
  static func check(
    saving drafts: [DraftRecord], deleting recordIDs: [RecordID]
  ) throws(CloudError) {
    var saved = Set<RecordID>(minimumCapacity: drafts.count)
    for draft in drafts where !saved.insert(draft.recordID).inserted {
      throw CloudError(
        .invalidArguments, "You can't save the same record twice: \(draft.recordID)")
    }
    for recordID in recordIDs where saved.contains(recordID) {
      throw CloudError(
        .invalidArguments, "You can't save and delete the same record: \(recordID)")
    }
  }
}

/// Web Services reject an atomic request for the default zone.
///
/// Source: AgileCloudSDK #24. See ``ServerRules/defaultZoneAtomicity-swift.property``.
enum DefaultZoneAtomicityRule {
  static func check(
    _ zoneIDs: some Sequence<ZoneID>, atomically: Bool, _ rules: ServerRules
  ) throws(CloudError) {
    guard atomically, rules.defaultZoneAtomicity == .refused, zoneIDs.contains(where: \.isDefault)
    else { return }
    throw CloudError(.invalidArguments, "atomic operations not supported in default zone")
  }
}

/// A deletion that names a version deletes no other one.
///
/// Source: Apple's *CloudKit Web Services Reference*, operation types `delete` and `forceDelete`. An
/// app's deletions name no version. Message: that of a save (SyncKit #8).
enum DeletionTagRule {
  static func check(_ deletion: RecordDeletion, _ request: ModifyRequest) throws {
    guard let tag = deletion.recordChangeTag,
      let stored = try request.record(deletion.recordID),
      stored.recordChangeTag?.sameScalars(as: tag) != true
    else { return }
    let conflict = CloudError.Conflict(
      serverRecord: request.rules.sendsServerRecord ? stored : nil)
    throw CloudError(
      .serverRecordChanged, "client oplock error updating record", conflict: conflict)
  }
}

/// A deletion of a missing record fails, if that is asked for.
///
/// See ``ServerRules/missingRecordDeletion``.
enum MissingRecordRule {
  static func check(_ recordID: RecordID, _ request: ModifyRequest) throws {
    guard request.rules.missingRecordDeletion == .fails, try !request.willExist(recordID)
    else { return }
    throw CloudError.unknownItem(recordID, in: request.scope)
  }
}

/// The shared database has neither the user's own zones nor default zones.
///
/// Source: the messages in five public repositories. Apps create a missing zone when they get
/// `zoneNotFound`, so the code matters.
enum SharedZoneRule {
  /// Returns the error for a zone that is not in the database; nil for a zone of another user.
  static func error(_ zoneID: ZoneID, _ view: AccountView) -> CloudError? {
    guard view.scope == .shared else { return nil }
    if zoneID.isDefault {
      return CloudError(.invalidArguments, "Default zone is not accessible in shared DB")
    }
    let owner = zoneID.ownerName
    guard owner.sameScalars(as: ZoneID.currentUserOwnerName) || owner.sameScalars(as: view.user)
    else { return nil }
    return CloudError(.invalidArguments, "Only shared zones can be accessed in the shared DB")
  }
}

/// A record is not deleted as long as it is the parent of others, unless the same request deletes
/// them, too.
///
/// Source: sqlite-data's `MockCloudDatabase`; MYCloudKit #7.
enum ChildrenRule {
  /// - Parameters:
  ///   - removed: the records that go with one deletion.
  ///   - all: the records that go with all deletions of the request.
  static func check(
    _ removed: [RecordID], among all: Set<RecordID>, _ request: ModifyRequest
  ) throws {
    for recordID in removed {
      let children = try request.referrers(to: recordID, as: .parent)
      guard let child = children.first(where: { !all.contains($0) }) else { continue }
      throw CloudError(
        .referenceViolation,
        "record '\(recordID)' is the parent of '\(child)', which the request does not delete")
    }
  }
}

/// Only private and shared databases, and their zones other than the default zone, have a change
/// feed.
///
/// Sources: Apple's documentation of `CKFetchDatabaseChangesOperation` and `CKRecordZone`; the
/// message for the default zone was seen by MistKit (`encrypted-fields-adp-probe`).
enum ChangeFeedRule {
  static func check(_ scope: DatabaseScope) throws(CloudError) {
    guard scope == .public else { return }
    throw CloudError(.invalidArguments, "cannot get changes in the public database")
  }

  static func check(_ zoneID: ZoneID, in scope: DatabaseScope) throws(CloudError) {
    guard zoneID.isDefault || scope == .public else { return }
    throw CloudError(.invalidArguments, "cannot get changes in default zone")
  }
}

/// A zone has a valid name, and is saved by its owner in a private database.
///
/// Sources: Apple's TN3164 for the number of zones; Apple's documentation of `CKRecordZone` (the public
/// database has only the default zone; zones of the shared database belong to other users) and of its
/// `ID`.
enum ZoneRule {
  static func check(count: Int, _ rules: ServerRules) throws(CloudError) {
    guard count >= rules.maxZones else { return }
    throw CloudError(.limitExceeded, "Limit Exceeded")
  }

  static func check(
    saving zone: RecordZone, in view: AccountView, _ rules: ServerRules
  ) throws {
    try rules.recordLimits.check(zoneID: zone.zoneID)
    switch view.scope {
    case .private: return
    case .public:
      guard !zone.zoneID.isDefault else { return }
      throw CloudError(
        .invalidArguments, "the public database has no zones but the default zone")
    case .shared:
      throw SharedZoneRule.error(zone.zoneID, view)
        ?? CloudError(
          .permissionFailure, "a zone of the shared database is saved by its owner only")
    }
  }
}
