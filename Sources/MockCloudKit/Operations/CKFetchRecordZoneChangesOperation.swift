import Foundation

open class CKFetchRecordZoneChangesOperation: CKDatabaseOperation, @unchecked Sendable {
  open var recordZoneIDs: [CKRecordZone.ID]?
  open var configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]?
  @available(*, deprecated, renamed: "configurationsByRecordZoneID")
  open var optionsByRecordZoneID: [CKRecordZone.ID: ZoneOptions]? {
    get { oldConfigurations as? [CKRecordZone.ID: ZoneOptions] }
    set { oldConfigurations = newValue }
  }
  open var fetchAllChanges = true

  @available(*, deprecated, message: "Use recordWasChangedBlock instead")
  open var recordChangedBlock: ((CKRecord) -> Void)? {
    get { oldRecordBlock }
    set { oldRecordBlock = newValue }
  }
  public var recordWasChangedBlock: ((CKRecord.ID, Result<CKRecord, any Error>) -> Void)?
  public var recordWithIDWasDeletedBlock: ((CKRecord.ID, CKRecord.RecordType) -> Void)?
  open var recordZoneChangeTokensUpdatedBlock:
    ((CKRecordZone.ID, CKServerChangeToken?, Data?) -> Void)?
  @available(*, deprecated, message: "Use recordZoneFetchResultBlock instead")
  open var recordZoneFetchCompletionBlock:
    ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
  {
    get { oldZoneBlock }
    set { oldZoneBlock = newValue }
  }
  public var recordZoneFetchResultBlock:
    (
      (
        CKRecordZone.ID,
        Result<
          (
            serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?,
            moreComing: Bool
          ), any Error
        >
      ) -> Void
    )?
  @available(*, deprecated, message: "Use fetchRecordZoneChangesResultBlock instead")
  open var fetchRecordZoneChangesCompletionBlock: (((any Error)?) -> Void)? {
    get { oldEndBlock }
    set { oldEndBlock = newValue }
  }
  public var fetchRecordZoneChangesResultBlock: ((Result<Void, any Error>) -> Void)?

  private var oldConfigurations: [CKRecordZone.ID: ZoneConfiguration]?
  private var oldRecordBlock: ((CKRecord) -> Void)?
  private var oldZoneBlock:
    ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
  private var oldEndBlock: (((any Error)?) -> Void)?

  public convenience init(
    recordZoneIDs: [CKRecordZone.ID]? = nil,
    configurationsByRecordZoneID: [CKRecordZone.ID: ZoneConfiguration]? = nil
  ) {
    self.init()
    self.recordZoneIDs = recordZoneIDs
    self.configurationsByRecordZoneID = configurationsByRecordZoneID
  }

  @available(*, deprecated, renamed: "init(recordZoneIDs:configurationsByRecordZoneID:)")
  public convenience init(
    recordZoneIDs: [CKRecordZone.ID], optionsByRecordZoneID: [CKRecordZone.ID: ZoneOptions]? = nil
  ) {
    self.init()
    self.recordZoneIDs = recordZoneIDs
    oldConfigurations = optionsByRecordZoneID
  }

  override func perform() async throws {
    var failure = PartialFailure()
    for zoneID in recordZoneIDs ?? [] {
      do {
        let errors = try await fetch(zoneID)
        for (id, error) in errors { failure.add(error, of: id) }
      } catch {
        try checkCancellation()
        guard isErrorOfZone(error) else { throw error }
        failure.add(error, of: zoneID)
        await call { [self] in
          oldZoneBlock?(zoneID, nil, nil, false, error)
          recordZoneFetchResultBlock?(zoneID, .failure(error))
        }
      }
    }
    let error = failure.error
    await call { [self] in
      oldEndBlock?(error)
      fetchRecordZoneChangesResultBlock?(.success(()))
    }
  }

  /// Whether other zones can be fetched after an error. All other errors are about the request.
  private func isErrorOfZone(_ error: any Error) -> Bool {
    switch (error as? CKError)?.code {
    case .zoneNotFound, .userDeletedZone, .changeTokenExpired, .invalidArguments, .zoneBusy,
      .permissionFailure, .unknownItem:
      true
    default: false
    }
  }

  /// - Returns: The errors of single records.
  private func fetch(_ zoneID: CKRecordZone.ID) async throws -> [(CKRecord.ID, any Error)] {
    let configuration = configurationsByRecordZoneID?[zoneID] ?? oldConfigurations?[zoneID]
    let limit = configuration.map(\.resultsLimit) ?? 0
    var token = configuration?.previousServerChangeToken
    var errors: [(CKRecord.ID, any Error)] = []
    while true {
      let page = try await target.recordZoneChanges(
        inZoneWith: zoneID, since: token, desiredKeys: configuration?.desiredKeys,
        resultsLimit: limit == 0 ? nil : limit)
      let (records, deletions) = (ordered(page.modificationResultsByID), page.deletions)
      errors += records.compactMap { id, result in result.failureValue.map { (id, $0) } }
      let newToken = page.changeToken
      let continues = fetchAllChanges && page.moreComing
      let moreComing = page.moreComing
      try await reply { [self] in
        report(records, deletions)
        if continues {
          recordZoneChangeTokensUpdatedBlock?(zoneID, newToken, nil)
        } else {
          oldZoneBlock?(zoneID, newToken, nil, moreComing, nil)
          recordZoneFetchResultBlock?(zoneID, .success((newToken, nil, moreComing)))
        }
      }
      guard continues else { return errors }
      token = newToken
    }
  }

  private func report(
    _ records: [(CKRecord.ID, Result<CKRecord, any Error>)],
    _ deletions: [CKDatabase.RecordZoneChange.Deletion]
  ) {
    for (id, result) in records {
      if let recordWasChangedBlock {
        recordWasChangedBlock(id, result)
      } else if let record = result.successValue {
        oldRecordBlock?(record)
      }
    }
    for deletion in deletions {
      recordWithIDWasDeletedBlock?(deletion.recordID, deletion.recordType)
    }
  }

  /// The records, the oldest first; the database returns them without an order.
  private func ordered(
    _ results: [CKRecord.ID: Result<CKDatabase.RecordZoneChange.Modification, any Error>]
  ) -> [(CKRecord.ID, Result<CKRecord, any Error>)] {
    func date(_ result: Result<CKRecord, any Error>) -> Date {
      result.successValue?.modificationDate ?? .distantFuture
    }
    return results.map { ($0.key, $0.value.map(\.record)) }.sorted { a, b in
      let (first, second) = (date(a.1), date(b.1))
      return first == second ? a.0.recordName < b.0.recordName : first < second
    }
  }

  override func end(_ error: any Error) {
    oldEndBlock?(error)
    fetchRecordZoneChangesResultBlock?(.failure(error))
  }
}

