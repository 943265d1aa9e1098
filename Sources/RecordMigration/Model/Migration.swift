import RecordModel
import RecordSchema

/// A migration of records from one schema version to the next.
///
/// ```swift
/// let migration = Migration(from: "1", to: "2") {
///   MigrationStep("Message", .renameField("text", to: "body"))
///   MigrationStep("Message", .addField("kind", .constant(.string("text"))))
/// }
/// let migrator = try Migrator([migration])
/// let records = try migrator.migrate(record)
/// ```
public struct Migration: Sendable {
  /// The name of the source version.
  public var from: String
  /// The name of the target version.
  public var to: String
  /// A short description.
  public var title: String?
  /// The steps, in order. Each step sees the changes of the steps before it.
  public var steps: [MigrationStep]
  /// The schema of the source version, or `nil` if unknown.
  public var fromSchema: CloudSchema?
  /// The schema of the target version, which the results must have. `nil` skips this check.
  public var toSchema: CloudSchema?
  /// The number of unanswered questions in its plan.
  package var openQuestions = 0

  /// Creates a migration.
  public init(
    from: String, to: String, title: String? = nil, steps: [MigrationStep],
    fromSchema: CloudSchema? = nil, toSchema: CloudSchema? = nil
  ) {
    self.from = from
    self.to = to
    self.title = title
    self.steps = steps
    self.fromSchema = fromSchema
    self.toSchema = toSchema
  }

  /// Creates a migration from a list of steps.
  public init(
    from: String, to: String, fromSchema: CloudSchema? = nil, toSchema: CloudSchema? = nil,
    @MigrationBuilder steps: () throws -> [MigrationStep]
  ) rethrows {
    self.init(from: from, to: to, steps: try steps(), fromSchema: fromSchema, toSchema: toSchema)
  }

  /// Returns whether two texts name the same version: `5` and `v5` do.
  package static func isSameVersion(_ a: String, _ b: String) -> Bool {
    a == b || "v" + a == b || a == "v" + b
  }
}

/// A result builder for the steps of a migration.
@resultBuilder
public enum MigrationBuilder {
  /// Adds a step.
  public static func buildExpression(_ step: MigrationStep) -> [MigrationStep] { [step] }
  /// Adds several steps.
  public static func buildExpression(_ steps: [MigrationStep]) -> [MigrationStep] { steps }
  /// Combines all steps in order.
  public static func buildBlock(_ steps: [MigrationStep]...) -> [MigrationStep] {
    steps.flatMap { $0 }
  }
  /// Adds optional steps.
  public static func buildOptional(_ steps: [MigrationStep]?) -> [MigrationStep] { steps ?? [] }
  /// Adds the steps of the first branch.
  public static func buildEither(first steps: [MigrationStep]) -> [MigrationStep] { steps }
  /// Adds the steps of the second branch.
  public static func buildEither(second steps: [MigrationStep]) -> [MigrationStep] { steps }
  /// Adds the steps of a loop.
  public static func buildArray(_ steps: [[MigrationStep]]) -> [MigrationStep] {
    steps.flatMap { $0 }
  }
}

/// A step of a migration: the records it applies to, the change it makes, and the policy for values
/// that do not fit.
public struct MigrationStep: Sendable {
  /// The records that a step applies to.
  public struct Selection: Sendable, Hashable {
    /// The record types, by their names when the step runs. `nil` means all.
    public var recordTypes: Set<String>?
    /// The databases. `nil` means all.
    public var databases: Set<DatabaseScope>?
    /// The names of the zones. `nil` means all.
    public var zoneNames: Set<String>?

    /// Creates a selection.
    public init(
      _ recordTypes: Set<String>?, databases: Set<DatabaseScope>? = nil,
      zoneNames: Set<String>? = nil
    ) {
      self.recordTypes = recordTypes
      self.databases = databases
      self.zoneNames = zoneNames
    }

    func contains(database: DatabaseScope, zoneID: ZoneID) -> Bool {
      databases?.contains(database) != false && zoneNames?.containsName(zoneID.zoneName) != false
    }

    /// Returns whether records of a type are selected.
    func contains(recordType: String) -> Bool {
      recordTypes?.containsName(recordType) != false
    }
  }

  /// The records that the step applies to.
  public var selection: Selection
  /// The change to make.
  public var action: MigrationAction
  /// A condition that records must match. `nil` means all records.
  public var condition: RecordExpression?
  /// The policy for values that do not fit.
  public var misfit: MisfitPolicy
  /// The location of the step in its plan.
  public var location: PlanLocation?
  /// The locations of the step's keys in its plan. Nested keys and names in expressions have the
  /// form `where.name`, and the start of an expression the form `where.`.
  var locations: [String: PlanLocation] = [:]
  /// Whether a condition that cannot be evaluated counts as false. Set in reversed steps, because
  /// it did so in the original migration.
  var treatsFailedConditionAsFalse = false

  /// Creates a step for the records of one type.
  public init(
    _ recordType: String, _ action: MigrationAction, where condition: RecordExpression? = nil,
    misfit: MisfitPolicy = .fail
  ) {
    self.init(Selection([recordType]), action, where: condition, misfit: misfit)
  }

  /// Creates a step.
  public init(
    _ selection: Selection, _ action: MigrationAction, where condition: RecordExpression? = nil,
    misfit: MisfitPolicy = .fail, location: PlanLocation? = nil
  ) {
    self.selection = selection
    self.action = action
    self.condition = condition
    self.misfit = misfit
    self.location = location
  }

  /// Returns the location of a key, or of the step if that is unknown.
  func location(of member: String) -> PlanLocation? { locations[member] ?? location }

