import RecordModel

/// The rules of the server that differ between ways to reach it, or about which sources disagree.
///
/// Each setting names the source of its default. A rule on which all sources agree is not a setting.
///
/// ```swift
/// var rules = ServerRules.native
/// rules.maxItems = 10
/// let container = try MockContainer.inMemory(rules: rules)
/// ```
public struct ServerRules: Sendable, Hashable {
  // MARK: Limits

  /// The limits on each record and asset, in the request's and the stored record's fields.
  public var recordLimits = RecordLimits.cloudKit

  /// The maximum number of records, zones or subscriptions in a request, saved and deleted ones
  /// together: 400. Source: the server's message in sqlite-data #333; 200 for Web Services, by
  /// Apple's archived *Data Size Limits*.
  public var maxItems = 400

  /// The maximum size of the fields that a request saves, in bytes, without assets: 2 MB
  /// (2,000,000). Source: Apple's documentation of `CKError.Code.limitExceeded`.
  public var maxRequestSize = 2_000_000

  /// The maximum number of records that refer to one record with `deleteSelf`: 750. Source: Apple's
  /// documentation of `CKRecord.Reference`.
  public var maxOwningReferences = 750

  /// The maximum number of fields of a record type: 256. In development, a record cannot add more.
  /// Source: Apple's documentation, TN3164.
  public var maxFields = 256

  /// The maximum number of zones that a user creates: 1,000. Source: Apple's documentation, TN3164.
  public var maxZones = 1_000

  /// The maximum number of records, or of zones, in the result of a query or a fetch of changes:
  /// 200. Source: Apple's archived *Data Size Limits*, for Web Services; nothing public is known
  /// for apps that use the CloudKit framework.
  public var maxResults = 200

  // MARK: Changes

  /// Whether the first fetch of a zone's changes, which has no token, has the records that were
  /// deleted before. Sources disagree: Apple's own mock of the server (CKKS) sends no deletions;
  /// Apple's engineers name some (Apple Developer Forums 813286).
  public var firstFetchHasDeletions = true

  // MARK: Subscriptions

  /// The subscriptions that count as duplicates.
  public var subscriptionIdentity = SubscriptionIdentity.wholeSubscription

  /// The subscriptions that count as duplicates.
  public enum SubscriptionIdentity: Sendable, Hashable, CaseIterable {
    /// Those of the same kind, zone, record type, predicate and changes. Source: the message in
    /// EVCloudKitDao #6.
    case wholeSubscription
    /// For query subscriptions, those with the same record type and changes, whatever the
    /// predicate. Source: MistKit #387, for Web Services.
    case recordTypeAndChanges
  }

  /// The delivery of notifications to devices.
  public var delivery = Delivery.doubledForChildren

  /// The delivery of notifications to devices.
  public enum Delivery: Sendable, Hashable, CaseIterable {
    /// Each one arrives.
    case each
    /// Each one arrives, and that of a database subscription twice if a record was created that has
    /// a parent. Source: the Tact blog, FB22866852, May 2026.
    case doubledForChildren
    /// A notification replaces one of the same subscription that the device has not taken. Source:
    /// Apple's documentation of `CKSubscription` says that notifications may be coalesced.
    case coalesced
    /// None arrives. Source: Apple's documentation of remote notifications, which are not guaranteed
    /// to arrive.
    case dropped
  }

  // MARK: Shares

  /// The maximum number of participants of a share, the owner among them: 100. Source: Apple's
  /// documentation of `CKShare`.
  public var maxParticipants = 100

  // MARK: Conflicts

  /// The error for a draft without a change tag, under `ifServerRecordUnchanged`, whose record
  /// exists.
  public var untaggedSave = UntaggedSave.serverRecordChanged

  /// The error for a draft without a change tag whose record exists.
  public enum UntaggedSave: Sendable, Hashable, CaseIterable {
    /// `record to insert already exists`. Source: SyncKit #111, MYCloudKit #4, scout #461; Apple's
    /// own mock of the server (CKKS).
    case serverRecordChanged
    /// Source: sqlite-data's `MockCloudDatabase`.
    case serverRejectedRequest
  }

  /// The result for a draft with a change tag, under `changedKeys` and `allKeys`, whose record does
  /// not exist. Under `ifServerRecordUnchanged` it is `unknownItem`, as all sources say.
  public var missingRecord = MissingRecord.unknownItem

  /// The result for a draft with a change tag whose record does not exist.
  public enum MissingRecord: Sendable, Hashable, CaseIterable {
    /// `unknownItem`. Source: Apple's own mock of the server (CKKS) looks at no policy.
    case unknownItem
    /// The record is created from the draft's fields. Source: Apple's *CloudKit Web Services
    /// Reference*, operation types `forceUpdate` and `forceReplace`.
    case created
  }

  /// Whether a conflict error has the record on the server. Source: Apple's documentation of
  /// `CKRecordChangedErrorServerRecordKey`; it was sometimes absent in Sodalite #45.
  public var sendsServerRecord = true

  /// Whether a conflict error has the record that the draft is based on, if the draft knows it.
  /// Source: Apple's documentation of `CKRecordChangedErrorAncestorRecordKey`; sqlite-data's mock
  /// leaves it out.
  public var sendsAncestorRecord = true

  // MARK: Deletions

