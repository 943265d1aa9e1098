import RecordCoding
import RecordModel
import RecordSchema

extension MigrationAction {
  /// The records that a step makes of a part of a record, and their links to it.
  ///
  /// A new record is in the zone of its record, and has its stamps. Its name is the name of the
  /// record, a dot, and what the step adds: so it is the same in each run.
  public struct NewRecords: Sendable, Hashable {
    /// The type of the new records.
    public var recordType: String
    /// The field of a new record that refers to the record it comes from. `nil` for none.
    public var backReference: String?
    /// Whether a new record is deleted together with the record in ``backReference``.
    public var action: Reference.Action
    /// Whether the record becomes the parent of its new records.
    public var setsParent: Bool

    /// Creates a description of new records.
    public init(
      _ recordType: String, backReference: String? = nil, action: Reference.Action = .none,
      setsParent: Bool = false
    ) {
      self.recordType = recordType
      self.backReference = backReference
      self.action = action
      self.setsParent = setsParent
    }
  }

  /// Makes a new record of each element of a list. Its name ends in `.FIELD.0`, `.FIELD.1` …
  ///
  /// - Parameters:
  ///   - name: The field with the list.
  ///   - new: The new records.
  ///   - elementField: The field of a new record that holds the element.
  ///   - position: The field of a new record that holds the element's place in the list, from 0.
  ///     `nil` for none.
  ///   - keepsField: Whether the record keeps the list.
  public static func splitList(
    _ name: String, into new: NewRecords, as elementField: String, position: String? = nil,
    keepsField: Bool = false
  ) -> MigrationAction {
    MigrationAction(
      SplitList(
        field: name, new: new, elementField: elementField, position: position,
        keepsField: keepsField))
  }

  /// Moves fields to a new record, if the record has any of them. Its name ends in the name of the
  /// reference, or of the type if there is none.
  ///
  /// - Parameters:
  ///   - names: The fields to move.
  ///   - new: The new record.
  ///   - reference: The field of the record that refers to the new one. `nil` for none.
  ///   - keepsFields: Whether the record keeps the fields.
  public static func splitRecord(
    _ names: [String], into new: NewRecords, reference: String? = nil, keepsFields: Bool = false
  ) -> MigrationAction {
    MigrationAction(
      SplitRecord(fields: names, new: new, reference: reference, keepsFields: keepsFields))
  }
}

extension MigrationAction.NewRecords {
  fileprivate init(_ plan: PlanStepReader) throws {
    self.init(
      try plan.text("into", "the type of the new records"),
      backReference: try plan["back-reference"]?.text("back-reference"),
      action: try plan["action"]?.one("action") ?? .none,
      setsParent: try plan["parent"]?.bool("parent") ?? false)
  }

  fileprivate func makes(_ names: [(String, String?)]) -> StepEffects.Made {
    StepEffects.Made(
      type: .init(member: "into", name: recordType),
      fields: (names + [("back-reference", backReference)]).compactMap { member, name in
        name.map { .init(member: member, name: $0) }
      })
  }

  fileprivate func fault(otherLink: String?, _ others: String) -> MigrationStep.Fault? {
    guard backReference == nil, !setsParent, otherLink == nil else { return nil }
    return (
      "into",
      "nothing would lead to the new records: add \(others)'back-reference: FIELD' (a field of the "
        + "new record that refers to this one) or 'parent: true'"
    )
  }

  /// Returns a new record.
  fileprivate func record(
    _ suffix: String, _ fields: [Field], of record: EditableRecord, _ runner: MigrationRunner
  ) throws -> EditableRecord {
    let recordID = RecordID(
      recordName: "\(record.recordID.recordName).\(suffix)", zoneID: record.zoneID)
    try StepMisfit.check(recordID, recordType, "the new record")
    // References are updated at the end of the migration, from the ID that the record began with.
    let origin = runner.firstID(of: record)
    var fields = fields
    if let backReference {
      fields.append(
        Field(name: backReference, value: .reference(Reference(recordID: origin, action: action))))
    }
    var system = record.systemFields
    system.recordID = recordID
    system.recordType = recordType
    system.parent = setsParent ? Reference(recordID: origin) : nil
    system.share = nil
    system.otherMembers = []
    system.archive = nil
    return EditableRecord(
      ResultRecord(systemFields: system, fields: fields), in: record.database)
  }

