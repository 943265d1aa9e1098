import CloudInterface
import Foundation
import MockCloud
import RecordModel
import RecordPlatform
import RecordStore
import StoreTestSupport
import Synchronization
import Testing

@testable import RecordArchive
@testable import RecordBundle

// Every file of these tests uses it.
@_exported import TestSupport

let testDate = Date(timeIntervalSinceReferenceDate: 700_000_000)
let queriedTypes = ["Feedback", "Todo"]

/// A download of everything, which does not wait.
func everything(encrypted: Bool = true) -> ContainerDownload {
  var download = ContainerDownload()
  download.databases = [.private, .shared, .public]
  download.recordTypes = queriedTypes
  download.includesEncryptedValues = encrypted
  download.maxRetries = 0
  download.sleep = { _ in Issue.record("nothing to wait for") }
  return download
}

/// Returns the lines of a bundle but the index, whose kind is not one of those left out.
func lines(of path: String, without kinds: Set<String> = []) throws -> [String] {
  let bundle = try BundleReader(path: path)
  var lines: [String] = []
  for file in bundle.files {
    for frame in file.index.frames.indices {
      try file.withFrame(frame) { frame in
        try frame.forEachLine { line, _ in lines.append(String(decoding: line, as: UTF8.self)) }
      }
    }
  }
  return lines.filter { line in
    !kinds.union(["index"]).contains { line.hasPrefix("{\"kind\":\"\($0)\"") }
  }
}

/// The bytes of the bundle of a container.
func bundle(of store: ContainerStore, in folder: TestFolder) throws -> Data {
  let path = folder.path("\(UUID().uuidString).recordpack")
  var archiver = Archiver()
  archiver.threads = 1
  try archiver.export(store, to: path)
  return try Data(contentsOf: URL(fileURLWithPath: path))
}

/// Checks that two containers have the same bundle.
func expectSame(
  _ found: ContainerStore, _ expected: ContainerStore, _ folder: TestFolder,
  _ comment: Comment? = nil, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let (a, b) = (try bundle(of: found, in: folder), try bundle(of: expected, in: folder))
  guard a != b else { return }
  var differences: [String] = []
  _ = try ArchiveComparison(.container(found), .container(expected)).run {
    differences.append(String("\($0)".prefix(150)))
  }
  Issue.record(
    "the bundles differ: \(differences.prefix(5)) \(comment ?? "")",
    sourceLocation: sourceLocation)
}

extension MockContainer {
  /// Returns what an account sees, read record by record, by names instead of changes and queries.
  ///
  /// - Parameter account: the container as the account sees it.
  func expected(
    for account: some CloudContainer, encrypted: Bool = true, subscriptions: Bool = true
  ) async throws -> ContainerStore {
    let user = try await account.userRecordID()
    var names: Set<String> = [user.recordName]
    for scope in DatabaseScope.allCases {
      try store.database(scope).forEachRecord { names.insert($0.recordID.recordName) }
    }
    let result = try ContainerStore.inMemory(
      info: ContainerInfo(
        identifier: containerIdentifier, currentUserRecordName: user.recordName))
    for scope in DatabaseScope.allCases {
      let database = account.database(with: scope)
      let zones = try await database.allRecordZones()
      var records: [ResultRecord] = []
      for zone in zones {
        let found = try await database.records(
          for: names.sorted().map { RecordID(recordName: $0, zoneID: zone.zoneID) })
        records += found.values.compactMap { try? $0.get() }
      }
      let kept = records.filter { record in
        guard record.recordChangeTag != nil else { return false }
        guard record.recordID.zoneID.isDefault else { return true }
        return queriedTypes.contains(record.recordType) || record.recordID == user
      }.map { record in
        ResultRecord(
          systemFields: record.systemFields,
          fields: record.allFields.filter { encrypted || !$0.isEncrypted })
      }
      let stored = try await subscriptions ? database.allSubscriptions() : []
      try result.importTransaction { writer in
        for zone in zones { try writer.add(zone, to: scope) }
        for record in kept.sorted(by: { $0.recordID < $1.recordID }) {
          try writer.add(record, to: scope)
          for asset in record.fields.flatMap(\.value.assets) {
            let data = try store.assetData(sha256: asset.sha256 ?? "")
            try data.withUnsafeBytes {
              try writer.addAssetChunk(
                $0, at: 0, ofAsset: asset.sha256 ?? "", size: Int64(data.count))
            }
          }
        }
        for subscription in stored { try writer.add(subscription, to: scope) }
      }
    }
    return try copy(of: result)
  }

  /// A container that is filled at once has no history.
  private func copy(of store: ContainerStore) throws -> ContainerStore {
    let copy = try ContainerStore.inMemory(info: store.info())
    try copy.importTransaction { writer in
      for scope in DatabaseScope.allCases {
        try store.snapshot { snapshot in
          for zone in try snapshot.zones(in: scope) { try writer.add(zone, to: scope) }
          try snapshot.forEachRecord(in: scope) { try writer.add($0, to: scope) }
          for subscription in try snapshot.subscriptions(in: scope) {
            try writer.add(subscription, to: scope)
          }
        }
      }
      try store.snapshot { snapshot in
        try snapshot.forEachAsset { asset in
          guard asset.size != nil else { return }
          let data = try snapshot.assetData(sha256: asset.sha256)
          try data.withUnsafeBytes {
            try writer.addAssetChunk(
              $0, at: 0, ofAsset: asset.sha256, size: Int64(data.count))
          }
        }
      }
    }
    return copy
  }
}

/// A container that counts what the server sends.
final class CountingContainer<Base: CloudContainer>: CallHandlingContainer {
  let base: Base
  private let counts = Mutex((calls: 0, records: 0, largestPage: 0))

  init(_ base: Base) { self.base = base }

  var containerIdentifier: String? { base.containerIdentifier }
  var calls: Int { counts.withLock { $0.calls } }
  var records: Int { counts.withLock { $0.records } }

  func accountChanges() -> AsyncStream<AccountStatus> { base.accountChanges() }

  func fileURL(for asset: Asset, in databaseScope: DatabaseScope) async throws -> URL {
    try await base.database(with: databaseScope).fileURL(for: asset)
  }

  func handle(_ call: CloudCall) async throws -> CloudResponse {
    counts.withLock { $0.calls += 1 }
    let response = try await base.send(call)
    let records = response.results.count { entry in
      if case .success(.record) = entry.result { true } else { false }
    }
    counts.withLock { $0.records += records }
    return response
  }
}
