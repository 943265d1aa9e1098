import CloudInterface
import Foundation
import RecordModel
import Synchronization
import TestSupport
import Testing

@testable import RecordPackTesting

@Suite("Sync trials")
struct SyncTests {
  static let trials = SyncTrials(hasParents: true, checksWrites: true) { device in
    try await ItemStore(device).trialStore
  }

  @Test("pass", arguments: trials.all)
  func passes(_ trial: SyncTrial) async throws { try await Self.trials.run(trial) }
}

@Suite("Sync trials of a store with a mistake")
struct SyncTrialTests {
  @Test("are repeated from the steps of a failure")
  func replay() async throws {
    let trials = SyncTrials { try await ItemStore($0).trialStore }
    try await trials.replay(
      .editDuringSend,
      [
        .edit("Phone", .create("71C18690-EE42-C90B-71BB-54D8D101B5B9", text: "edit-000001")),
        .editDuringSend(
          "Phone", .change("71C18690-EE42-C90B-71BB-54D8D101B5B9", text: "edit-000002")),
        .sync("Phone"),
        .settle,
      ])
  }

  @Test("end if two devices begin to sync during each other's requests")
  func races() async throws {
    let trials = SyncTrials { try await ItemStore($0).trialStore }
    try await trials.replay(
      .mixedEdits,
      [
        .edit("Phone", .create("71C18690-EE42-C90B-71BB-54D8D101B5B9", text: "edit-000001")),
        .edit("Tablet", .create("0B1D5DA1-5D38-4F9C-A7E5-1D9B5A4C77E2", text: "edit-000002")),
        .race("Tablet", "Phone"), .race("Phone", "Tablet"), .sync("Phone"), .settle,
      ])
  }

  @Test("accept the policies that a test states")
  func policies() async throws {
    for (mistake, trial, policy) in [
      (Mistake.mixesAccounts, SyncTrial.signOut, SyncTrialPolicies.keepsDataAtSignOut),
      (.sendsPurgedZones, .purgedZone, .recreatesDeletedItems),
    ] {
      let strict = SyncTrials { try await ItemStore($0, mistake: mistake).trialStore }
      await #expect(throws: SyncTrialFailure.self) { try await strict.run(trial) }
      let trials = SyncTrials(policies: policy) {
        try await ItemStore($0, mistake: mistake).trialStore
      }
      try await trials.run(trial)
    }
  }

  @Test("warn of more pending changes than an engine can store")
  func warning() async throws {
    let trials = SyncTrials { try await ItemStore($0, mistake: .addsAllAtOnce).trialStore }
    let warnings = try await trials.run(.backlog)
    #expect(warnings.first?.contains("2100 pending changes") == true)
    #expect(warnings.count == 1)
  }

  @Test("give each device values of its own, by name and as an object")
  func userDefaults() async throws {
    let names = Mutex<[String: String]>([:])
    let trials = SyncTrials { device in
      device.userDefaults.set(device.name, forKey: "device")
      let name = UserDefaults(suiteName: device.suiteName)?.string(forKey: "device")
      names.withLock { $0[device.name] = name }
      return try await ItemStore(device).trialStore
    }
    try await trials.replay(.conflicts, [.sync("Phone"), .sync("Tablet")])
    #expect(names.withLock { $0 } == ["Phone": "Phone", "Tablet": "Tablet"])
  }

  @Test("know a kill after an edit, so that no shorter history has this trap in place of another")
  func kills() {
    let edit = SyncTrialStep.edit("Phone", .change("A", text: "edit-000001"))
    for kill: SyncTrialStep in [.relaunch("Phone"), .quit("Phone"), .relaunchWithState("Phone", 0)]
    {
      #expect([edit, kill].killsAfterEdits)
      #expect([edit, .sync("Tablet"), kill].killsAfterEdits)
      #expect(![edit, .sync("Phone"), kill].killsAfterEdits)
      #expect(![edit, .settle, kill].killsAfterEdits)
      #expect(![kill, edit].killsAfterEdits)
    }
  }

