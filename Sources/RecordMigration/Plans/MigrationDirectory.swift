import Foundation
import RecordPlatform
import RecordSchema

/// A folder of plans and schemas, named by version: `v1.ckdb`, `v2.ckdb`, and a plan from one to
/// the other.
///
/// ```swift
/// let directory = try MigrationDirectory(path: "Migrations")
/// let migrator = try Migrator(directory.chain(from: "v1", to: directory.newestVersion()))
/// ```
public struct MigrationDirectory: Sendable {
  /// The path of the folder, as passed by the caller.
  public let path: String
  /// The plans, sorted by file name.
  public let plans: [MigrationPlan]
  /// The versions with a schema or plan, in numeric order (`v2` before `v10`).
  public let versions: [String]
  private let schemas: [String: CloudSchema]

  /// The maximum number of files in the folder.
  private static let maxFiles = 10_000

  /// Reads a folder: its `.ckdb` files, and its `.yml` and `.yaml` files that are plans.
  ///
  /// - Throws: `SchemaError.syntax`, or ``MigrationError``: with the code `noPath` if there are no
  ///   plans, if there are too many files, or if the folder cannot be read.
  public init(path: String) throws {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: path)
        .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    } catch {
      throw MigrationError(.noPath, "cannot read the folder '\(path)'")
    }
    guard names.count <= Self.maxFiles else {
      throw MigrationError(.noPath, "'\(path)' has more than \(Self.maxFiles) files")
    }
    var schemas: [String: CloudSchema] = [:]
    for name in names where name.hasSuffix(".ckdb") {
      schemas[String(name.dropLast(5))] = try Self.schema(at: path + "/" + name)
    }
    var plans: [MigrationPlan] = []
    for name in names where name.hasSuffix(".yml") || name.hasSuffix(".yaml") {
      let file = path + "/" + name
      let text = try Self.text(of: file, limit: MigrationPlan.maxSize)
      // The folder may contain other YAML files.
      guard text.contains("recordpack-migration") else { continue }
      let plan = try MigrationPlan(yaml: text, file: file)
      plans.append(try plan.resolved { schemas[$0] })
    }
    for (index, plan) in plans.enumerated() {
      let twin = plans[..<index].first {
        $0.migration.from == plan.migration.from && $0.migration.to == plan.migration.to
      }
      guard let twin else { continue }
      throw MigrationError(
        plan.fromLocation,
        "'\(twin.file)' is a plan from '\(plan.migration.from)' to '\(plan.migration.to)' too")
    }
    guard !plans.isEmpty else {
      throw MigrationError(
        .noPath,
        "'\(path)' has no migration plans: .yml files that begin with 'recordpack-migration: 1'")
    }
    self.path = path
    self.plans = plans
    self.schemas = schemas
    versions = Set(plans.flatMap { [$0.migration.from, $0.migration.to] } + schemas.keys)
      .sorted(by: Self.precedes)
  }

  /// Returns whether a name precedes another in numeric order.
  static func precedes(_ a: String, _ b: String) -> Bool {
    let order = a.compare(b, options: .numeric, locale: nil)
    return order == .orderedSame ? a < b : order == .orderedAscending
  }

  /// Returns the version with a name, with or without a leading `v`.
  ///
  /// - Throws: ``MigrationError`` with the code `noPath` with a list of the known versions.
  public func version(named name: String) throws -> String {
    if versions.contains(name) { return name }
    if let version = versions.first(where: { Migration.isSameVersion($0, name) }) {
      return version
    }
    throw MigrationError(
      .noPath,
      "'\(path)' has no version '\(name)'" + NearNames.hint(name, among: versions)
        + "; it has \(versions.joined(separator: ", "))")
  }

  /// Returns the newest version: the only one that a plan leads to and no plan starts from.
  ///
  /// - Throws: ``MigrationError`` with the code `noPath` if there is not exactly one.
  public func newestVersion() throws -> String {
    let left = Set(plans.map(\.migration.from))
    let ends = versions.filter { version in
      !left.contains(version) && plans.contains { $0.migration.to == version }
    }
    guard let end = ends.first, ends.count == 1 else {
      throw MigrationError(
        .noPath,
        "the newest version in '\(path)' is ambiguous"
          + (ends.isEmpty ? "" : ": plans end in \(ends.joined(separator: " and "))")
          + "; specify it with --to-version")
    }
    return end
  }

  /// Returns the schema of a version, or `nil` if the folder has none.
  public func schema(of version: String) -> CloudSchema? { schemas[version] }

  /// Returns the shortest chain of migrations between two versions. Empty if they are the same.
  ///
  /// If several chains have the same length, the one with the lower versions is chosen.
  ///
  /// - Parameters:
  ///   - from: The version, or schema file, to start from.
  ///   - to: The version, or schema file, to end in.
  ///   - reverse: Whether to also use reversed plans, if all their steps can be undone.
  /// - Throws: ``MigrationError`` with the code `noPath` if there is no chain.
  public func chain(from: String, to: String, reverse: Bool = false) throws -> [Migration] {
    let (start, end) = (try version(named: from), try version(named: to))
    var edges = plans.map(\.migration)
    if reverse { edges = edges.map(\.turned) }
    edges.sort { Self.precedes($0.to, $1.to) }
    var ways: [String: [Migration]] = [start: []]
    var frontier = [start]
    while ways[end] == nil, !frontier.isEmpty {
      var next: [String] = []
      for version in frontier {
        for edge in edges where edge.from == version && ways[edge.to] == nil {
          ways[edge.to] = (ways[version] ?? []) + [edge]
          next.append(edge.to)
        }
      }
      frontier = next
    }
    guard let way = ways[end] else {
      let reached = ways.keys.filter { $0 != start }.sorted(by: Self.precedes)
      throw MigrationError(
        .noPath,
        "no plans in '\(path)' migrate from version '\(start)' to '\(end)'"
          + (reached.isEmpty
            ? "; none starts from '\(start)'"
            : "; from '\(start)' they lead to \(reached.joined(separator: ", "))"))
    }
    guard reverse else { return way }
    return try way.map { edge in try edge.turned.reversed() }
  }

  /// Reads a schema file.
  public static func schema(at path: String) throws -> CloudSchema {
    try SchemaDocument(parsing: try text(of: path, limit: SchemaDocument.maxSize), name: path)
      .validSchema()
  }

  package static func text(of path: String, limit: Int) throws -> String {
    // A folder cannot be read, and opening a pipe could wait for its writer.
    let isFile = SystemCall.isRegularFile(path)
    guard isFile != false, let handle = FileHandle(forReadingAtPath: path) else {
      let reason = isFile.map { $0 ? "permission denied" : "not a regular file" } ?? "no such file"
      throw MigrationError(.invalid, "cannot read '\(path)': \(reason)")
    }
    defer { try? handle.close() }
    // At the end of an empty file, `read` returns `nil`.
    let data = try handle.read(upToCount: limit + 1) ?? Data()
    guard data.count <= limit else {
      throw MigrationError(.invalid, "'\(path)' has more than \(limit) bytes")
    }
    // Unlike `String(decoding:as:)`, this drops a byte order mark.
    if let text = String(data: data, encoding: .utf8) { return text }
    let span = UTF8Check.firstBrokenSpan(in: Array(data)) ?? .start
    throw MigrationError(
      PlanLocation(file: path, line: span.line, column: span.column),
      "the file is not UTF-8; save it as UTF-8")
  }
}

