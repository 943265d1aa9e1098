import CloudInterface
import Foundation
import RecordModel
import RecordStore

/// One attempt of a download. It is used by one task.
final class DownloadRun<Container: CloudContainer> {
  typealias Place = DownloadReport.Place

  let options: ContainerDownload
  /// The types to query in zones without a change feed.
  let recordTypes: [String]
  let container: Container
  let file: DownloadFile
  private(set) var state: DownloadState
  var zones: [Place: ZoneProgress] = [:]
  var queries: [RecordSection: QueryProgress] = [:]
  var report = DownloadReport()
  /// The maximum number of results of the next requests.
  var limit: Int?
  private var retry: RequestRetry

  init(
    _ options: ContainerDownload, _ recordTypes: [String], _ container: Container,
    _ file: DownloadFile
  ) {
    self.options = options
    self.recordTypes = recordTypes
    self.container = container
    self.file = file
    limit = options.resultsLimit
    retry = RequestRetry(maxRetries: options.maxRetries, sleep: options.sleep)
    state = DownloadState(
      containerIdentifier: container.containerIdentifier,
      includesEncryptedValues: options.includesEncryptedValues,
      includesAssets: options.includesAssets)
  }

  func run() async throws -> DownloadReport {
    let scopes = [DatabaseScope.private, .shared, .public].filter(options.databases.contains)
    report.unfinished = scopes.map { Place(databaseScope: $0) }
    do {
      let user = try await userRecordID()
      try await begin(user)
      for scope in scopes {
        try await download(scope, of: user)
        let place = Place(databaseScope: scope)
        report.unfinished.removeAll { $0 == place }
        report.complete.append(place)
      }
      try await commit { _, state in state.isOpen = false }
    } catch let error as CloudError {
      finishReport()
      throw DownloadError.interrupted(error, report)
    }
    finishReport()
    return report
  }

  private func finishReport() {
    let counts = state.counts
    report.records = counts.records
    report.deletedRecords = counts.deletedRecords
    report.deletedZones = counts.deletedZones
    report.assets = counts.assets
    report.omittedEncryptedValues = counts.omittedEncryptedValues
    report.omittedAssets = counts.omittedAssets
    report.retries = retry.count
  }

  /// The public database can be read without an account.
  private func userRecordID() async throws -> RecordID? {
    do {
      return try await request { try await container.userRecordID() }
    } catch CloudError.notAuthenticated where options.databases == [.public] {
      return nil
    }
  }

  private func begin(_ user: RecordID?) async throws {
    var info = options.info
    info.identifier = container.containerIdentifier ?? info.identifier
    if let name = user?.recordName, !name.sameScalars(as: ZoneID.currentUserOwnerName) {
      info.currentUserRecordName = name
    }
    var fresh = state
    fresh.userRecordName = user?.recordName
    let content = try await file.begin(fresh, info)
    state = content.state
    for zone in content.zones { zones[zone.place] = zone }
    for query in content.queries { queries[query.section] = query }
  }

  // MARK: Databases

  private func download(_ scope: DatabaseScope, of user: RecordID?) async throws {
    let database = container.database(with: scope)
    if scope != .public { try await fetchDatabaseChanges(of: database) }
    let found = try await fetchZones(of: database)
    report.unfinished += found.map { Place(databaseScope: scope, zoneID: $0.zoneID) }
    for zone in found {
      let place = Place(databaseScope: scope, zoneID: zone.zoneID)
      if scope != .public, zone.capabilities.contains(.fetchChanges) {
        try await downloadChanges(of: place, database)
      } else {
        try await downloadByQueries(place, database, user)
      }
      try await downloadUnread(of: place, database)
      report.unfinished.removeAll { $0 == place }
      if zones[place] != nil { report.complete.append(place) }
    }
    if options.includesSubscriptions { try await downloadSubscriptions(of: database) }
  }