  @Test("let a device fetch again after a fetch that failed, before they compare it")
  func failedFetch() async throws {
    let trials = SyncTrials { try await ItemStore($0).trialStore }
    let edit = SyncTrialEdit.create("71C18690-EE42-C90B-71BB-54D8D101B5B9", text: "edit-000001")
    try await trials.replay(
      .failedFetch,
      [.sync("Phone"), .failFetch("Phone"), .edit("Tablet", edit), .sync("Tablet"), .settle])
  }

  @Test(
    "that need parents or the shared database fail without them",
    arguments: [
      (SyncTrial.childrenFirst, "SyncTrials(hasParents: true)"),
      (.stoppedSharing, "SyncTrials(syncsSharedDatabase: true)"),
    ])
  func needs(_ trial: SyncTrial, _ remedy: String) async throws {
    let trials = SyncTrials { try await ItemStore($0).trialStore }
    #expect(!trials.all.contains(trial))
    let failure = await #expect(throws: SyncTrialFailure.self) { try await trials.run(trial) }
    #expect(try #require(failure).description.contains(remedy))
  }

  @Test("lead to edits alone first, if the app fails them, too")
  func withoutTrap() async throws {
    for (mistake, trial) in [
      (Mistake.forgetsSystemFields, SyncTrial.oldDeletions), (.dropsOrphans, .childrenFirst),
    ] {
      let trials = SyncTrials(hasParents: true) {
        try await ItemStore($0, mistake: mistake).trialStore
      }
      let failure = try #require(
        await #expect(throws: SyncTrialFailure.self) { try await trials.run(trial) })
      #expect(
        failure.description.contains("'mixedEdits' fails, too") == (trial == .oldDeletions),
        "\(failure)")
      #expect(
        failure.description.contains("ChangesInAnyOrder") == (trial == .childrenFirst), "\(failure)"
      )
    }
  }

  @Test("tell a conflict with an own save from one with another device, whatever that device edits")
  func ownConflict() async throws {
    let trials = SyncTrials { try await ItemStore($0, mistake: .forgetsSystemFields).trialStore }
    let (item, other) = (
      "71C18690-EE42-C90B-71BB-54D8D101B5B9", "0B1D5DA1-5D38-4F9C-A7E5-1D9B5A4C77E2"
    )
    let steps: [SyncTrialStep] = [
      .edit("Phone", .create(item, text: "edit-000001")), .sync("Phone"),
      .edit("Tablet", .create(other, text: "edit-000002")), .sync("Tablet"),
      .edit("Phone", .change(item, text: "edit-000003")), .settle,
    ]
    let failure = try #require(
      await #expect(throws: SyncTrialFailure.self) { try await trials.replay(.mixedEdits, steps) })
    #expect(failure.description.contains("No other device has changed the record"), "\(failure)")
  }

  @Test("name the failed requests that the app makes by itself")
  func requests() async throws {
    let trials = SyncTrials { device in
      _ = try? await device.container.privateCloudDatabase.record(for: RecordID(recordName: "a"))
      return try await ItemStore(device, mistake: .forgetsSystemFields).trialStore
    }
    let failure = try #require(
      await #expect(throws: SyncTrialFailure.self) { try await trials.run(.mixedEdits) })
    #expect(
      failure.description.contains("Failed requests of the app itself: records (unknownItem)"),
      "\(failure)")
  }

  @Test("show the server's record if the app keeps its items in bytes, and a cut value as cut")
  func recordOfBytes() async throws {
    let name = "71C18690-EE42-C90B-71BB-54D8D101B5B9"
    let trials = SyncTrials { device in
      let database = device.container.privateCloudDatabase
      let store = try await ItemStore(device)
      return SyncTrialStore(
        set: { items in
          let zone = ZoneID(zoneName: "Notes")
          _ = try await database.save(RecordZone(zoneID: zone))
          let recordID = RecordID(recordName: "all", zoneID: zone)
          var draft = DraftRecord(recordType: "Notes", recordID: recordID)
          draft["json"] = Data(#"{"\#(items[0].name)": "\#(items[0].text)"}"#.utf8)
          draft["text"] = String(repeating: " long", count: 30)
          _ = try await database.save(draft)
        }, delete: { _ in },
        items: {
          withExtendedLifetime(store) { device.name == "Phone" ? [name: "edit-000001"] : [:] }
        })
    }
    let failure = try #require(
      await #expect(throws: SyncTrialFailure.self) {
        try await trials.replay(
          .mixedEdits,
          [.sync("Tablet"), .edit("Phone", .create(name, text: "edit-000001")), .settle])
      })
    #expect(failure.description.contains("The server has Notes"), "\(failure)")
    #expect(failure.description.contains(" long lo…"), "\(failure)")
  }

  @Test("wake a device again that has something to send only after another has woken")
  func secondWake() async throws {
    let trials = SyncTrials { device in
      let store = try await ItemStore(device).trialStore
      let unsent = Mutex<[SyncTrialEdit]>([])
      let wakes = Atomic(0)
      guard device.name == "Phone" else { return store }
      return SyncTrialStore(
        set: { items in
          unsent.withLock { $0 += items.map { .create($0.name, text: $0.text) } }
        }, delete: { _ in },
        items: {
          let texts = unsent.withLock { $0 }.compactMap(\.newItem).map { ($0.name, $0.text) }
          return try await store.items().merging(texts) { $1 }
        },
        wake: {
          guard wakes.add(1, ordering: .relaxed).newValue == 2 else { return }
          try await store.make(unsent.withLock { $0 })
        })
    }
    let edit = SyncTrialEdit.create("71C18690-EE42-C90B-71BB-54D8D101B5B9", text: "edit-000001")
    try await trials.replay(
      .mixedEdits, [.sync("Tablet"), .edit("Phone", edit), .settle])
  }

  @Test("give no earlier state to an app that fetches everything at each launch")
  func olderStates() async throws {
    let trials = SyncTrials { device in
      try FileManager.default.removeItem(at: device.folder)
      try FileManager.default.createDirectory(
        at: device.folder, withIntermediateDirectories: true)
      return try await ItemStore(device).trialStore
    }
    let edit = SyncTrialEdit.create("71C18690-EE42-C90B-71BB-54D8D101B5B9", text: "edit-000001")
    try await trials.replay(
      .olderStates, [.edit("Phone", edit), .settle, .relaunchWithState("Phone", 9), .settle])
  }

  @Test("free the storage, and start the app again, before they compare the devices")
  func freedStorage() async throws {
    let trials = SyncTrials { try await ItemStore($0).trialStore }
    let edit = SyncTrialEdit.create("71C18690-EE42-C90B-71BB-54D8D101B5B9", text: "edit-000001")
    try await trials.replay(
      .fullQuota, [.sync("Phone"), .edit("Phone", edit), .fillStorage("Phone"), .settle])
  }

  @Test("copy the files of a killed app when it has closed them")
  func closingFiles() async throws {
    /// A database that closes on a thread of its own after the app has ended.
    final class Database: Sendable {
      let folder: URL

      init(_ folder: URL) throws {
        self.folder = folder
        for number in 0..<100 {
          if number.isMultiple(of: 2) {
            try Data("\(number)".utf8).write(to: log(number))
          } else {
            try FileManager.default.createDirectory(
              at: log(number), withIntermediateDirectories: true)
          }
        }
      }

      func log(_ number: Int) -> URL { folder.appendingPathComponent("log-\(number)") }

      deinit {
        let logs = (0..<100).map(log)
        Thread.detachNewThread {
          for log in logs { try? FileManager.default.removeItem(at: log) }
        }
      }
    }
    let trials = SyncTrials { device in
      let database = try Database(device.folder)
      let store = try await ItemStore(device)
      return SyncTrialStore(
        set: { _ in }, delete: { _ in },
        items: { withExtendedLifetime((database, store)) { [:] } })
    }
    try await trials.replay(.kills, (0..<4).map { _ in .relaunch("Phone") })
  }

  @Test("leave no files, and remove those of a killed process")
  func temporaryFiles() async throws {
    let (files, abandoned) = (
      FileManager.default, "\(SyncTrialRun.parentFolder())/recordpack.working.killed"
    )
    try files.createDirectory(atPath: abandoned, withIntermediateDirectories: true)
    let folders = Mutex<[String]>([])
    let trials = SyncTrials { device in
      folders.withLock { $0.append(device.folder.path) }
      return try await ItemStore(device).trialStore
    }
    try await trials.replay(.kills, [.relaunch("Phone")])
    #expect(folders.withLock { $0.count } > 1)
    #expect(folders.withLock { $0.filter(files.fileExists) } == [])
    #expect(!files.fileExists(atPath: abandoned))
  }

  @Test("end an app that repeats a request without an end, and leave no thread to it")
  func endlessRequests() async throws {
    let count = Atomic(0)
    let trials = SyncTrials { device in
      let store = try await ItemStore(device)
      return SyncTrialStore(
        set: { _ in
          while true {
            count.add(1, ordering: .relaxed)
            _ = try? await device.container.privateCloudDatabase.allRecordZones()
          }
        }, delete: { _ in }, items: { withExtendedLifetime(store) { [:] } })
    }
    let failure = await #expect(throws: SyncTrialFailure.self) {
      try await trials.replay(.mixedEdits, [.edit("Phone", .create("a", text: "a"))])
    }
    #expect(failure?.description.contains("made more than") == true, "\(failure)")
    var last = 0
    while count.load(ordering: .relaxed) != last {
      last = count.load(ordering: .relaxed)
      try await Task.sleep(for: .seconds(0.3))
    }
  }

  @Test(
    "find each mistake",
    arguments: TestAmount.of(Mistake.allCases.filter { $0 != .addsAllAtOnce }, oneIn: 3))
  func finds(_ mistake: Mistake) async throws {
    let trials = SyncTrials(hasParents: true) {
      try await ItemStore($0, mistake: mistake).trialStore
    }
    let failure = try #require(
      await #expect(throws: SyncTrialFailure.self) { try await trials.run(mistake.trial) })
    #expect(failure.steps.count <= 40)
    #expect(failure.description.contains("\(mistake.page).md"), "\(failure)")
  }
}

