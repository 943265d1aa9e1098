import Foundation
import Testing

@testable import RecordBundle

@Suite("Where recovery writes")
struct RecoveryOutputTests {
  private func options(split: Bool) -> BundleWriter.Options {
    .test(splitSize: split ? 64 << 10 : nil, threads: 1)
  }

  /// Recovers, and expects an error and an unchanged folder.
  private func expectRefusal(
    _ path: String, to output: String, unverified: String? = nil, split: Bool = false,
    in folder: String
  ) throws -> BundleError? {
    func contents() throws -> [String: [UInt8]] {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      return Dictionary(
        uniqueKeysWithValues: names.map { ($0, (try? bytes(of: "\(folder)/\($0)")) ?? []) })
    }
    let before = try contents()
    let error = #expect(throws: BundleError.self) {
      try BundleRecovery.recover(
        [path], to: output, unverified: unverified, options: options(split: split))
    }
    let after = try contents()
    #expect(before == after)
    #expect(error?.code == .misuse)
    return error
  }

  @Test("No file of the set that is read is written over, in whatever way it is named")
  func sources() throws {
    try withFolder { folder in
      let paths = try SampleContent(records: 80, assetSize: 300).writeSet(of: 4, to: folder)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/link", withDestinationPath: paths[2])
      for output in [paths[0], paths[3], "\(folder)/./set-00004.recordpack", "\(folder)/link"] {
        let error = try expectRefusal(paths[0], to: output, in: folder)
        #expect(error?.source == output)
      }
      _ = try expectRefusal(
        paths[1], to: "\(folder)/set.recordpack", split: true, in: folder)
      _ = try expectRefusal(
        paths[1], to: "\(folder)/new.recordpack", unverified: paths[2], in: folder)
    }
  }

  @Test("A whole bundle may be saved beside one that has a name of the same kind")
  func similarName() throws {
    try withFolder { folder in
      let content = SampleContent(records: 3, assetSize: 300)
      for number in [1, 2] { _ = try content.write(to: "\(folder)/b-0000\(number)") }
      let report = try BundleRecovery.recover(
        ["\(folder)/b-00001"], to: "\(folder)/b-00002", options: options(split: false))
      #expect(report.isComplete)
    }
  }

  @Test("The file for unverified lines is not the bundle, in whatever way it is named")
  func unverified() throws {
    try withFolder { folder in
      let path = "\(folder)/a.recordpack"
      _ = try SampleContent(records: 3, assetSize: 300).write(to: path)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/link", withDestinationPath: folder)
      let output = "\(folder)/r.recordpack"
      for apart in [output, "\(folder)/./r.recordpack", "\(folder)/link/r.recordpack"] {
        _ = try expectRefusal(path, to: output, unverified: apart, in: folder)
      }
      _ = try expectRefusal(
        path, to: output, unverified: "\(folder)/link/r-00002.recordpack", split: true, in: folder)
      // The same with existing files.
      _ = try SampleContent(records: 3, assetSize: 300).write(to: output)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/second", withDestinationPath: output)
      _ = try expectRefusal(path, to: output, unverified: "\(folder)/second", in: folder)
    }
  }
}
