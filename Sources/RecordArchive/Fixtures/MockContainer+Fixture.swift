import Foundation
import MockCloud

extension MockContainer {
  /// Makes a container in memory from a bundle or a container file, which stays as it is.
  ///
  /// ```swift
  /// let container = try MockContainer.fixture(at: url)
  /// ```
  ///
  /// A bundle is read once per process, and again when it has changed; each container gets a copy
  /// of the contents, so that tests can begin with the same contents at little cost.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - rules: what the server allows.
  ///   - now: returns the time of a request, which the records that it saves get.
  /// - Throws: the errors of opening and importing the file.
  public static func fixture(
    at url: URL, rules: ServerRules = .native,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> MockContainer {
    let path = try url.standardizedFileURL.filePath()
    let store = try FixtureCache.shared.store(path: path, limits: rules.recordLimits, now: now)
    return try MockContainer(store, rules: rules, now: now)
  }

  /// The name of the environment variable with the path of a container's contents.
  public static let fixtureVariable = "RECORDPACK_FIXTURE"

  /// Makes the container that the environment of the process asks for, with the contents of the
  /// file that the variable `RECORDPACK_FIXTURE` names: a path, a `file:` URL, or the name of a
  /// resource of the app, as a UI test on a device needs it.
  ///
  /// UI tests start an app with it, and previews show the app with it:
  ///
  /// ```swift
  /// let container: any CloudContainer =
  ///   try MockContainer.fixture(environment: ProcessInfo.processInfo.environment)
  ///   ?? productionContainer
  /// ```
  ///
  /// - Returns: nil if the variable is not set, or empty.
  /// - Throws: ``RecordArchive/ArchiveError/fixtureVariable(_:)``.
  public static func fixture(
    environment: [String: String], rules: ServerRules = .native,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws -> MockContainer? {
    guard let value = environment[fixtureVariable], !value.isEmpty else { return nil }
    do {
      return try fixture(at: fixtureURL(value, app: .main), rules: rules, now: now)
    } catch {
      throw ArchiveError.fixtureVariable(error)
    }
  }

  /// Returns the file that the value of ``fixtureVariable`` names.
  package static func fixtureURL(_ value: String, app: Bundle) -> URL {
    if value.hasPrefix("file:"), let url = URL(string: value) { return url }
    let url = URL(fileURLWithPath: value)
    if FileManager.default.fileExists(atPath: url.path) { return url }
    return app.url(forResource: value, withExtension: nil) ?? url
  }
}
