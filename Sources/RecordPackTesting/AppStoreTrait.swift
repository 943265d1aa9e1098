import Foundation
import RecordArchive
import Testing

/// A trait that gives each test a store of Core Data or SwiftData; see
/// ``Testing/Trait/appStore(_:filling:in:filePath:)``.
public struct AppStoreTrait: TestTrait, SuiteTrait, TestScoping {
  let fixture: FixtureFile
  let template: FixtureFile

  @TaskLocal private static var current: URL?

  /// A suite gives the trait to each of its tests.
  public var isRecursive: Bool { true }

  /// The store of the running test, which the trait `.appStore(…)` makes for it alone.
  ///
  /// - Throws: ``TestContainerError/noTrait`` outside a test with that trait.
  public static var url: URL {
    get throws {
      guard let current else { throw TestContainerError.noTrait }
      return current
    }
  }

  /// Runs a test with a store, which is deleted afterwards.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.file("default.store")
    let source = try ArchiveSource.open([fixture.url().path])
    let template = try template.url().path
    _ = try await Archiver().perform {
      try $0.run(from: [source], into: .appStore(template: template, path: path))
    }
    try await Self.$current.withValue(URL(fileURLWithPath: path)) { try await function() }
  }
}

extension Trait where Self == AppStoreTrait {
  /// Gives each test, and each of its cases, a store of Core Data or SwiftData with the objects of a
  /// fixture. The test finds it as ``AppStoreTrait/url``.
  ///
  /// - Parameters:
  ///   - path: The path of the fixture, a bundle, a container file or another store, relative to the
  ///     folder of the test's source file. If there is no such file, as on a device, the resources of
  ///     the test's bundle are searched (<doc:TestingInXcode>).
  ///   - template: The path of a store that the app made, likewise. The test gets a copy of it.
  ///   - bundle: The only bundle whose resources are searched, such as `.module`.
  ///   - filePath: The test's source file.
  public static func appStore(
    _ path: String, filling template: String, in bundle: Bundle? = nil,
    filePath: String = #filePath
  ) -> Self {
    Self(
      fixture: FixtureFile(path: path, bundle: bundle, source: filePath),
      template: FixtureFile(path: template, bundle: bundle, source: filePath))
  }
}
