import Foundation
import RecordModel
import Testing

@testable import RecordBundle

@Suite("Several files that are opened together")
struct BundleSeveralTests {
  private func split(in folder: String, _ name: String = "a") throws -> [String] {
    let options = BundleWriter.Options.test(frameSize: 600, splitSize: 64 << 10)
    let summary = try SampleContent(records: 600, assetSize: 10)
      .write(to: "\(folder)/\(name).recordpack", options)
    try #require(summary.files.count > 3)
    return summary.files.map(\.path)
  }

  private func open(_ paths: [String]) -> (files: [[String]], errors: [String]) {
    var files: [[String]] = []
    var errors: [String] = []
    for result in BundleReader.openEach(paths) {
      switch result {
      case .success(let reader): files.append(reader.fileNames)
      case .failure(let error): errors.append("\(error)")
      }
    }
    return (files, errors)
  }

  @Test("any files of a split bundle stand for all, and for each other")
  func some() throws {
    try withFolder { folder in
      let paths = try split(in: folder)
      for some in [
        paths, paths.reversed(), [paths[1]], [paths[0], paths[1]], [paths[0], paths[2]],
        [paths[2], paths[2]], paths + [paths[0]],
      ] {
        let opened = open(some)
        #expect(opened.errors == [] && opened.files == [paths], "\(some)")
      }
    }
  }

  @Test("what cannot be opened is told once, and the others are opened")
  func errors() throws {
    try withFolder { folder in
      let (paths, others) = (try split(in: folder), try split(in: folder, "b"))
      try write(Array("nothing".utf8), to: paths[1])
      let opened = open(paths + others + ["\(folder)/missing"])
      #expect(opened.files == [others])
      #expect(opened.errors.count == 2, "\(opened.errors)")
      #expect(opened.errors.first?.contains(paths[1]) == true)
      #expect(throws: BundleError.self) { try BundleReader.open(paths + others) }
      try FileManager.default.removeItem(atPath: paths[1])
      let incomplete = open([paths[0]])
      #expect(incomplete.errors.count == 1)
      #expect(incomplete.errors.first?.contains("file 2 is missing") == true)
    }
  }
}
