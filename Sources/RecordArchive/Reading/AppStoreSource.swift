import AppStores
import Foundation
import RecordSchema
import RecordStore
import Synchronization

/// The store of an app with Core Data, SwiftData or SQLiteData, such as `default.store`: the file in which
/// the app keeps its objects.
///
/// The store is never changed, and the app's code is not needed: the store has its model. When records
/// are read first, the objects are written as records to a temporary container.
public final class AppStoreSource: Sendable {
  /// The path of the store.
  public let path: String

  private struct State {
    var sorted: (container: ContainerStore, folder: TemporaryFolder)?
    var losses: [StoreLoss: Int] = [:]
  }

  private let state = Mutex(State())

  /// Creates a source. The file is read when its contents are needed.
  public init(path: String) { self.path = path }

  /// The numbers of values and rows that the records do not have as the app stored them, as of the first
  /// reading of records.
  package var losses: [(loss: StoreLoss, count: Int)] {
    state.withLock { $0.losses }.map { ($0.key, $0.value) }
      .sorted {
        ($0.loss.place, $0.loss.reason.rawValue) < ($1.loss.place, $1.loss.reason.rawValue)
      }
  }

  /// The model, for the checks of schemas.
  package func model() throws -> MirroredModel { try withStore { $0.mirroredModel } }

  /// The versions, the numbers of objects, and the state of the mirroring.
  package func facts() throws -> StoreFacts { try withStore { try $0.facts() } }

  private func withStore<R>(_ body: (any AppStoreContents) throws -> R) throws -> R {
    var folder: TemporaryFolder?
    defer { withExtendedLifetime(folder) {} }
    func copies() throws -> String {
      let made = try folder ?? TemporaryFolder()
      folder = made
      return made.path
    }
    return try AppStoreFile.withContents(of: path, copyingTo: copies, body)
  }

  /// A container with the records of the objects.
  func container() throws -> ContainerStore {
    if let sorted = state.withLock({ $0.sorted }) { return sorted.container }
    let folder = try TemporaryFolder()
    let file = folder.file("store.sqlite")
    let losses = try folder.whileWriting {
      try withStore { store in
        try ContainerStore.build(path: file, info: store.info) { try store.fill($0) }
      }
    }
    let container = try ContainerStore.open(path: file, mode: .readOnly)
    state.withLock { $0 = State(sorted: (container, folder), losses: losses) }
    return container
  }
}
