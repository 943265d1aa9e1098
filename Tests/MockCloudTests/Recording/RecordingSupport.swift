import CloudInterface
import Foundation
import MockCloud
import RecordModel

/// Whether two outcomes of a call are the same: values by value, errors of CloudKit with all their
/// parts, other errors by their text.
func isSame(
  _ a: Result<CloudResponse, any Error>, _ b: Result<CloudResponse, any Error>
) -> Bool {
  switch (a, b) {
  case (.success(let a), .success(let b)): isSame(a, b)
  case (.failure(let a), .failure(let b)): isSameError(a, b)
  default: false
  }
}

private func isSameError(_ a: any Error, _ b: any Error) -> Bool {
  guard var a = a as? CloudError, var b = b as? CloudError else {
    return text(of: a) == text(of: b)
  }
  let (mine, theirs) = (a.conflict?.clientRecord, b.conflict?.clientRecord)
  a.conflict?.clientRecord = nil
  b.conflict?.clientRecord = nil
  return a == b && isSame(mine, theirs)
}

/// Whether two drafts are the same; the contents of assets may be in a file or in memory.
private func isSame(_ a: DraftRecord?, _ b: DraftRecord?) -> Bool {
  guard let a, let b else { return a == nil && b == nil }
  func fields(_ draft: DraftRecord) -> [String] {
    draft.fields.map { field in
      guard case .asset(let asset) = field.value else { return "\(field.name) \(field.value)" }
      let content: Data? =
        switch asset.content {
        case .data(let data): data
        case .file(let url): try? Data(contentsOf: url)
        case nil: nil
        }
      return "\(field.name) \(content.map { String(decoding: $0, as: UTF8.self) } ?? "-")"
    }
  }
  return a.systemFields == b.systemFields && a.changedKeys() == b.changedKeys()
    && fields(a) == fields(b)
}

private func text(of error: any Error) -> String {
  (error as? RecordedError)?.message ?? "\(error)"
}

private func isSame<Item: Equatable>(
  _ a: Result<Item, any Error>?, _ b: Result<Item, any Error>?
) -> Bool {
  switch (a, b) {
  case (.success(let a), .success(let b)): a == b
  case (.failure(let a), .failure(let b)): isSameError(a, b)
  default: false
  }
}

private func isSame<Key, Item: Equatable>(
  _ a: [Key: Result<Item, any Error>], _ b: [Key: Result<Item, any Error>]
) -> Bool {
  a.count == b.count && a.keys.allSatisfy { isSame(a[$0], b[$0]) }
}

private func isSame<Key>(
  _ a: [Key: Result<Void, any Error>], _ b: [Key: Result<Void, any Error>]
) -> Bool {
  isSame(a.mapValues { $0.map { true } }, b.mapValues { $0.map { true } })
}

private func isSame(_ a: CloudResponse, _ b: CloudResponse) -> Bool {
  switch (a, b) {
  case (.records(let a), .records(let b)): isSame(a, b)
  case (.modifyRecords(let a, let deletedA), .modifyRecords(let b, let deletedB)):
    isSame(a, b) && isSame(deletedA, deletedB)
  case (.query(let a, let cursorA), .query(let b, let cursorB)):
    cursorA == cursorB && a.count == b.count
      && zip(a, b).allSatisfy { $0.0 == $1.0 && isSame($0.1, $1.1) }
  case (
    .databaseChanges(let a, let deletedA, let tokenA, let moreA),
    .databaseChanges(let b, let deletedB, let tokenB, let moreB)
  ): a == b && deletedA == deletedB && tokenA == tokenB && moreA == moreB
  case (
    .recordZoneChanges(let a, let deletedA, let tokenA, let moreA),
    .recordZoneChanges(let b, let deletedB, let tokenB, let moreB)
  ): isSame(a, b) && deletedA == deletedB && tokenA == tokenB && moreA == moreB
  case (.allRecordZones(let a), .allRecordZones(let b)): a == b
  case (.recordZones(let a), .recordZones(let b)): isSame(a, b)
  case (.modifyRecordZones(let a, let deletedA), .modifyRecordZones(let b, let deletedB)):
    isSame(a, b) && isSame(deletedA, deletedB)
  case (.allSubscriptions(let a), .allSubscriptions(let b)): a == b
  case (.subscriptions(let a), .subscriptions(let b)): isSame(a, b)
  case (.modifySubscriptions(let a, let deletedA), .modifySubscriptions(let b, let deletedB)):
    isSame(a, b) && isSame(deletedA, deletedB)
  case (.accountStatus(let a), .accountStatus(let b)): a == b
  case (.userRecordID(let a), .userRecordID(let b)): a == b
  case (.shareParticipants(let a), .shareParticipants(let b)): isSame(a, b)
  case (.shareMetadatas(let a), .shareMetadatas(let b)): isSame(a, b)
  case (.accept(let a), .accept(let b)): isSame(a, b)
  default: false
  }
}

extension CallHandlingContainer {
  /// Makes a call, and returns what it ends with.
  func outcome(_ call: CloudCall) async -> Result<CloudResponse, any Error> {
    do {
      return .success(try await handle(call))
    } catch {
      return .failure(error)
    }
  }
}

/// A share with the members that only shares have.
func makeSubscription(_ id: String) -> CloudSubscription {
  CloudSubscription(
    subscriptionID: id,
    kind: .query(
      RecordQuery(
        recordType: "Note", filters: [QueryFilter("text", .beginsWith, .string("a"))],
        sort: [QuerySort("text", ascending: false)]),
      zoneID: notes, firesOn: [.create, .delete], firesOnce: true))
}
