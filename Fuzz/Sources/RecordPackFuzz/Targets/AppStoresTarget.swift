import Foundation
import RecordModel
import RecordStore

@testable import AppStores

/// A store of Core Data that somebody else made: the file, its compressed model, or the archive of the
/// model.
struct AppStoresTarget: FuzzTarget {
  private let folder: WorkFolder

  init() throws { folder = try WorkFolder() }

  func run(_ input: [UInt8]) throws {
    guard input.starts(with: Array("SQLite format 3\0".utf8)) else {
      _ = try? StoreModelReader.read(Data(input))
      let archive = try Inflate.decompress(input, limit: 1 << 20)
      let model = try StoreModelReader.read(Data(archive))
      _ = model.mirrored(named: "model", .coreData).fullSchema
      return
    }
    let path = folder.path("a.store")
    defer { unlink(path) }
    try Data(input).write(to: URL(fileURLWithPath: path))
    guard AppStoreFile.isStore(path) else { return }
    let store = try CoreDataStore(AppStoreFile.open(path) { folder.path("") }, path: path)
    let container = try ContainerStore.inMemory(info: store.info)
    _ = try? container.importTransaction { try store.fill($0) }
    _ = try store.facts()
  }
}