extension Mistake {
  /// The trial that finds the mistake.
  fileprivate var trial: SyncTrial {
    switch self {
    case .sendsFromDelegate, .sendsFromTaskOfDelegate: .conflicts
    case .addsDuringEvent: .failedBatch
    case .givesUpNeighbours: .rejectedNeighbours
    case .givesUpOverQuota, .addsOverQuotaInTask: .fullQuota
    case .showsOlderVersions: .olderVersionLast
    case .dropsOrphans: .childrenFirst
    case .ignoresFailedWrites: .failedWrite
    case .hasNoListOfEdits: .kills
    case .ignoresSignIn: .editBeforeSignIn
    case .leavesMissingPending: .olderStates
    case .overwritesNewerEdits: .editDuringSend
    case .givesUpWithoutZone: .deletedZone
    case .keepsDeletedZones: .deletedZone
    case .sendsPurgedZones: .purgedZone
    case .mixesAccounts: .switchedAccounts
    case .sendsAllAtOnce, .addsAllAtOnce: .backlog
    case .forgetsSystemFields: .lostResponse
    case .showsDeletedItems: .ownSaves
    }
  }

  /// The name of the article to which the failure leads.
  fileprivate var page: String {
    switch self {
    case .sendsFromDelegate, .sendsFromTaskOfDelegate: "CallsFromTheDelegate"
    // The shortest history has neither a lost response nor a second device.
    case .forgetsSystemFields: "ResolvingConflicts"
    default: trial.article
    }
  }
}
