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

private func isSame(_ a: CloudResponse, _ b: CloudResponse) -> Bool {
  isSame(a.results, b.results) && isSame(a.deletions, b.deletions) && a.position == b.position
    && a.moreComing == b.moreComing && a.accountStatus == b.accountStatus
}

private func isSame(_ a: [CloudResponse.Entry], _ b: [CloudResponse.Entry]) -> Bool {
  a.count == b.count
    && zip(a, b).allSatisfy { a, b in
      switch (a.result, b.result) {
      case (.success(let mine), .success(let theirs)): a.item == b.item && mine == theirs
      case (.failure(let mine), .failure(let theirs)):
        a.item == b.item && isSameError(mine, theirs)
      default: false
      }
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
