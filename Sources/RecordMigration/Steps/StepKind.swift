import RecordCoding
import RecordModel
import RecordSchema

/// The change that a step makes to a record.
///
/// ```swift
/// MigrationStep("Message", .renameField("text", to: "body"))
/// MigrationStep("Photo", .mergeTypes(into: "Attachment", discriminator: "kind"))
/// ```
public struct MigrationAction: Sendable {
  let kind: any StepKind
  let effects: StepEffects

  init(_ kind: some StepKind) {
    self.kind = kind
    effects = kind.effects
  }

  /// The name of the step in a plan.
  public var name: String { kind.name }

  /// The field that the step changes or creates, if it is a single one.
  package var subject: String? { effects.subject }

  /// Returns the action with information from the schema.
  func completed(with fields: KnownFields) -> MigrationAction {
    var kind = kind
    kind.complete(with: fields)
    return MigrationAction(kind)
  }
}

/// A kind of migration step: how it is checked, run and undone.
///
/// A new kind of step is a type in this folder and a line in ``PlanStepReader/kinds``.
protocol StepKind: Sendable {
  /// The name of the step in plans and reports.
  var name: String { get }
  /// The names that the step reads and changes.
  var effects: StepEffects { get }

  /// Returns the error that makes a step of this kind invalid for all records, or `nil`.
  func fault(in step: MigrationStep) -> MigrationStep.Fault?
  /// Throws if the step is impossible with the known types of the fields.
  func check(_ check: StepCheck) throws
  /// Adds information from the schema.
  mutating func complete(with fields: KnownFields)
  /// Applies the change to the possible types of the fields of a record type.
  func change(_ fields: inout SchemaWalk.Fields)
  /// Returns the possible types of the fields of the new records that the step makes of a record.
  func made(of fields: SchemaWalk.Fields) -> SchemaWalk.Fields
  /// Returns the possible destinations of a record, or `nil` if the step does not move it.
  func destinations(of place: Migrator.Outline.Place) -> [Migrator.Outline.Place]?

  /// Returns the code of the step for a single runner. If it throws, the record is unchanged.
  func prepare() -> PreparedStep.Body
  /// Returns the code for records that already have the type that the step gives to others. Its
  /// outcome is `ambiguous` if the way back would also apply to such a record.
  func prepareForOthers(_ selection: MigrationStep.Selection) -> PreparedStep.Body

  /// Returns the steps that undo the step.
  ///
  /// - Throws: ``NoInverse``.
  func inverse(_ reversal: StepReversal) throws -> [MigrationStep]
}

extension StepKind {
  func fault(in step: MigrationStep) -> MigrationStep.Fault? { nil }
  func check(_ check: StepCheck) throws {}
  mutating func complete(with fields: KnownFields) {}
  func change(_ fields: inout SchemaWalk.Fields) {}
  func made(of fields: SchemaWalk.Fields) -> SchemaWalk.Fields { [:] }

  func destinations(of place: Migrator.Outline.Place) -> [Migrator.Outline.Place]? {
    guard let type = effects.newType else { return nil }
    var place = place
    place.recordType = type.name
    return [place]
  }

  func prepareForOthers(_ selection: MigrationStep.Selection) -> PreparedStep.Body {
    { _, _ in .ambiguous }
  }
}

/// A kind of step whose runners need nothing of their own.
protocol PlainStepKind: StepKind {
  /// Changes a record. If it throws, the record is unchanged.
  func run(_ runner: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome
}

extension PlainStepKind {
  func prepare() -> PreparedStep.Body { run }
}

/// A kind of step that plans can contain.
protocol PlannedStepKind: StepKind {
  /// The names of the step in plans, each with its keys in addition to those of all steps.
  static var names: KeyValuePairs<String, [String]> { get }

  /// Reads the step from a plan.
  static func read(_ plan: PlanStepReader) throws -> Self
}

extension PlannedStepKind {
  var name: String { Self.names[0].key }
}

/// The outcome of a step for a record.
enum StepOutcome {
  /// Nothing changed.
  case unchanged
  /// The record changed.
  case changed(isExact: Bool)
  /// The record type changed.
  case retyped
  /// Nothing changed, but the record is already as the step would have made it, so the way back
  /// cannot distinguish it.
  case ambiguous
  /// A value was dropped.
  case dropped
  /// The record is left behind.
  case gone
  /// The record was replaced by others.
  case replaced([EditableRecord])
  /// New records were made of parts of the record, which remains.
  case split([EditableRecord], isExact: Bool)
  /// The step failed. A dry run continues with the next record.
  case failed
}

struct StepMisfit: Error {
  var field: String?
  var reason: String

