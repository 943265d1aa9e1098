import Foundation
import Testing

/// Gives each test a folder for the files of its devices, which is deleted after the test.
struct DeviceFoldersTrait: SuiteTrait, TestTrait, TestScoping {
  @TaskLocal fileprivate static var folder: URL?

  /// The suite's tests have a folder each.
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await Self.$folder.withValue(folder) { try await function() }
  }

  /// A path in the running test's folder at which there is nothing yet.
  static func newPath() throws -> URL {
    try #require(folder, "the suite has no '.deviceFolders'").appending(path: UUID().uuidString)
  }
}

extension Trait where Self == DeviceFoldersTrait {
  /// Gives each test a folder for the files of its devices.
  static var deviceFolders: Self { Self() }
}
