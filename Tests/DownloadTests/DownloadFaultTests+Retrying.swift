import CloudInterface
import Foundation
import MockCloud
import RecordModel
import RecordStore
import Synchronization
import Testing

@testable import RecordArchive

/// Requests that are repeated, and those that are not.
extension DownloadFaultTests {
  /// A download that notes how long it would wait.
  private func patient() -> (ContainerDownload, Waits) {
    var download = everything()
    let waits = Waits()
    download.maxRetries = 3
    download.sleep = { waits.add($0) }
    return (download, waits)
  }

  @Test("a request is repeated when the server says so")
  func retryAfter() async throws {
    let container = FaultInjectingContainer(mock)
    container.faults.fail(
      .recordZoneChanges, with: .error(CloudError(.zoneBusy, retryAfter: 7)), times: 2)
    container.faults.fail(
      .allRecordZones, with: .error(CloudError(.requestRateLimited, retryAfter: 3)))
    container.faults.fail(
      .databaseChanges, with: .error(CloudError(.serviceUnavailable, retryAfter: 0.5)))
    let (download, waits) = patient()
    let report = try await download.run(from: container, into: file)
    #expect(waits.all == [.milliseconds(500), .seconds(3), .seconds(7), .seconds(7)])
    #expect(report.retries == 4)
    try await expectWhole()
  }

  @Test("without a delay of the server, each wait is twice as long, and they end")
  func backoff() async throws {
    let container = FaultInjectingContainer(mock)
    container.faults.fail(.recordZoneChanges, with: .networkFailure(), times: .always)
    let (download, waits) = patient()
    let error = await #expect(throws: ArchiveError.self) {
      try await download.run(from: container, into: file)
    }
    #expect(waits.all == [.seconds(1), .seconds(2), .seconds(4)])
    guard case .downloadInterrupted(let cause, let report) = error else {
      Issue.record("not interrupted")
      return
    }
    #expect(cause.code == .networkFailure)
    #expect(
      report.unfinished.map(\.description) == [
        "the private database", "the shared database", "the public database",
        "the zone 'Notes' of the private database",
        "the zone '_defaultZone' of the private database",
      ])
    #expect(report.complete == [])
    container.faults.removeAll()
    _ = try await download.run(from: container, into: file)
    try await expectWhole()
  }

  @Test("the error of an interrupted download says what is complete")
  func statement() async throws {
    let container = FaultInjectingContainer(mock)
    container.faults.fail(.query, with: .error(CloudError(.quotaExceeded)), times: .always)
    let error = await #expect(throws: ArchiveError.self) {
      try await everything().run(from: container, into: file)
    }
    let text = try #require(error).description
    #expect(text.contains("Complete: the zone 'Notes' of the private database. Run it again"))
  }

  @Test("the number of results is halved until the server sends them")
  func limitExceeded() async throws {
    let container = FaultInjectingContainer(mock)
    let limits = Mutex<[Int?]>([])
    container.faults.run(.recordZoneChanges, times: .always) { call in
      guard case .recordZoneChanges(_, _, _, let limit) = call.request else { return }
      limits.withLock { $0.append(limit) }
      if limit ?? .max > 3 { throw CloudError(.limitExceeded) }
    }
    var download = everything()
    download.resultsLimit = 16
    _ = try await download.run(from: container, into: file)
    #expect(limits.withLock { $0 } == [16, 8, 4, 2, 2, 2, 2, 2])
    try await expectWhole()
  }

  @Test("a server that refuses a single result ends the download")
  func limitOfOne() async throws {
    let container = FaultInjectingContainer(mock)
    container.faults.fail(
      .databaseChanges, with: .error(CloudError(.limitExceeded)), times: .always)
    await #expect(throws: ArchiveError.self) {
      try await everything().run(from: container, into: file)
    }
    #expect(container.faults.callCount == 9)
  }
}

/// The waits of a download.
final class Waits: Sendable {
  private let durations = Mutex<[Duration]>([])
  var all: [Duration] { durations.withLock { $0 } }
  func add(_ duration: Duration) { durations.withLock { $0.append(duration) } }
}
