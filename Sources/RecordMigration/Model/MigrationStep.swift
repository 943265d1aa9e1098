import RecordModel

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
