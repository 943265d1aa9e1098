import RecordModel

/// What a step reads and changes, known before it runs.
struct StepEffects: Sendable {
  /// A name, and the key in a plan that has it as a value.
  struct Name: Sendable {
    var member: String
    var name: String
  }

  /// Fields, and the key in a plan that names them. If there are several keys, the first that the
  /// plan contains counts.
  struct Fields: Sendable {
    var names: [String]
    var members: [String]

    init(_ names: [String] = [], _ members: String...) { self.init(names, members) }

    init(_ names: [String], _ members: [String]) {
      self.names = names
      self.members = members.isEmpty ? ["field"] : members
    }

    func location(in step: MigrationStep) -> PlanLocation? {
      members.lazy.compactMap { step.locations[$0] }.first ?? step.location
    }
  }

  /// Properties of a record besides its fields.
  struct Properties: OptionSet {
    let rawValue: Int

    static let name = Properties(rawValue: 1)
    static let zone = Properties(rawValue: 2)
    static let recordType = Properties(rawValue: 4)
    static let parent = Properties(rawValue: 8)
    static let identity: Properties = [.name, .zone]
  }

  /// How the step treats the bytes of assets.
  struct AssetUse: OptionSet {
    let rawValue: Int

    /// Results may contain assets with new bytes.
    static let makes = AssetUse(rawValue: 1)
    /// Bytes of assets are read.
    static let reads = AssetUse(rawValue: 2)
    /// Assets may lose their last reference from a record.
    static let loses = AssetUse(rawValue: 4)
  }

  /// The field that the step changes or creates, if it is a single one.
  var subject: String?
  /// The fields that must exist.
  var reads = Fields()
  /// The fields that the step creates.
  var creates = Fields()
  /// Whether the created fields may exist in other records.
  var fillsUp = false
  /// The fields whose type the step sets.
  var types = Fields()
  /// The fields that do not exist afterwards, with a phrase such as `renames it to 'body'`.
  var removes: [String: String] = [:]
  /// The names of a field before and after the step.
  var renames: (from: String, to: String)?
  /// Other names in the step that must not be empty.
  var names: [Name] = []
  /// The expression that the step evaluates.
  var expression: (member: String, value: RecordExpression)?
  /// The expressions that are also evaluated on the way back.
  var expressionsBothWays: [RecordExpression] = []
  /// The record type that the records get.
  var newType: Name?
  /// Whether the step leaves all records of a type behind.
  var deletesType = false
  /// The properties of records that the step may change.
  var changes: Properties = []
  /// The properties of other records that the step looks at through references.
  var follows: Properties = []
  var assets: AssetUse = []
  /// Whether the step has a single value that can be dropped or stored elsewhere if it does not
  /// fit.
  var hasValue = false
  /// Whether a value that does not fit can be skipped by not adding anything to the record.
  var canBeLeftOut = false
  /// Whether the way back can restore values that did not fit and were stored elsewhere.
  var restoresKeptValues = false
  /// Whether only running the step tells what it does.
  var isOpaque = false

  /// Returns the effects of a step that changes a single value, whose type the keys determine.
  static func changingValue(of field: String, _ members: String...) -> StepEffects {
    StepEffects(
      subject: field, reads: Fields([field]), types: Fields([field], members), hasValue: true,
      restoresKeptValues: true)
  }

  /// Whether records may get another name or zone, so that references to them must be updated.
  var changesIdentity: Bool { !changes.isDisjoint(with: .identity) }
}