  init(_ field: String?, _ reason: String) {
    self.field = field
    self.reason = reason
  }
}

extension StepMisfit {
  /// Throws if a record is the share of a whole zone, to which the zone refers by its name.
  static func checkIsNoZoneShare(_ record: EditableRecord) throws {
    guard record.recordType.sameScalars(as: Share.recordType),
      record.recordID.recordName.sameScalars(as: Share.zoneWideRecordName)
    else { return }
    throw StepMisfit(
      nil,
      "the share of the whole zone keeps its name and zone; leave it out with "
        + "\"where: recordName != '\(Share.zoneWideRecordName)'\"")
  }

  /// Throws if CloudKit does not allow the name of a new or renamed record.
  static func check(_ recordID: RecordID, _ recordType: String, _ what: String) throws {
    do {
      try RecordLimits.cloudKit.check(recordID: recordID, recordType: recordType)
    } catch let error as CloudError {
      // The zone and the type are not new, but the record must be valid as a whole.
      throw StepMisfit(
        nil,
        error.violation.map { "\(what) would have \($0.found); allowed: \($0.allowed)" }
          ?? "\(error)")
    }
  }
}

struct NoInverse: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// A step and the known types of the fields of its records, for finding errors in the plan: what no
/// record can fit, as opposed to misfits of single records.
struct StepCheck {
  let step: MigrationStep
  let fields: KnownFields
  /// The location of errors in steps that have no location of their own.
  let fallback: PlanLocation?

  func error(_ member: String, _ message: String) -> MigrationError {
    MigrationError(step.location(of: member) ?? fallback, message)
  }

  /// Throws if an expression has no values of a type that is needed.
  func expression(
    _ expression: RecordExpression, _ member: String, _ what: String, _ need: ExpressionKinds.Need
  ) throws {
    do {
      guard let kinds = try expression.root.kinds(fields), !need.allows(kinds) else { return }
      throw error(
        member,
        "\(member): \(what) must be \(need.words), but this is \(kinds.inWords)"
          + need.remedy(for: kinds))
    } catch let fault as MigrationError where fault.code == .expression {
      guard var location = step.locations["\(member)."], let column = fault.column else {
        throw error(member, "\(member), \(fault.description)")
      }
      location.column += column - 1
      throw MigrationError(location, "\(member): \(fault.message)")
    }
  }

  /// Throws if the types of a field are known and none of them fits.
  ///
  /// - Parameter remedy: The remedy for a list, if lists do not fit.
  func kinds(
    of name: String, at member: String = "field", forLists remedy: String = "",
    fits: (CloudSchema.FieldType) -> Bool
  ) throws {
    let kinds = fields[name]
    guard !kinds.isEmpty, !kinds.contains(where: fits) else { return }
    throw error(
      member,
      "field '\(name)' is \(kinds.inWords) at this step, which \(step.action.name) does not accept"
        + (kinds.contains(where: \.isList) ? remedy : ""))
  }
}

/// The possible types of the fields of several record types. Empty for unknown fields.
struct KnownFields {
  private let list: [SchemaWalk.Fields]

  init(_ list: [SchemaWalk.Fields]) { self.list = list }

  /// The possible types of a field. Empty if some are unknown.
  subscript(_ name: String) -> Set<CloudSchema.FieldType> {
    list.contains { $0[name]?.isEmpty == true } ? [] : all(name)
  }

  /// Returns the known types of a field, even if there may be others.
  func all(_ name: String) -> Set<CloudSchema.FieldType> {
    list.reduce(into: []) { $0.formUnion($1[name] ?? []) }
  }

  /// Returns whether a field is known to be encrypted in all records that have it.
  func isEncrypted(_ name: String) -> Bool {
    let kinds = self[name]
    return !kinds.isEmpty && kinds.allSatisfy(\.isEncrypted)
  }
}

extension Set<CloudSchema.FieldType> {
  /// The types as a phrase, such as `STRING or INT64`.
  var inWords: String { map(\.description).sorted().joined(separator: " or ") }
}

/// The names that a step reads and changes, known before it runs.
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

  /// The type and the fields of new records, beside the fields that move to them.
  struct Made: Sendable {
    var type: Name
    var fields: [Name]
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
  /// The records that the step makes in addition.
  var makes: Made?
  /// The field of other records that the step copies.
  var lookUp: LookUpSource?
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