extension Migration {
  /// The migration with its versions and schemas swapped but its steps unchanged, for path finding.
  fileprivate var turned: Migration {
    var turned = self
    swap(&turned.from, &turned.to)
    swap(&turned.fromSchema, &turned.toSchema)
    return turned
  }
}

extension MigrationPlan {
  /// Reads a plan file and its schemas: those it names, or `VERSION.ckdb` in the same folder.
  public init(path: String) throws {
    let text = try MigrationDirectory.text(of: path, limit: Self.maxSize)
    self = try MigrationPlan(yaml: text, file: path).resolved { version in
      let file = SplitPath(path).sibling(version + ".ckdb")
      guard FileManager.default.fileExists(atPath: file) else { return nil }
      return try MigrationDirectory.schema(at: file)
    }
  }

  /// Returns the plan with its schemas, after checking it against them.
  func resolved(_ find: (String) throws -> CloudSchema?) throws -> MigrationPlan {
    var plan = self
    plan.migration.fromSchema = try schema(fromSchemaFile, fromLocation) ?? find(migration.from)
    plan.migration.toSchema = try schema(toSchemaFile, toLocation) ?? find(migration.to)
    do {
      try plan.migration.checkAgainstSchemas(fromLocation: fromLocation, toLocation: toLocation)
    } catch let error as MigrationError {
      throw error.pointing(at: openQuestions)
    }
    return plan
  }

  private func schema(_ name: String?, _ location: PlanLocation) throws -> CloudSchema? {
    guard let name else { return nil }
    let path = name.hasPrefix("/") ? name : SplitPath(file).sibling(name)
    guard FileManager.default.fileExists(atPath: path) else {
      throw MigrationError(location, "there is no schema file '\(path)'")
    }
    return try MigrationDirectory.schema(at: path)
  }
}
