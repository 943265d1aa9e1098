import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// Faults of the calls for sharing.
struct SharingFaultTests {
  private let server = SharingContainer()
  private let clock = ManualClock()
  private let container: FaultInjectingContainer<SharingContainer>
  private var faults: Faults { container.faults }
  private let trip: ShareMetadata
  private let full: ShareMetadata

  init() throws {
    container = FaultInjectingContainer(server, clock: clock)
    trip = try SharingContainer.metadata("trip")
    full = try SharingContainer.metadata("full")
  }

  @Test("a failure before the server accepts nothing, one after it has accepted")
  func wholeCall() async throws {
    faults.fail(.accept, with: .networkFailure(.beforeServer))
    #expect(await cloudError { try await container.accept(trip) }?.code == .networkFailure)
    #expect(server.accepted.isEmpty)
    faults.fail(.accept, with: .networkFailure(.afterServer))
    #expect(await cloudError { try await container.accept(trip) }?.code == .networkFailure)
    #expect(server.accepted == ["trip"])
    #expect(try await container.accept(trip) == trip.share)
  }

  @Test("an app that is killed after an accept has accepted")
  func crash() async throws {
    faults.crash(.accept, at: .afterServer)
    await #expect(throws: SimulatedCrash.self) { try await container.accept(trip) }
    #expect(server.accepted == ["trip"])
    #expect(try await container.restarted().accept(trip) == trip.share)
  }