extension CKFetchRecordZoneChangesOperation {
  public class ZoneConfiguration: NSObject, NSCopying, @unchecked Sendable {
    private struct State {
      var token: CKServerChangeToken?
      var limit = 0
      var desiredKeys: [CKRecord.FieldKey]?
    }

    private let state = Locked(State())

    public required override init() { super.init() }

    public convenience init(
      previousServerChangeToken: CKServerChangeToken? = nil, resultsLimit: Int? = nil,
      desiredKeys: [CKRecord.FieldKey]? = nil
    ) {
      self.init()
      self.previousServerChangeToken = previousServerChangeToken
      self.resultsLimit = resultsLimit ?? 0
      self.desiredKeys = desiredKeys
    }

    public var previousServerChangeToken: CKServerChangeToken? {
      get { state.current.token }
      set { state.with { $0.token = newValue } }
    }

    public var resultsLimit: Int {
      get { state.current.limit }
      set { state.with { $0.limit = newValue } }
    }

    public var desiredKeys: [CKRecord.FieldKey]? {
      get { state.current.desiredKeys }
      set { state.with { $0.desiredKeys = newValue } }
    }

    public func copy(with zone: NSZone? = nil) -> Any {
      let copy = Self.init()
      copy.state.with { $0 = state.current }
      return copy
    }
  }

  public final class ZoneOptions: ZoneConfiguration, @unchecked Sendable {}
}
