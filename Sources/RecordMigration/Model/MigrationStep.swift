import RecordModel

/// One step of a migration: which records it looks at, what it does with them, and what happens to
/// values that do not fit.
public struct MigrationStep: Sendable {
  /// Which records a step looks at.
  public struct Selection: Sendable, Hashable {
    /// The record types, as they are called when the step is reached; nil for all.
    public var recordTypes: Set<String>?
    /// The databases; nil for all.
    public var databases: Set<DatabaseScope>?
    /// The names of the zones; nil for all.
    public var zoneNames: Set<String>?

    /// All records of some types; nil for all types.
    public init(
      _ recordTypes: Set<String>?, databases: Set<DatabaseScope>? = nil,
      zoneNames: Set<String>? = nil
    ) {
      self.recordTypes = recordTypes
      self.databases = databases
      self.zoneNames = zoneNames
    }

    func contains(database: DatabaseScope, zoneID: ZoneID) -> Bool {
      databases?.contains(database) != false
        && zoneNames?.containsName(zoneID.zoneName) != false
    }

    /// Whether records of a type are looked at.
    func contains(recordType: String) -> Bool {
      recordTypes?.containsName(recordType) != false
    }
  }

  /// Which records the step looks at.
  public var selection: Selection
  /// What it does with them.
  public var action: MigrationAction
  /// Only records for which this holds; nil for all.
  public var condition: RecordExpression?
  /// What happens to a value that does not fit.
  public var misfit: MisfitPolicy
  /// Where the step stands in its plan.
  public var place: PlanPlace?
  /// Where the members of the step stand in its plan, by their names; those of mappings and the names
  /// in expressions as `where.name`, and the beginning of an expression as `where.`.
  var places: [String: PlanPlace] = [:]
  /// On the way back: a condition that had no truth on the way there counted as false.
  var undecidedIsFalse = false

  /// Makes a step for the records of one type.
  public init(
    _ recordType: String, _ action: MigrationAction, where condition: RecordExpression? = nil,
    misfit: MisfitPolicy = .fail
  ) {
    self.init(Selection([recordType]), action, where: condition, misfit: misfit)
  }

  /// Makes a step.
  public init(
    _ selection: Selection, _ action: MigrationAction, where condition: RecordExpression? = nil,
    misfit: MisfitPolicy = .fail, place: PlanPlace? = nil
  ) {
    self.selection = selection
    self.action = action
    self.condition = condition
    self.misfit = misfit
    self.place = place
  }

  /// Where a member stands; where the step does, if that is not known.
  func place(of member: String) -> PlanPlace? { places[member] ?? place }

  /// What the step does, in a few words: `rename-field Message.text`.
  public var title: String {
    let types = selection.recordTypes?.sorted().joined(separator: ", ") ?? "*"
    return "\(action.name) " + types + (action.subject.map { "." + $0 } ?? "")
  }
}

/// Where something stands in a plan's file.
public struct PlanPlace: Sendable, Hashable, CustomStringConvertible {
  /// The file's name, as it was given.
  public var file: String
  /// The line, from 1.
  public var line: Int
  /// The column, from 1.
  public var column: Int

  /// Makes a place.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// `file:line:column`.
  public var description: String { "\(file):\(line):\(column)" }
}
