import Foundation
import RecordPackTesting
import TestSupport
import Testing

@Suite("A fixture is found")
struct FixtureLayoutTests {
  private let folder: TestFolder
  /// A source file whose folder does not exist where the test runs.
  private let elsewhere = "/Volumes/workspace/repository/AppTests/ChatTests.swift"

  init() throws { folder = try TestFolder() }

  /// Creates files of a bundle, and opens it.
  private func bundle(_ name: String, _ files: [String]) throws -> Bundle {
    let url = URL(fileURLWithPath: folder.path(name))
    for file in files {
      let place = url.appending(path: file)
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.utf8).write(to: place)
    }
    return try #require(Bundle(url: url))
  }

  private func found(
    _ path: String, in bundle: Bundle? = nil, source: String, testBundles: [Bundle] = []
  ) throws -> String {
    let file = FixtureFile(path: path, bundle: bundle, source: source)
    return try file.url(testBundles: testBundles).resolvingSymlinksInPath().path
  }

  private func path(_ name: String) -> String {
    URL(fileURLWithPath: folder.path(name)).resolvingSymlinksInPath().path
  }

  @Test("beside the test's source, before any resource")
  func source() throws {
    let tests = try bundle("AppTests.xctest", ["Fixtures/Chats.recordpack"])
    _ = try bundle("Sources", ["Fixtures/Chats.recordpack"])
    let source = folder.path("Sources/ChatTests.swift")
    #expect(
      try found("Fixtures/Chats.recordpack", source: source, testBundles: [tests])
        == path("Sources/Fixtures/Chats.recordpack"))
  }

  @Test("in the resources of a package's target")
  func module() throws {
    let file = FixtureFile(path: "Fixtures/Chats.recordpack", bundle: .module, source: elsewhere)
    let url = try file.url(testBundles: [])
    #expect(url.path.hasPrefix(Bundle.module.bundlePath))
    #expect(FileManager.default.fileExists(atPath: url.path))
  }

  @Test(
    "in the bundle of a test target of Xcode, where a folder is a reference or a group",
    arguments: [
      // Of iOS, tvOS, watchOS and visionOS.
      ["Info.plist", "AppTests", "Fixtures/Chats.recordpack"],
      ["Info.plist", "AppTests", "Chats.recordpack"],
      // Of macOS.
      ["Contents/Info.plist", "Contents/MacOS/AppTests", "Contents/Resources/Chats.recordpack"],
      [
        "Contents/Info.plist", "Contents/MacOS/AppTests",
        "Contents/Resources/Fixtures/Chats.recordpack",
      ],
      // Of a package's test target.
      ["Info.plist", "AppTests", "App_AppTests.bundle/Fixtures/Chats.recordpack"],
      [
        "Contents/Info.plist", "Contents/MacOS/AppTests",
        "Contents/Resources/App_AppTests.bundle/Contents/Resources/Chats.recordpack",
      ],
    ])
  func xcode(files: [String]) throws {
    let name = "AppTests.xctest"
    let tests = try bundle(name, files)
    let expected = path(name + "/" + files.last!)
    let fixture = "Fixtures/Chats.recordpack"
    #expect(try found(fixture, source: elsewhere, testBundles: [tests]) == expected)
    #expect(try found(fixture, in: tests, source: elsewhere) == expected)
  }

  @Test("in the second of two test bundles")
  func several() throws {
    let bundles = [
      try bundle("CoreTests.xctest", ["Info.plist"]),
      try bundle("AppTests.xctest", ["Info.plist", "Chats.recordpack"]),
    ]
    #expect(
      try found("Chats.recordpack", source: elsewhere, testBundles: bundles)
        == path("AppTests.xctest/Chats.recordpack"))
  }

  @Test("nowhere, and the error names each place")
  func missing() throws {
    let tests = try bundle("AppTests.xctest", ["Info.plist"])
    let error = #expect(throws: TestContainerError.self) {
      try found("Fixtures/Chats.recordpack", source: elsewhere, testBundles: [tests])
    }
    let text = "\(error as Any)"
    #expect(text.contains("/Volumes/workspace/repository/AppTests/Fixtures/Chats.recordpack"))
    #expect(text.contains("the resources of AppTests.xctest"))
  }

  @Test("in the resources of the app, for a name in its environment")
  func environment() throws {
    let app = try bundle("App.app", ["Info.plist", "Chats.recordpack"])
    let file = MockContainer.fixtureURL("Chats.recordpack", app: app)
    #expect(file.resolvingSymlinksInPath().path == path("App.app/Chats.recordpack"))
    let other = path("Other.recordpack")
    #expect(MockContainer.fixtureURL(other, app: app).path == other)
    #expect(MockContainer.fixtureURL("file://\(other)", app: app).path == other)
  }
}