  /// Returns the steps that leave the new records behind.
  ///
  /// - Throws: ``NoInverse`` if there may be others of their type.
  fileprivate func removal(_ reversal: StepReversal) throws -> [MigrationStep] {
    guard !reversal.types.contains(recordType),
      !reversal.step.selection.contains(recordType: recordType)
    else {
      throw NoInverse("there were records of type '\(recordType)' before")
    }
    var step = reversal.undoing(.deleteType, type: recordType)
    // The condition is about the records that the new ones come from.
    step.condition = nil
    return [step]
  }
}

/// A step that makes records of parts of others.
private protocol SplitStep: PlannedStepKind, PlainStepKind {
  var new: MigrationAction.NewRecords { get }
}

extension SplitStep {
  func destinations(of place: Migrator.Outline.Place) -> [Migrator.Outline.Place]? {
    [place, .init(zoneID: place.zoneID, recordType: new.recordType, keepsName: false)]
  }
}

struct SplitList: SplitStep {
  static let names: KeyValuePairs = [
    "split-list": [
      "field", "into", "as", "position", "back-reference", "action", "parent", "keep-field",
    ]
  ]

  let field: String
  let new: MigrationAction.NewRecords
  let elementField: String
  let position: String?
  let keepsField: Bool

  static func read(_ plan: PlanStepReader) throws -> SplitList {
    SplitList(
      field: try plan.field(), new: try .init(plan),
      elementField: try plan.text("as", "the field of a new record that holds the element"),
      position: try plan["position"]?.text("position"),
      keepsField: try plan["keep-field"]?.bool("keep-field") ?? false)
  }

  var effects: StepEffects {
    StepEffects(
      subject: field, reads: .init([field]),
      removes: keepsField ? [:] : [field: "makes records of it"],
      makes: new.makes([("as", elementField), ("position", position)]), hasValue: true)
  }

  func fault(in step: MigrationStep) -> MigrationStep.Fault? {
    new.fault(otherLink: nil, "")
  }

  func check(_ check: StepCheck) throws { try check.kinds(of: field) { $0.isList } }

  func change(_ fields: inout SchemaWalk.Fields) {
    if !keepsField { fields[field] = nil }
  }

  func made(of fields: SchemaWalk.Fields) -> SchemaWalk.Fields {
    let elements = (fields[field] ?? []).filter(\.isList)
    var made: SchemaWalk.Fields = [
      elementField: Set(
        elements.map { CloudSchema.FieldType($0.primitive, isEncrypted: $0.isEncrypted) })
    ]
    if let position {
      made[position] = Set(
        elements.map { CloudSchema.FieldType(.int64, isEncrypted: $0.isEncrypted) })
    }
    if let name = new.backReference { made[name] = [.reference] }
    return made
  }

  func run(_ runner: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome {
    guard let list = record.field(named: field) else { return .unchanged }
    guard let elements = list.value.elements else {
      throw StepMisfit(field, "\(list.value.kindInWords), which is not a list")
    }
    let made = try elements.enumerated().map { number, element in
      var fields = [Field(name: elementField, value: element, isEncrypted: list.isEncrypted)]
      if let position {
        // The length of an encrypted list is not more public than its elements.
        fields.append(
          Field(name: position, value: .int64(Int64(number)), isEncrypted: list.isEncrypted))
      }
      return try new.record("\(field).\(number)", fields, of: record, runner)
    }
    if keepsField { return made.isEmpty ? .unchanged : .split(made, isExact: true) }
    record.remove(field)
    // Nothing tells of an empty list afterwards.
    return .split(made, isExact: !made.isEmpty && list.otherMembers.isEmpty)
  }

  func prepareForOthers(_: MigrationStep.Selection) -> PreparedStep.Body {
    { [keepsField] _, _ in keepsField ? .ambiguous : .unchanged }
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    guard keepsField else {
      throw NoInverse("no step joins records to a list; use 'keep-field: true' to keep the list")
    }
    return try new.removal(reversal)
  }
}

struct SplitRecord: SplitStep {
  static let names: KeyValuePairs = [
    "split-record": [
      "fields", "into", "reference", "back-reference", "action", "parent", "keep-fields",
    ]
  ]

