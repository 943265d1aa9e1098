import CloudInterface
import Foundation
import RecordModel
import RecordStore

/// One attempt of a download. It is used by one task.
final class DownloadRun<Container: CloudContainer> {
  typealias Database = Container.Database

  let options: ContainerDownload
  /// The types to query in zones without a change feed.
  let recordTypes: [String]
  private let container: Container
  /// The file of the download. Its state is in notes beside the records.
  private let store: ContainerStore
  private(set) var state: DownloadState
  /// The zones, and the queries of their types.
  var listings: [RecordSection: Listing] = [:]
  /// The records that the server did not send, or not with all their assets.
  var unread: Set<RecordLocation> = []
  var report = DownloadReport()
  /// The maximum number of results of the next requests.
  private(set) var limit: Int?

  init(
    _ options: ContainerDownload, _ recordTypes: [String], _ container: Container,
    _ store: ContainerStore
  ) {
    self.options = options
    self.recordTypes = recordTypes
    self.container = container
    self.store = store
    limit = options.resultsLimit
    state = DownloadState(
      containerIdentifier: container.containerIdentifier,
      includesEncryptedValues: options.includesEncryptedValues,
      includesAssets: options.includesAssets)
  }

  func run() async throws -> DownloadReport {
    let scopes = [DatabaseScope.private, .shared, .public].filter(options.databases.contains)
    report.unfinished = scopes.map { .init(databaseScope: $0) }
    do {
      let user = try await userRecordID()
      try await begin(user)
      for scope in scopes {
        try await download(scope, of: user)
        finish(.init(databaseScope: scope))
      }
      try await commit { _, state in state.isOpen = false }
    } catch let error as CloudError {
      report.counts = state.counts
      throw ArchiveError.downloadInterrupted(error, report)
    }
    report.counts = state.counts
    return report
  }

  private func finish(_ place: DownloadReport.Place, isComplete: Bool = true) {
    report.unfinished.removeAll { $0 == place }
    if isComplete { report.complete.append(place) }
  }

  /// The public database can be read without an account.
  private func userRecordID() async throws -> RecordID? {
    do {
      return try await request { try await container.userRecordID() }
    } catch CloudError.notAuthenticated where options.databases == [.public] {
      return nil
    }
  }

  /// Reads the state of an earlier download, and begins or continues one.
  private func begin(_ user: RecordID?) async throws {
    var info = options.info
    info.identifier = container.containerIdentifier ?? info.identifier
    if let name = user?.recordName, !name.sameScalars(as: ZoneID.currentUserOwnerName) {
      info.currentUserRecordName = name
    }
    var fresh = state
    fresh.userRecordName = user?.recordName
    let known = try await perform { [fresh, info] store in
      try store.mirrorTransaction { writer in
        var state = fresh
        if let stored = try DownloadState.read(writer) {
          try fresh.check(stored)
          state = stored
        } else if try !writer.isEmpty() {
          throw ArchiveError.notADownload
        }
        var listings = try Listing.all(in: writer)
        if !state.isOpen {
          state.isOpen = true
          state.counts = DownloadReport.Counts()
          for query in listings where query.recordType != nil { try query.remove(from: writer) }
          listings.removeAll { $0.recordType != nil }
        }
        try writer.setInfo(try writer.info().adding(info))
        state.revision += 1
        try state.write(to: writer)
        return (state, listings, try RecordLocation.unread(in: writer))
      }
    }
    (state, unread) = (known.0, known.2)
    for listing in known.1 { listings[listing.key] = listing }
  }

  // MARK: Databases

