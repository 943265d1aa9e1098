import Foundation
import Synchronization
import Testing

/// A trait that gives each test a container of its own; see ``Testing/Trait/container(_:in:rules:now:filePath:)``.
public struct ContainerTrait: TestTrait, SuiteTrait, TestScoping {
  let fixture: FixtureFile?
  let rules: ServerRules
  let now: @Sendable () -> Date

  @TaskLocal static var current: TestContainer?

  /// A suite gives the trait to each of its tests.
  public var isRecursive: Bool { true }

  /// Runs a test with a container.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let container = TestContainer { [self] in
      guard let fixture else { return try MockContainer.inMemory(rules: rules, now: now) }
      return try MockContainer.fixture(at: fixture.url(), rules: rules, now: now)
    }
    // CloudKit's classes on the mock find the container there.
    let scope = TestScope(container: container.get) { Issue.record(Comment(rawValue: $0)) }
    defer { scope.end() }
    try await Self.$current.withValue(container) {
      try await TestScope.$current.withValue(scope) { try await function() }
    }
  }
}

/// The container of a test, which is made when the test first asks for it: a test with a trait of its
/// own does not need the one of its suite.
final class TestContainer: Sendable {
  private let make: @Sendable () throws -> MockContainer
  private let made = Mutex<Result<MockContainer, any Error>?>(nil)

  init(_ make: @escaping @Sendable () throws -> MockContainer) { self.make = make }

  func get() throws -> MockContainer {
    try made.withLock { made in
      let result = made ?? Result { try make() }
      made = result
      return result
    }.get()
  }
}

extension Trait where Self == ContainerTrait {
  /// Gives each test, and each of its cases, a container in memory with the contents of a file: a
  /// bundle, or a container file. The test finds it as ``MockCloud/MockContainer/current``, which
  /// reads the file.
  ///
  /// - Parameters:
  ///   - path: The path of the file, relative to the folder of the test's source file. If there is no
  ///     such file, as on a device, the resources of the test's bundle are searched
  ///     (<doc:TestingInXcode>).
  ///   - bundle: The only bundle whose resources are searched, such as `.module`.
  ///   - rules: The rules of the server.
  ///   - now: Returns the time of a request. With a fixed time, saved records are the same in every
  ///     run.
  ///   - filePath: The test's source file.
  public static func container(
    _ path: String, in bundle: Bundle? = nil, rules: ServerRules = .native,
    now: @escaping @Sendable () -> Date = { Date() }, filePath: String = #filePath
  ) -> Self {
    Self(fixture: FixtureFile(path: path, bundle: bundle, source: filePath), rules: rules, now: now)
  }

  /// Gives each test, and each of its cases, an empty container in memory. The test finds it as
  /// ``MockCloud/MockContainer/current``.
  public static func emptyContainer(
    rules: ServerRules = .native, now: @escaping @Sendable () -> Date = { Date() }
  ) -> Self {
    Self(fixture: nil, rules: rules, now: now)
  }
}

extension MockContainer {
  /// The container of the running test, which the trait `.container(…)` makes for it alone.
  ///
  /// - Throws: ``TestContainerError`` outside a test with that trait, and in tasks that do not
  ///   inherit the values of its task (`Task.detached`); the errors of opening and importing the
  ///   file.
  public static var current: MockContainer {
    get throws {
      guard let container = ContainerTrait.current else { throw TestContainerError.noTrait }
      return try container.get()
    }
  }

  /// Makes a container in memory from a file of a test: a bundle, or a container file. A bundle is
  /// read once per process.
  ///
  /// ```swift
  /// let container = try MockContainer.fixture("Fixtures/Chats.recordpack")
  /// ```
  ///
  /// - Parameters:
  ///   - path: The path of the file, relative to the folder of the test's source file. If there is no
  ///     such file, as on a device, the resources of the test's bundle are searched
  ///     (<doc:TestingInXcode>).
  ///   - bundle: The only bundle whose resources are searched, such as `.module`.
  ///   - rules: The rules of the server.
  ///   - now: Returns the time of a request.
  ///   - filePath: The test's source file.
  public static func fixture(
    _ path: String, in bundle: Bundle? = nil, rules: ServerRules = .native,
    now: @escaping @Sendable () -> Date = { Date() }, filePath: String = #filePath
  ) throws -> MockContainer {
    let file = FixtureFile(path: path, bundle: bundle, source: filePath)
    return try fixture(at: file.url(), rules: rules, now: now)
  }
}

/// An error about the container of a test.
public enum TestContainerError: Error, CustomStringConvertible, LocalizedError {
  /// The test has no trait that makes a container.
  case noTrait
  /// The file does not exist.
  case notFound(path: String, places: [String])

  /// A sentence about the error.
  public var description: String {
    switch self {
    case .noTrait:
      "no container was made for the test: give it or its suite the trait .container(\"…\") or "
        + ".emptyContainer(). A detached task and a dispatch queue do not inherit that of their "
        + "test, and tests of XCTest have none: pass it along, or make one with "
        + "MockContainer.fixture(\"…\")"
    case .notFound(let path, let places):
      "there is no '\(path)'; it was looked for at: \(places.joined(separator: ", "))"
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
