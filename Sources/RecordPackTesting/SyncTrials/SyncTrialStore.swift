/// An app on one device, as sync trials use it.
///
/// ```swift
/// SyncTrials { device in
///   let store = NoteStore(folder: device.folder)
///   return SyncTrialStore(
///     set: { items in try store.save(items.map { Note(id: $0.name, body: $0.text) }) },
///     delete: { try store.delete($0) },
///     items: { store.bodies })
/// }
/// ```
///
/// The trial keeps the objects that the closures use, and calls one closure at a time. The objects need not be
/// `Sendable`.
public struct SyncTrialStore: @unchecked Sendable {
  private let set: ([SyncTrialItem]) async throws -> Void
  private let delete: (String) async throws -> Void
  let items: () async throws -> [String: String]
  let wake: () async throws -> Void

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - set: adds or changes items as a person does, at once. The edits are acknowledged when it returns: the
  ///     app must not lose them.
  ///   - delete: deletes the item with a name, in the same way.
  ///   - items: returns the items that the device shows, each with its content as text. The content contains the
  ///     text of the item's last edit; otherwise its form is free. After a conflict it contains the text of one
  ///     edit at least. An item with a parent is listed whether or not the device has the parent. Items that the
  ///     app has made itself may be among them.
  ///   - wake: does what the app does when a person opens it, or when a timer of it fires: some apps send again
  ///     only then. A trial calls this when all engines rest, before it states a loss, and again if devices
  ///     differ after that. It calls this at each sync of a device whose engine has `automaticallySync` set to
  ///     false.
  public init(
    set: @escaping (_ items: [SyncTrialItem]) async throws -> Void,
    delete: @escaping (_ name: String) async throws -> Void,
    items: @escaping () async throws -> [String: String],
    wake: @escaping () async throws -> Void = {}
  ) {
    (self.set, self.delete, self.items, self.wake) = (set, delete, items, wake)
  }

  func make(_ edits: [SyncTrialEdit]) async throws {
    let items = edits.compactMap(\.newItem)
    if !items.isEmpty { try await set(items) }
    for case .delete(let item) in edits { try await delete(item) }
  }
}

/// An item as a person wants to have it.
public struct SyncTrialItem: Sendable {
  /// The name of the item, a UUID in capital letters.
  public let name: String
  /// The content, which no other edit has.
  public let text: String
  /// The item that a new item belongs to, in trials with parents. A change keeps the parent.
  public let parent: String?
  /// Whether a person adds the item, and does not change it.
  public let isNew: Bool
}
