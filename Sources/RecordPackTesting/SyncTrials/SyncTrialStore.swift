/// An app's data on one device, as sync trials use it.
///
/// A test of the app conforms its store:
///
/// ```swift
/// extension NoteStore: SyncTrialStore {
///   func apply(_ edits: [SyncTrialEdit]) async throws {
///     for edit in edits {
///       switch edit {
///       case .create(let item, let text, _): try add(Note(id: item, body: text))
///       case .change(let item, let text): try change(item) { $0.body = text }
///       case .delete(let item): try delete(item)
///       }
///     }
///   }
///   func items() async throws -> [String: String] {
///     Dictionary(uniqueKeysWithValues: notes.map { ($0.id, $0.body) })
///   }
/// }
/// ```
public protocol SyncTrialStore: AnyObject, Sendable {
  /// Makes edits as a person does on this device. They are acknowledged when this returns: the app
  /// must not lose them.
  func apply(_ edits: [SyncTrialEdit]) async throws

  /// Returns the items that the device shows, each with its content as text.
  ///
  /// The content contains the text of the item's last edit; otherwise its form is free. After a
  /// conflict it contains the text of one edit at least. An item with a parent is listed whether or
  /// not the device has the parent. Items that the app has made itself may be among them.
  func items() async throws -> [String: String]

  /// Does what the app does when a person opens it, or when a timer of it fires: some apps send again
  /// only then. A trial calls this when all engines rest, before it states a loss. It calls this at each
  /// sync of a device whose engine has `automaticallySync` set to false.
  func wake() async throws
}

extension SyncTrialStore {
  /// Does nothing.
  public func wake() async throws {}
}
