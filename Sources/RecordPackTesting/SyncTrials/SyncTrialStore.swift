import CloudInterface
import Foundation

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
  /// not the device has the parent.
  func items() async throws -> [String: String]
}

/// An edit that a trial makes.
public enum SyncTrialEdit: Sendable, Hashable {
  /// Adds an item.
  ///
  /// - Parameters:
  ///   - item: the name of the item, a UUID in capital letters.
  ///   - text: the content, which no other edit has.
  ///   - parent: the item that the new item belongs to, in trials with parents.
  case create(_ item: String, text: String, parent: String? = nil)
  /// Replaces the content of an item.
  case change(_ item: String, text: String)
  /// Deletes an item.
  case delete(_ item: String)

  /// The name of the item.
  public var item: String {
    switch self {
    case .create(let item, _, _), .change(let item, _), .delete(let item): item
    }
  }

  /// The new content; nil for a deletion.
  var text: String? {
    switch self {
    case .create(_, let text, _), .change(_, let text): text
    case .delete: nil
    }
  }
}

/// A device of a trial: the place where an app's store runs.
///
/// The device is killed and started again. The files in ``folder`` survive, and nothing else does.
public final class SyncTrialDevice: Sendable {
  /// The name of the device, such as `Phone`.
  public let name: String
  /// The app's container.
  public let container: any CloudContainer
  /// The folder for the app's files. Each start of the app has a copy of the files that the last
  /// start left.
  public let folder: URL
  private let makeEngine: @Sendable (SyncEngineConfiguration) -> any SyncEngine
  private let willWrite: @Sendable () throws -> Void

  init(
    name: String, container: any CloudContainer, folder: URL,
    makeEngine: @escaping @Sendable (SyncEngineConfiguration) -> any SyncEngine,
    willWrite: @escaping @Sendable () throws -> Void
  ) {
    self.name = name
    self.container = container
    self.folder = folder
    self.makeEngine = makeEngine
    self.willWrite = willWrite
  }

  /// Makes an engine, in place of `CloudKitSyncEngine(configuration)`.
  public func engine(_ configuration: SyncEngineConfiguration) -> any SyncEngine {
    makeEngine(configuration)
  }

  /// Call this before the store writes. It throws where a trial lets a write fail, as on a full
  /// disk, and after the trial has killed the app.
  ///
  /// - Throws: `CocoaError` with the code `fileWriteOutOfSpace`; `SimulatedCrash`.
  public func checkWrite() throws { try willWrite() }
}
