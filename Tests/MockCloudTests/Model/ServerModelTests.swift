import CloudInterface
import Foundation
import MockCloud
import RecordModel
import Testing

/// Random requests, each answered by the server and by a model of dictionaries.
struct ServerModelTests {
  static let seeds = SeededGenerator.seeds(16)

  @Test("the server answers as the model does, and has what the model has", arguments: seeds)
  func model(seed: UInt64) async throws {
    var random = SeededGenerator(seed)
    var rules = ServerRules.native
    rules.defaultZoneCascade = random.chance(2) ? .atOnce : .later
    let database = try await makeDatabase(rules: rules)
    try await database.modifyRecordZones(
      saving: RandomRequest.zones.map { RecordZone(zoneID: $0) }, deleting: [])
    var run = ModelRun(database)
    run.model.cascadesInDefaultZone = rules.defaultZoneCascade == .atOnce
    for number in 0..<15 {
      let request = RandomRequest(run.history, &random)
      try await run.answer(request, "seed \(seed), request \(number)")
    }
    let store = database.container.store
    #expect(try store.verify { Issue.record("\($0)") }.isIntact)
  }
}

/// A database and its model, request by request.
private struct ModelRun {
  let database: MockDatabase
  var model = ServerModel()
  var history: [RecordID: [ResultRecord]] = [:]
  private var lastChange: Int64 = 0

  init(_ database: MockDatabase) { self.database = database }

  mutating func answer(_ request: RandomRequest, _ place: String) async throws {
    let before = try contents(of: database.container)
    var expected: [ZoneID: ServerModel.Outcome] = [:]
    for zoneID in RandomRequest.zones {
      expected[zoneID] = model.outcome(
        in: zoneID, saving: request.models[zoneID] ?? [],
        deleting: request.modelNames[zoneID] ?? [], request.policy,
        atomically: request.atomically)
    }
    let answer = try await database.modifyRecords(
      saving: request.drafts, deleting: request.deletions, savePolicy: request.policy,
      atomically: request.atomically)
    let saves = answer.saveResults.mapValues { $0.cloudError?.code }
    let deletions = answer.deleteResults.mapValues { $0.cloudError?.code }
    #expect(saves.count + deletions.count == request.drafts.count + request.deletions.count)
    for (recordID, code) in saves.merging(deletions, uniquingKeysWith: { $1 }) {
      let wanted = expected[recordID.zoneID]?.errors[recordID.recordName]
      #expect(code == wanted, "\(place): \(recordID)")
    }
    try compare(expected, place)
    if !saves.values.contains(nil) && !deletions.values.contains(nil) {
      #expect(try contents(of: database.container) == before, "\(place): a trace is left")
    }
    for (recordID, result) in answer.saveResults {
      if case .success(let record) = result { history[recordID, default: []].append(record) }
    }
  }

  /// Compares what is stored, and that tags of changed records are new and all others unchanged.
  private mutating func compare(
    _ expected: [ZoneID: ServerModel.Outcome], _ place: String
  ) throws {
    var found: [ZoneID: [String: ServerModel.Entry]] = [:]
    let change = try database.container.store.snapshot { snapshot in
      try snapshot.forEachRecord(in: .private) { record in
        found[record.recordID.zoneID, default: [:]][record.recordID.recordName] =
          ServerModel.Entry(record)
      }
      return try snapshot.lastChange(in: .private)
    }
    #expect(change >= lastChange, "\(place): the counter went back")
    for (zoneID, outcome) in expected {
      let records = found[zoneID] ?? [:]
      var wanted = outcome.after
      for name in outcome.saved.union(outcome.touched) {
        guard let tag = records[name]?.tag else { continue }
        #expect(Int64(tag, radix: 36) ?? 0 > lastChange, "\(place): '\(name)' has an old tag")
        wanted[name]?.tag = tag
      }
      #expect(records == wanted, "\(place): \(zoneID)")
      for (name, entry) in records {
        let parent = entry.parent
        #expect(parent == nil || records[parent ?? ""] != nil, "\(place): '\(name)' dangles")
      }
      model.zones[zoneID] = records
    }
    lastChange = change
  }
}