  @Test("an accept is chosen by its share and by the share's zone")
  func filters() async throws {
    faults.fail(record: id("other"), with: .serverError, times: .always)
    faults.fail(zone: .default, with: .serverError, times: .always)
    #expect(await cloudError { try await container.accept(trip) } == nil)
    faults.fail(record: id("trip"), with: .serverError)
    #expect(
      await cloudError { try await container.accept(trip) }?.code == .serverRejectedRequest)
    faults.fail(zone: notes, with: .zoneBusy(retryAfter: 3))
    #expect(await cloudError { try await container.accept(trip) }?.code == .zoneBusy)
    // Another share of the zone, before the time is over.
    #expect(await cloudError { try await container.accept(full) }?.retryAfterSeconds == 3)
    clock.advance(by: .seconds(3))
    #expect(await cloudError { try await container.accept(trip) } == nil)
  }

  @Test("a share that fails does not reach the server; others are accepted")
  func failedShare() async throws {
    let error = CloudError(.serviceUnavailable)
    faults.fail(.accept, with: .partialFailure(of: [id("trip")], with: error), times: 2)
    let other = try SharingContainer.metadata("other")
    let results = try await container.accept([trip, other])
    #expect(results[trip]?.cloudError?.code == .serviceUnavailable)
    #expect(results[other]?.isSuccess == true)
    #expect(server.accepted == ["other"])
    // One whose items all fail is not sent.
    #expect(await cloudError { try await container.accept(trip) }?.code == .serviceUnavailable)
    #expect(server.calls.count == 1)
  }

  @Test("a user, and a link, fail by themselves")
  func failedFetches() async throws {
    let error = CloudError(.serviceUnavailable)
    let mira = UserIdentity.LookupInfo(userRecordName: "_mira")
    faults.fail(with: .partialFailure(of: [.user(SharingContainer.anna)], with: error))
    let users = try await container.shareParticipants(for: [SharingContainer.anna, mira])
    #expect(users[SharingContainer.anna]?.cloudError?.code == .serviceUnavailable)
    #expect(users[mira]?.cloudError?.code == .unknownItem)
    let photos = SharingContainer.link("0photos")
    faults.fail(with: .partialFailure(of: [.link(photos)], with: error))
    let links = try await container.shareMetadatas(for: [photos, SharingContainer.tripLink])
    #expect(links[photos]?.cloudError?.code == .serviceUnavailable)
    #expect(links[SharingContainer.tripLink]?.isSuccess == true)
  }

  @Test("limitExceeded counts users, links and shares")
  func limit() async throws {
    faults.fail(with: .limitExceeded(over: 1), times: .always)
    let (anna, nobody) = (SharingContainer.anna, SharingContainer.nobody)
    let codes = [
      await cloudError { try await container.shareParticipants(for: [anna, nobody]) }?.code,
      await cloudError { try await container.shareParticipants(for: [anna]) }?.code,
      await cloudError {
        try await container.shareMetadatas(
          for: [SharingContainer.tripLink, SharingContainer.noLink])
      }?.code,
      await cloudError { try await container.accept([trip, full]) }?.code,
      await cloudError { try await container.accept([trip]) }?.code,
    ]
    #expect(codes == [.limitExceeded, nil, .limitExceeded, .limitExceeded, nil])
  }

  @Test("only an accept changes something on the server")
  func writing() {
    #expect(CloudOperation.accept.isWriting)
    #expect(!CloudOperation.shareParticipants.isWriting)
    #expect(!CloudOperation.shareMetadatas.isWriting)
  }

  // MARK: Schedules

  private func outcomes(_ setUp: (Faults) throws -> Void) async throws -> ([String], FaultLog) {
    let container = FaultInjectingContainer(
      SharingContainer(), clock: ManualClock(advancesWhenSleeping: true))
    try setUp(container.faults)
    let (anna, nobody) = (SharingContainer.anna, SharingContainer.nobody)
    let (link, other) = (SharingContainer.tripLink, SharingContainer.noLink)
    var outcomes: [String] = []
    func note<Key: Hashable, Item>(
      _ call: () async throws -> [Key: Result<Item, any Error>], _ keys: [Key]
    ) async {
      do {
        let results = try await call()
        outcomes.append("\(keys.map { results[$0].map { "\($0.cloudError?.code.name ?? "ok")" } })")
      } catch {
        outcomes.append("\(error)")
      }
    }
    for _ in 0..<100 {
      await note({ try await container.shareParticipants(for: [anna, nobody]) }, [anna, nobody])
      await note({ try await container.shareMetadatas(for: [link, other]) }, [link, other])
      await note({ try await container.accept([trip, full]) }, [trip, full])
    }
    return (outcomes, container.faults.log)
  }

  @Test("a log does not name users and links")
  func log() async throws {
    let error = CloudError(.serviceUnavailable)
    let log = try await outcomes { faults in
      faults.fail(with: .partialFailure(of: [.user(SharingContainer.nobody)], with: error))
      faults.fail(with: .partialFailure(of: [id("full")], with: error))
    }.1
    #expect(log.faults.map(\.operation) == [.shareParticipants, .accept])
    #expect(!hasPersonalData("\(log)"), "\(log)")
  }

  @Test("faults that are drawn from a seed are the same each time, and none is a full account")
  func schedule() async throws {
    for kind in FaultKind.allCases where !kind.isCrash {
      let first = try await outcomes { $0.follow(FaultSchedule(seed: 5, [kind: 0.3])) }
      let second = try await outcomes { $0.follow(FaultSchedule(seed: 5, [kind: 0.3])) }
      #expect(first.0 == second.0)
      let operations = Set(first.1.faults.map(\.operation))
      let expected: Set<CloudOperation> =
        switch kind {
        case .quotaExceeded, .changeTokenExpired: []
        case .zoneBusy: [.accept]
        default: [.shareParticipants, .shareMetadatas, .accept]
        }
      #expect(operations == expected, "\(kind)")
    }
  }

  @Test("the descriptions of users and links do not say which")
  func descriptions() {
    #expect("\(CloudItem.user(SharingContainer.anna))" == "a user")
    #expect("\(CloudItem.link(SharingContainer.tripLink))" == "a link")
  }

  @Test("changes of the account come from the other container, also while calls fail")
  func accountChanges() async {
    faults.fail(with: .networkUnavailable, times: .always)
    var statuses: [AccountStatus] = []
    for await status in container.accountChanges() { statuses.append(status) }
    #expect(statuses == [.noAccount, .available])
    #expect(faults.callCount == 0)
  }
}
