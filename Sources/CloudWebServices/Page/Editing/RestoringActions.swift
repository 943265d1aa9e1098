import Foundation
import MockCloud
import RecordCoding
import RecordModel
import Synchronization

/// The last deletions of the page, to be undone.
final class Removals: Sendable {
  /// The name of a deletion's number in addresses and forms.
  static let name = "removal"
  private static let capacity = 20

  struct Entry {
    /// The number of the deletion.
    let id: String
    /// The user who has deleted.
    let user: String?
    let removal: Removal
    fileprivate let container: PageContainerName
  }

  private struct State {
    var entries: [Entry] = []
    var lastID = 0
  }

  private let state = Mutex(State())

  /// Returns the number of the deletion.
  func add(_ removal: Removal, by user: String?, of container: PageContainerName) -> String {
    state.withLock { state in
      state.lastID += 1
      let id = String(state.lastID)
      state.entries.append(Entry(id: id, user: user, removal: removal, container: container))
      if state.entries.count > Self.capacity { state.entries.removeFirst() }
      return id
    }
  }

  /// Returns the deletions of a container, the last one first.
  func entries(of container: PageContainerName) -> [Entry] {
    state.withLock { $0.entries.reversed().filter { $0.container == container } }
  }

  /// Removes a deletion, which can then not be undone again.
  func remove(_ id: String, of container: PageContainerName) {
    state.withLock { $0.entries.removeAll { $0.id == id && $0.container == container } }
  }

  /// Forgets the deletions of a container, whose contents are replaced.
  func clear(_ container: PageContainerName) {
    state.withLock { $0.entries.removeAll { $0.container == container } }
  }
}

extension EditingActions {
  /// Gives a record the values of an earlier version.
  func restore() async throws -> WebResponse {
    let location = try RecordLocation(formText: try form.required("record"))
    let tag = try form.required("version")
    let versions = RecordHistoryView(context: context, location: location).changes
      .flatMap { [$0.before, $0.after] }.compactMap(\.self)
    guard let version = versions.first(where: { $0.recordChangeTag == tag }) else {
      throw WebError(.notFound, "the version is not kept any more")
    }
    let current = try context.record(at: location)
    var save = RecordSave(
      zone: location.zone, recordType: version.recordType, stored: current == nil ? nil : location,
      requests: SentRequests(context, about: location))
    for field in version.fields {
      let assets = field.value.assets
      if assets.isEmpty {
        try save.add(field)
      } else {
        try await save.add(
          try assets.map { try source(of: $0, field.name, current) }, to: field.name,
          isList: field.value.elements != nil, isEncrypted: field.isEncrypted)
      }
    }
    let parent = version.parent.map { ["recordName": $0.recordID.recordName] as JSONValue }
    _ = try await save.send(
      current == nil ? "create" : "forceReplace",
      ["recordName": location.recordID.recordName, "parent": parent])
    return done(
      save.requests.numbers, context.link(to: location.recordID, in: location.database))
  }

  /// Where the content of an asset of a version is: in the record, or still in the container.
  private func source(
    of asset: Asset, _ name: String, _ current: ResultRecord?
  ) throws -> FieldInput.AssetSource {
    let stored = current?.field(named: name)?.value.assets ?? []
    if let place = stored.firstIndex(where: { $0.sha256 == asset.sha256 }) {
      return .stored(place: place)
    }
    guard let sha256 = asset.sha256,
      let content = try? context.served.container.store.snapshot({
        try $0.assetData(sha256: sha256)
      })
    else {
      throw WebError(
        .badRequest, "the content of the field '\(name)' of this version is not kept any more")
    }
    return .file(content)
  }
}