  private func download(_ scope: DatabaseScope, of user: RecordID?) async throws {
    let database = container.database(with: scope)
    if scope != .public { try await fetchDatabaseChanges(of: database) }
    let found = try await fetchZones(of: database)
    report.unfinished += found.map { .init(databaseScope: scope, zoneID: $0.zoneID) }
    for zone in found {
      let location = ZoneLocation(scope, zone.zoneID)
      if scope != .public, zone.capabilities.contains(.fetchChanges) {
        try await download(Listing(location), database)
      } else {
        try await downloadByQueries(location, database, user)
      }
      try await downloadRecords(
        unread.filter { $0.zone == location }.map(\.recordID).sorted(), of: location, database)
      finish(
        .init(databaseScope: scope, zoneID: zone.zoneID),
        isComplete: listings[Listing(location).key] != nil)
    }
    if options.includesSubscriptions { try await downloadSubscriptions(of: database) }
  }

  private func downloadSubscriptions(of database: Database) async throws {
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

  /// Calls `body` until it returns false, with fewer results in a page if the server asks for it.
  ///
  /// - Parameter recover: Returns whether to call `body` again after an error.
  func pages(
    _ body: () async throws -> Bool, recovering recover: (CloudError) async throws -> Bool
  ) async throws {
    while true {
      do {
        guard try await body() else { return }
      } catch let error as CloudError {
        if error.code == .limitExceeded {
          // As many as the server sends at once are known to be 200 in Web Services.
          let current = limit ?? 200
          guard current > 1 else { throw error }
          limit = current / 2
        } else if try await !recover(error) {
          throw error
        }
      }
    }
  }

  /// Sends a request, and repeats it after errors that pass.
  func request<T>(_ body: () async throws -> T) async throws -> T {
    var failures = 0
    while true {
      try Task.checkCancellation()
      do {
        return try await body()
      } catch let error as CloudError {
        try Task.checkCancellation()
        let error = error.ofWholeRequest
        guard error.passes, failures < options.maxRetries else { throw error }
        let seconds = error.retryAfterSeconds ?? Double(min(30, 1 << min(failures, 5)))
        failures += 1
        report.retries += 1
        // Nobody waits for longer than a day; what is not a number is no delay.
        try await options.sleep(.seconds(seconds.isNaN ? 0 : max(0, min(seconds, 86_400))))
      }
    }
  }

  /// Changes the file and the state of the download in one transaction.
  func commit<T: Sendable>(
    _ body: @escaping @Sendable (MirrorTransaction, inout DownloadState) throws -> T
  ) async throws -> T {
    let (result, new) = try await perform { [state] store in
      try store.mirrorTransaction { writer in
        guard try DownloadState.read(writer)?.revision == state.revision else {
          throw ArchiveError.changedElsewhere
        }
        var state = state
        state.revision += 1
        let result = try body(writer, &state)
        try state.write(to: writer)
        return (result, state)
      }
    }
    state = new
    return result
  }

  /// Works with the file on a thread of its own.
  func perform<T: Sendable>(
    _ body: @escaping @Sendable (ContainerStore) throws -> T
  ) async throws -> T {
    try await Archiver().perform { [store] _ in try body(store) }
  }
}

extension CloudError {
  /// Whether the server rejects a request for good, whatever the state of the download.
  var isRefusal: Bool {
    switch code {
    case .invalidArguments, .unknownItem, .permissionFailure, .serverRejectedRequest: true
    default: false
    }
  }

  /// Whether the zone of a request is gone.
  var isZoneGone: Bool { code == .zoneNotFound || code == .userDeletedZone }

  /// Whether the same request may succeed later. Source: Apple's documentation of
  /// `CKErrorRetryAfterKey` and of `CKError.Code`.
  fileprivate var passes: Bool {
    if retryAfterSeconds != nil { return true }
    return switch code {
    case .networkFailure, .networkUnavailable, .serviceUnavailable, .requestRateLimited, .zoneBusy,
      .serverResponseLost:
      true
    default: false
    }
  }

  /// The error of a request about one item, which the server can send as the error of the item.
  fileprivate var ofWholeRequest: CloudError {
    guard code == .partialFailure, let first = partialErrorsByItemID.values.first,
      partialErrorsByItemID.values.allSatisfy({ $0.code == first.code })
    else { return self }
    return first
  }
}