  let fields: [String]
  let new: MigrationAction.NewRecords
  let reference: String?
  let keepsFields: Bool

  static func read(_ plan: PlanStepReader) throws -> SplitRecord {
    SplitRecord(
      fields: try plan.required("fields", "the fields that move to the new record")
        .texts("fields"),
      new: try .init(plan), reference: try plan["reference"]?.text("reference"),
      keepsFields: try plan["keep-fields"]?.bool("keep-fields") ?? false)
  }

  var effects: StepEffects {
    StepEffects(
      reads: .init(fields, "fields"),
      creates: .init(reference.map { [$0] } ?? [], "reference"),
      removes: keepsFields
        ? [:]
        : Dictionary(
          fields.map { ($0, "moves it to '\(new.recordType)'") }, uniquingKeysWith: { $1 }),
      makes: new.makes([]))
  }

  func fault(in step: MigrationStep) -> MigrationStep.Fault? {
    if fields.isEmpty { return ("fields", "the list of fields is empty") }
    if let name = fields.first(where: { name in fields.count { $0 == name } > 1 }) {
      return ("fields", "'\(name)' is listed twice")
    }
    if let reference, fields.contains(reference) {
      return (
        "reference", "'\(reference)' is also a field that moves; a field cannot change its type"
      )
    }
    if let name = new.backReference, fields.contains(name) {
      return ("back-reference", "'\(name)' is also a field that moves")
    }
    return new.fault(
      otherLink: reference, "'reference: FIELD' (a field of this record that refers to it), ")
  }

  func change(_ fields: inout SchemaWalk.Fields) {
    if !keepsFields { for name in self.fields { fields[name] = nil } }
    if let reference { fields[reference] = [.reference] }
  }

  func made(of fields: SchemaWalk.Fields) -> SchemaWalk.Fields {
    var made = fields.filter { self.fields.contains($0.key) }
    if let name = new.backReference { made[name] = [.reference] }
    return made
  }

  func run(_ runner: MigrationRunner, _ record: EditableRecord) throws -> StepOutcome {
    let isLinked = reference.map(record.hasField) == true
    let places = fields.compactMap(record.index(ofField:))
    guard !places.isEmpty else { return isLinked ? .ambiguous : .unchanged }
    guard !isLinked else { throw StepMisfit(reference, "the field already has a value") }
    let made = try new.record(
      reference ?? new.recordType, places.map(record.field(at:)), of: record, runner)
    if !keepsFields { for name in fields { record.remove(name) } }
    if let reference { record.set(reference, to: .reference(Reference(recordID: made.recordID))) }
    return .split([made], isExact: true)
  }

  func prepareForOthers(_: MigrationStep.Selection) -> PreparedStep.Body {
    { [hasInverse = keepsFields || reference != nil] _, _ in
      hasInverse ? .ambiguous : .unchanged
    }
  }

  func inverse(_ reversal: StepReversal) throws -> [MigrationStep] {
    var steps: [MigrationStep] = []
    if !keepsFields {
      guard let reference else {
        throw NoInverse("without 'reference' or 'keep-fields', the values cannot be found again")
      }
      steps = fields.map {
        reversal.undoing(.lookUp($0, through: reference, of: new.recordType, from: $0))
      }
    }
    if let reference { steps.append(reversal.undoing(.dropField(reference))) }
    return steps + (try new.removal(reversal))
  }
}
