import Foundation

#if os(Linux)
  import CloudKit
#else
  import MockCloudKit
#endif

// The deprecated blocks, without a warning at each use.

protocol OldModifyRecordsBlocks: AnyObject {
  var perRecordCompletionBlock: ((CKRecord, (any Error)?) -> Void)? { get set }
  var modifyRecordsCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)? {
    get set
  }
}

extension CKModifyRecordsOperation: OldModifyRecordsBlocks {
  var old: any OldModifyRecordsBlocks { self }
}

protocol OldFetchRecordsBlocks: AnyObject {
  var fetchRecordsCompletionBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)? { get set }
}

extension CKFetchRecordsOperation: OldFetchRecordsBlocks {
  var old: any OldFetchRecordsBlocks { self }
}

protocol OldQueryBlocks: AnyObject {
  var recordFetchedBlock: ((CKRecord) -> Void)? { get set }
  var queryCompletionBlock: ((CKQueryOperation.Cursor?, (any Error)?) -> Void)? { get set }
}

extension CKQueryOperation: OldQueryBlocks {
  var old: any OldQueryBlocks { self }
}

protocol OldModifyZonesBlocks: AnyObject {
  var modifyRecordZonesCompletionBlock:
    (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?
  { get set }
}

extension CKModifyRecordZonesOperation: OldModifyZonesBlocks {
  var old: any OldModifyZonesBlocks { self }
}

protocol OldFetchZonesBlocks: AnyObject {
  var fetchRecordZonesCompletionBlock: (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)? {
    get set
  }
}

extension CKFetchRecordZonesOperation: OldFetchZonesBlocks {
  var old: any OldFetchZonesBlocks { self }
}

protocol OldModifySubscriptionsBlocks: AnyObject {
  var modifySubscriptionsCompletionBlock:
    (([CKSubscription]?, [CKSubscription.ID]?, (any Error)?) -> Void)?
  { get set }
}

extension CKModifySubscriptionsOperation: OldModifySubscriptionsBlocks {
  var old: any OldModifySubscriptionsBlocks { self }
}

protocol OldFetchSubscriptionsBlocks: AnyObject {
  var fetchSubscriptionCompletionBlock:
    (([CKSubscription.ID: CKSubscription]?, (any Error)?) -> Void)?
  { get set }
}

extension CKFetchSubscriptionsOperation: OldFetchSubscriptionsBlocks {
  var old: any OldFetchSubscriptionsBlocks { self }
}

protocol OldZoneChangesBlocks: AnyObject {
  var recordChangedBlock: ((CKRecord) -> Void)? { get set }
  var recordZoneFetchCompletionBlock:
    ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
  { get set }
  var fetchRecordZoneChangesCompletionBlock: (((any Error)?) -> Void)? { get set }
}

extension CKFetchRecordZoneChangesOperation: OldZoneChangesBlocks {
  var old: any OldZoneChangesBlocks { self }
}

protocol OldDatabaseChangesBlocks: AnyObject {
  var fetchDatabaseChangesCompletionBlock: ((CKServerChangeToken?, Bool, (any Error)?) -> Void)? {
    get set
  }
}

extension CKFetchDatabaseChangesOperation: OldDatabaseChangesBlocks {
  var old: any OldDatabaseChangesBlocks { self }
}