  private func downloadSubscriptions(of database: Container.Database) async throws {
    let scope = database.databaseScope
    do {
      let results = try await request { try await database.allSubscriptionResults() }
      let subscriptions = try results.compactMap { id, result -> CloudSubscription? in
        do {
          return try result.get()
        } catch let error as CloudError {
          report.problems.append(
            DownloadProblem(databaseScope: scope, subject: .subscription(id), error: error))
          return nil
        }
      }
      try await commit { writer, _ in try writer.setSubscriptions(subscriptions, of: scope) }
      report.subscriptions += subscriptions.count
    } catch CloudError.notAuthenticated where scope == .public {
      // Nobody has signed in, so there are none.
    } catch let error as CloudError where error.isRefusal {
      report.problems.append(
        DownloadProblem(databaseScope: scope, subject: .subscriptions, error: error))
    }
  }

  // MARK: Requests and transactions

  /// Sends a request, and repeats it after errors that pass.
  func request<T>(_ body: () async throws -> T) async throws -> T {
    retry.reset()
    while true {
      try Task.checkCancellation()
      do {
        return try await body()
      } catch let error as CloudError {
        try Task.checkCancellation()
        try await retry.wait(after: error.ofWholeRequest)
      }
    }
  }

  /// Changes the file and the state of the download in one transaction.
  func commit<T: Sendable>(
    _ body: @escaping @Sendable (MirrorWriter, inout DownloadState) throws -> T
  ) async throws -> T {
    let (result, new) = try await file.commit(state, body)
    state = new
    return result
  }

  func reportProgress() throws {
    try options.progress?(
      ArchiveProgress(records: state.counts.records, bytes: state.counts.bytes))
  }

  /// Asks for fewer results from now on.
  ///
  /// - Throws: the error if there cannot be fewer.
  func halveLimit(after error: CloudError) throws {
    // As many as the server sends at once are known to be 200 in Web Services.
    let current = limit ?? 200
    guard current > 1 else { throw error }
    limit = current / 2
  }
}

extension CloudError {
  /// Whether the server refuses a request for good, whatever the state of the download.
  var isRefusal: Bool {
    switch code {
    case .invalidArguments, .unknownItem, .permissionFailure, .serverRejectedRequest: true
    default: false
    }
  }

  /// Whether the zone of a request is gone.
  var isZoneGone: Bool { code == .zoneNotFound || code == .userDeletedZone }
}

/// Repeats requests that failed with an error that passes.
struct RequestRetry {
  let maxRetries: Int
  let sleep: @Sendable (Duration) async throws -> Void
  /// The number of requests that were repeated.
  private(set) var count = 0
  /// The number of failures of the current request.
  private var failures = 0

  init(maxRetries: Int, sleep: @escaping @Sendable (Duration) async throws -> Void) {
    self.maxRetries = maxRetries
    self.sleep = sleep
  }

  /// Begins with a new request.
  mutating func reset() { failures = 0 }

  /// Waits, so that the request can be repeated.
  ///
  /// - Throws: the error if it does not pass, or has come too often.
  mutating func wait(after error: CloudError) async throws {
    guard error.passes, failures < maxRetries else { throw error }
    let seconds = error.retryAfter ?? Double(min(30, 1 << min(failures, 5)))
    failures += 1
    count += 1
    // Nobody waits for longer than a day; what is not a number is no delay.
    try await sleep(.seconds(seconds.isNaN ? 0 : max(0, min(seconds, 86_400))))
  }
}

extension CloudError {
  /// Whether the same request may succeed later. Source: Apple's documentation of
  /// `CKErrorRetryAfterKey` and of `CKError.Code`.
  fileprivate var passes: Bool {
    if retryAfter != nil { return true }
    return switch code {
    case .networkFailure, .networkUnavailable, .serviceUnavailable, .requestRateLimited, .zoneBusy,
      .serverResponseLost:
      true
    default: false
    }
  }

  /// The error of a request about one thing, which the server can send as that of an item.
  var ofWholeRequest: CloudError {
    guard code == .partialFailure, let first = partialErrors.values.first,
      partialErrors.values.allSatisfy({ $0.code == first.code })
    else { return self }
    return first
  }
}
