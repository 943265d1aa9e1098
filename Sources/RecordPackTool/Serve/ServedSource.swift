import CloudWebServices
import Foundation
import MockCloud
import RecordArchive
import RecordModel
import RecordStore
import RecordText

/// A container that is served, and where it came from.
struct ServedSource {
  let container: MockContainer
  private let path: String?

  /// An empty container that answers to every identifier.
  init() throws {
    container = try MockContainer.inMemory(rules: .webServices)
    path = nil
  }

  /// Opens a container in place, or a bundle as a container in memory.
  init(_ path: String) throws {
    self.path = path
    if ArchiveSource.isContainer(path) {
      container = try MockContainer.open(path: path, rules: .webServices)
    } else {
      let source = try Inputs.source(path)
      let store = try ContainerStore.inMemory()
      try Archiver().run(from: [source], into: .container(store))
      container = try MockContainer(store, rules: .webServices)
    }
  }

  /// Throws if two containers have the same identifier and environment.
  static func refuseDoubles(_ sources: [ServedSource]) throws {
    var known: [[String?]: ServedSource] = [:]
    for source in sources {
      let info = try source.container.store.info()
      let key = [info.identifier, info.environment?.rawValue]
      guard let other = known.updateValue(source, forKey: key) else { continue }
      throw Failure(
        "'\((other.path ?? "").visible)' and '\((source.path ?? "").visible)' have the same "
          + "identifier and environment; no address would tell them apart")
    }
  }

  func write(to path: String, overwrite: Bool) throws {
    try Archiver().run(
      from: [.container(container.store)], into: .bundle(path: path, overwrite: overwrite))
  }

  func close() { _ = try? container.store.close() }
}