  /// Whether the step may apply to only some records of its types.
  var isPartial: Bool {
    condition != nil || selection.databases != nil || selection.zoneNames != nil
  }

  /// A short description of the step, such as `rename-field Message.text`.
  public var title: String {
    let types = selection.recordTypes?.sorted().joined(separator: ", ") ?? "*"
    return "\(action.name) " + types + (action.subject.map { "." + $0 } ?? "")
  }

  /// An error that makes the step invalid for all records, and the key in the plan that it is about.
  typealias Fault = (member: String, message: String)

  /// Checks that the step is valid.
  ///
  /// - Throws: ``MigrationError`` with the code `invalid`. The message has the step's title.
  func check() throws {
    guard let fault else { return }
    throw MigrationError(
      .invalid,
      (location(of: fault.member).map { "\($0): " } ?? "") + "\(title): \(fault.message)")
  }

  /// The error that makes the step invalid, or `nil` if it is valid.
  var fault: Fault? { faultOfPolicy ?? action.kind.fault(in: self) ?? faultOfNames }

  /// The policies that the step accepts besides `fail`, as a phrase.
  var policies: String {
    let (effects, skip) = (action.effects, "'misfit: skip'")
    if effects.hasValue { return "\(skip), 'null' or 'keep-in'" }
    return effects.canBeLeftOut ? "\(skip) or 'null'" : skip
  }

  private var faultOfPolicy: Fault? {
    switch misfit {
    case .keep(let overflow):
      if !action.effects.hasValue {
        return ("misfit", "there is no single value to keep in '\(overflow)'; use fail or skip")
      }
      return overflow == action.subject
        ? ("misfit", "a value cannot be kept in its own field") : nil
    case .null where !action.effects.hasValue && !action.effects.canBeLeftOut:
      return ("misfit", "there is no single value to drop; use fail or skip")
    default: return nil
    }
  }

  /// The error for kinds of steps that need the names of their record types.
  var faultOfUnnamedTypes: Fault? {
    selection.recordTypes?.isEmpty == false
      ? nil : ("type", "the step requires the names of record types; '*' is not allowed")
  }

  /// The error in a name of the step, if any. New names must be valid in CloudKit; existing names
  /// must not be empty.
  var faultOfNames: Fault? { faultOfSelection ?? faultOfKnownNames ?? faultOfNewNames }

  private var faultOfSelection: Fault? {
    let lists = [
      ("type", "record types", selection.recordTypes), ("zone", "zones", selection.zoneNames),
      ("database", "databases", selection.databases.map { Set($0.map(\.rawValue)) }),
    ]
    for case (let member, let what, let names?) in lists {
      if names.isEmpty {
        return (member, "the list of \(what) is empty, so the step applies to no records")
      }
      if names.contains("") {
        return (member, "the list of \(what) contains an empty name")
      }
    }
    return nil
  }

  private var faultOfKnownNames: Fault? {
    let effects = action.effects
    var names = effects.reads.names.map { (effects.reads.members[0], $0) }
    for name in (condition?.fieldNames ?? []).sorted() { names.append(("where", name)) }
    if let (member, expression) = effects.expression {
      for name in expression.fieldNames.sorted() { names.append((member, name)) }
    }
    names += effects.names.map { ($0.member, $0.name) }
    guard let (member, _) = names.first(where: { $0.1.isEmpty }) else { return nil }
    return (member, "a name is empty")
  }

  private var faultOfNewNames: Fault? {
    // A reversed step restores the former name, whether it is valid or not.
    guard !treatsFailedConditionAsFalse else { return nil }
    let effects = action.effects
    let creates = effects.creates
    var made: Set<String> = []
    for name in effects.makes?.fields ?? [] where !made.insert(name.name).inserted {
      return (name.member, "the new records would have two fields '\(name.name)'")
    }
    var names = creates.names.map { (creates.members[0], $0, "field") }
    if case .keep(let overflow) = misfit { names.append(("misfit", overflow, "field")) }
    for type in [effects.newType, effects.makes?.type].compactMap({ $0 }) {
      names.append((type.member, type.name, "record type"))
    }
    for name in effects.makes?.fields ?? [] { names.append((name.member, name.name, "field")) }
    for (member, name, what) in names {
      if let problem = Self.problem(ofName: name, what) {
        return (member, problem)
      }
    }
    return nil
  }

  private static func problem(ofName name: String, _ what: String) -> String? {
    let limit = RecordLimits.cloudKit.keyLength
    if SchemaNames.isPlain(name), name.utf8.count <= limit { return nil }
    return "\(quoted(name)) is not a valid name of a \(what): a letter, then letters, digits and "
      + "'_' of ASCII, at most \(limit)"
  }

  static func quoted(_ name: String) -> String {
    name.isEmpty ? "an empty name" : "'\(name.count > 60 ? name.prefix(60) + "…" : name)'"
  }
}

/// A location in a plan's file.
public struct PlanLocation: Sendable, Hashable, CustomStringConvertible {
  /// The file name as passed by the caller.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column, from 1.
  public var column: Int

  package init(file: String, line: Int, column: Int) {
    (self.file, self.line, self.column) = (file, line, column)
  }

  /// `file:line:column`.
  public var description: String { "\(file):\(line):\(column)" }
}

/// The policy for a value that does not fit. With every policy, the value is counted and reported.
public enum MisfitPolicy: Sendable, Hashable {
  /// The migration ends with an error that names the record, and nothing is written.
  case fail
  /// The value is dropped.
  case null
  /// The value is stored unchanged in another field.
  case keep(in: String)
  /// The record is left behind.
  case skip

  /// The name of the policy in a plan.
  var name: String {
    switch self {
    case .fail: "fail"
    case .null: "null"
    case .keep: "keep-in"
    case .skip: "skip"
    }
  }
}
