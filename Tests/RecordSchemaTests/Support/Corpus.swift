import Foundation
import Testing

// Every file of these tests uses it.
@_exported import TestSupport

/// The corpus of real schema files, which lies beside the package on some machines only.
enum Corpus {
  /// The folder of this test target.
  static let testFolder = Place.package.appending(path: "Tests/RecordSchemaTests")

  /// False where the corpus is absent; the tests on it are then skipped.
  static let isPresent = Place.corpus("ckdb/pairs.tsv") != nil
  static let root = Place.corpus("ckdb") ?? testFolder.appending(path: "no-corpus")

  static let absence: String = "the corpus of real schemas is not beside the package"

  struct File: CustomTestStringConvertible {
    /// `OWNER__NAME/PATH/NNN-BLOB.ckdb`
    let path: String
    var bytes: [UInt8] {
      get throws { Array(try Data(contentsOf: Corpus.root.appendingPathComponent(path))) }
    }
    var testDescription: String { path }
  }

  static let files: [File] = {
    guard let walk = FileManager.default.enumerator(atPath: root.path) else { return [] }
    return walk.compactMap { $0 as? String }.filter { $0.hasSuffix(".ckdb") }
      // Some folders carry the suffix too: only the versions inside them are files.
      .filter { $0.split(separator: "/").count == 3 }.sorted().map(File.init)
  }()

  struct Pair: CustomTestStringConvertible {
    let folder: String
    let from: File
    let to: File
    let isAdditive: Bool
    /// Counts by event name, such as `field-added`.
    let events: [String: Int]
    var testDescription: String { "\(from.path) → \(to.path)" }
  }

  static let pairs: [Pair] = {
    guard
      let text = try? String(contentsOf: root.appendingPathComponent("pairs.tsv"), encoding: .utf8)
    else { return [] }
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count >= 8 else { return nil }
      let folder = columns[0] + "/" + columns[1]
      guard let from = version(columns[2], in: folder), let to = version(columns[3], in: folder)
      else { return nil }
      var events: [String: Int] = [:]
      for event in columns[7].components(separatedBy: ", ") {
        let parts = event.split(separator: "=").map(String.init)
        if parts.count == 2 { events[parts[0]] = Int(parts[1]) }
      }
      return Pair(
        folder: folder, from: from, to: to, isAdditive: columns[6] == "ADDITIVE", events: events)
    }
  }()

  private static func version(_ number: String, in folder: String) -> File? {
    files.first { $0.path.hasPrefix(folder + "/" + number + "-") }
  }
}
