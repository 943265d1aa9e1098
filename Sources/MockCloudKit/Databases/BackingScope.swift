import Foundation
import MockCloud
import RecordModel

/// The part of a program in which containers that are found by their identifiers are the same.
///
/// A container asks it at each request: a container in a static property belongs to the running test,
/// not to the test that first used it.
struct BackingScope: Sendable {
  /// The container that ``CKContainer/withMock(_:syncRules:clock:_:)`` chose.
  @TaskLocal fileprivate static var chosen: Backing?

  private let chosen: Backing?
  private let test: TestScope?

  /// The scope of the running task; nil if there is none.
  static var current: BackingScope? {
    let (chosen, test) = (Self.chosen, TestScope.current)
    return chosen == nil && test == nil ? nil : BackingScope(chosen: chosen, test: test)
  }

  /// Whether the scope is that of a test that has ended.
  var hasEnded: Bool { chosen == nil && test?.hasEnded == true }

  /// The scope of a request of a container that was made in another scope: it keeps the container that
  /// was chosen there.
  func request(of home: BackingScope?) -> BackingScope {
    BackingScope(chosen: chosen ?? home?.chosen, test: test)
  }

  /// Returns the container in the scope.
  func backing(for identifier: String) -> Backing {
    if let chosen { return chosen }
    guard let test else { return Self.processBacking(for: identifier) }
    return test.attached {
      do {
        return Backing(try test.container)
      } catch {
        test.recordFailure("the test's container cannot be made: \(error)")
        return Backing(Self.emptyContainer(identifier))
      }
    }
  }

  /// Runs code in the scope.
  func run<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    try await Self.$chosen.withValue(chosen) {
      try await TestScope.$current.withValue(test) { try await body() }
    }
  }

  static func run<Value>(with chosen: Backing, _ body: () throws -> Value) rethrows -> Value {
    try $chosen.withValue(chosen) { try body() }
  }

  static func run<Value>(
    with chosen: Backing, _ body: () async throws -> Value
  ) async rethrows -> Value {
    try await $chosen.withValue(chosen) { try await body() }
  }

  // MARK: The process

  private struct Registry {
    var byIdentifier: [String: Backing] = [:]
    /// The container for all identifiers without their own.
    var common: Backing?
  }

  private static let registry = Locked(Registry())

  static func processBacking(for identifier: String) -> Backing {
    registry.with { registry in
      if let known = registry.byIdentifier[identifier] ?? registry.common { return known }
      let backing = Backing(emptyContainer(identifier))
      registry.byIdentifier[identifier] = backing
      return backing
    }
  }

  /// - Parameter identifier: Nil for all identifiers, also those that have had a container.
  static func setProcessBacking(_ backing: Backing?, for identifier: String?) {
    registry.with { registry in
      if let identifier {
        registry.byIdentifier[identifier] = backing
      } else {
        registry = Registry(common: backing)
      }
    }
  }

  private static func emptyContainer(_ identifier: String) -> MockContainer {
    do {
      return try MockContainer.inMemory(info: ContainerInfo(identifier: identifier))
    } catch {
      preconditionFailure("a container in memory cannot be made: \(error)")
    }
  }
}