  /// The result of deleting a record that does not exist. Default: success, on which sqlite-data,
  /// Apple's own mock of the server (CKKS) and meh.md's engine count. Source of the error: Apple's
  /// documentation of `deleteRecord(withID:)`, and meh.md's FakeCloudKit (`unknownItem`).
  public var missingRecordDeletion = MissingDeletion.succeeds

  /// The result of deleting a zone that does not exist. Default: success, on which the tests of
  /// Apple's sample-cloudkit-sync-engine count. Source of the error, which Web Services have by default
  /// (`ZONE_NOT_FOUND`): sqlite-data's `MockCloudDatabase`.
  public var missingZoneDeletion = MissingDeletion.succeeds

  /// The result of deleting something that does not exist.
  public enum MissingDeletion: Sendable, Hashable, CaseIterable {
    /// Nothing happens.
    case succeeds
    /// The item fails, with `unknownItem` or `zoneNotFound`.
    case fails
  }

  // MARK: References

  /// The effect of a child's save on its parent.
  public var parentOfSavedChild = ParentOfSavedChild.changes

  /// The effect of a child's save on its parent.
  public enum ParentOfSavedChild: Sendable, Hashable, CaseIterable {
    /// Nothing.
    case stays
    /// It gets a new change tag, which the change feed does not show. Source: sqlite-data #363.
    case getsChangeTag
    /// It gets a new change tag and appears in the change feed. Source: the Tact blog's log of May
    /// 2026.
    case changes
  }

  /// The result for a record that refers with `deleteSelf` to a record that does not exist. Default: the
  /// error, as `CKReference.h` says in all SDKs.
  public var missingOwner = MissingOwner.referenceViolation

  /// The result for a record that refers with `deleteSelf` to a record that does not exist.
  public enum MissingOwner: Sendable, Hashable, CaseIterable {
    /// `referenceViolation`. Source: Apple's `CKReference.h` says that the save fails for each action
    /// except `none`, but not with which error.
    case referenceViolation
    /// The record is saved. Source: Apple's documentation of `CKModifyRecordsOperation`, by which only
    /// the target of `parent` must exist.
    case accepted
  }

  /// The time at which the server deletes records of the default zone that refer with `deleteSelf` to a
  /// deleted record.
  /// In other zones that is part of the deletion. Source: Apple's documentation of
  /// `CKRecord.ReferenceAction.deleteSelf`.
  public var defaultZoneCascade = Cascade.later

  /// The time at which the server deletes records that refer to a deleted record.
  public enum Cascade: Sendable, Hashable, CaseIterable {
    /// Together with it.
    case atOnce
    /// When ``MockContainer/finishDeferredDeletions()`` is called.
    case later
  }

  // MARK: Queries

  /// The rules for queries.
  public var queries = QueryRules()

  // MARK: Atomicity

  /// The meaning of `atomically` for the default zone, which cannot be atomic.
  public var defaultZoneAtomicity = DefaultZoneAtomicity.ignored

  /// The meaning of `atomically` for the default zone.
  public enum DefaultZoneAtomicity: Sendable, Hashable, CaseIterable {
    /// Each record succeeds or fails by itself. Source: Apple's documentation of
    /// `CKModifyRecordsOperation.isAtomic`.
    case ignored
    /// `atomic operations not supported in default zone`. Source: Web Services, in AgileCloudSDK
    /// #24.
    case refused
  }

  // MARK: Schema

  /// The environment of a container that has a schema and does not say which environment it is of.
  /// The mock checks no schema for a container with neither. Default: production, as for
  /// `recordpack validate`, which shows what an app would fail with.
  public var unknownEnvironment = ContainerInfo.Environment.production

  /// The result in development for a record with a type or field that the schema does not have.
  public var justInTimeSchema = JustInTimeSchema.extended

  /// The result for a record with a type or field that development's schema does not have.
  public enum JustInTimeSchema: Sendable, Hashable, CaseIterable {
    /// The type or field is created. Source: Apple's documentation of `CKRecord`.
    case extended
    /// `Field F not found in T`, as for server-to-server calls. Source: seen by MistKit
    /// (`no_schema_autocreate`); the message for a type is that of a query.
    case refused
  }

  /// The result for a record with a field that has the name of a property of `CKRecord`, such as
  /// `creationDate`. Such a field cannot be queried. Source: sqlite-data #214.
  public var reservedFieldNames = ReservedFieldNames.refused

  /// The result for a record with a field that has the name of a property of `CKRecord`.
  public enum ReservedFieldNames: Sendable, Hashable, CaseIterable {
    /// `invalidArguments`; the server's message is not known.
    case refused
    /// The field is saved.
    case accepted
  }

  // MARK: Profiles

  /// Creates the rules for apps that use the CloudKit framework.
  public init() {}

  /// The rules for apps that use the CloudKit framework.
  public static let native = ServerRules()

  /// The rules for clients of CloudKit Web Services.
  public static let webServices = {
    var rules = ServerRules()
    rules.maxItems = 200
    rules.missingRecord = .created
    rules.missingZoneDeletion = .fails
    rules.defaultZoneAtomicity = .refused
    // A client cannot finish deferred deletions, and would wait for them for ever.
    rules.defaultZoneCascade = .atOnce
    rules.subscriptionIdentity = .recordTypeAndChanges
    return rules
  }()
}
