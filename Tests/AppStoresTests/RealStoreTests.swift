import AppStores
import Foundation
import RecordModel
import RecordStore
import TestSupport
import Testing

/// Reads stores that Core Data and SwiftData wrote, which are not part of this repository.
@Suite struct RealStoreTests {
  static let folder = ProcessInfo.processInfo.environment["RECORDPACK_APP_STORES"]

  static var stores: [String] {
    guard let folder else { return [] }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map { folder + "/" + $0 }.filter(AppStoreFile.isStore)
  }

  @Test(.enabled(if: folder != nil))
  func `all objects are read as by a second reader, and all columns are explained`() async throws {
    let temporary = try TestFolder()
    var arguments: [String] = []
    for (number, path) in Self.stores.enumerated() {
      let name = URL(fileURLWithPath: path).lastPathComponent
      do {
        let store = try ReadStore(path)
        let objects = store.facts.entities.reduce(0) { $0 + $1.count }
        print(name, objects, store.facts.unexplainedColumns, store.undecoded)
        #expect(store.facts.unexplainedColumns.isEmpty)
        #expect(store.undecoded.isEmpty)
        #expect(store.records.count { $0.recordType != "CDMR" } == objects)
        arguments += [path, try temporary.write(Array(store.json), as: "\(number).json")]
      } catch let error as AppStoreError {
        print(name, error)
        #expect(!error.problems.isEmpty)
      }
    }
    #expect(try await SecondReader.run(["compare"] + arguments) == "")
  }
}

@Suite struct RandomStoreTests {
  @Test(.enabled(if: Command.exists("python3")))
  func `random models and contents are read as by a second reader`() async throws {
    let temporary = try TestFolder()
    let environment = ProcessInfo.processInfo.environment
    let count = environment["RECORDPACK_MODEL_SEEDS"].flatMap(Int.init) ?? 40
    _ = try await SecondReader.run(["make", "0", "\(count)", temporary.path])
    var arguments: [String] = []
    for seed in 0..<count {
      let path = temporary.path("\(seed).store")
      let store = try ReadStore(path)
      #expect(store.facts.unexplainedColumns == [], "seed \(seed)")
      #expect(store.undecoded.isEmpty, "seed \(seed)")
      arguments += [path, try temporary.write(Array(store.json), as: "\(seed).json")]
    }
    #expect(try await SecondReader.run(["compare"] + arguments) == "")
  }
}

/// The reader in Python.
enum SecondReader {
  static func run(_ arguments: [String]) async throws -> String {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "app_stores.py").path
    return try await Command(["python3", script] + arguments).output
  }
}
