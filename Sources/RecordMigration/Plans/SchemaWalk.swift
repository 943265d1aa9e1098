import RecordModel
import RecordSchema

extension Migration {
  /// Checks the steps against the known schemas, and completes them with information from the
  /// schemas.
  ///
  /// - Parameters:
  ///   - fromLocation: The location of errors in steps that have no location of their own.
  ///   - toLocation: The location of errors about the target schema.
  /// - Throws: ``MigrationError``.
  package mutating func checkAgainstSchemas(
    fromLocation: PlanLocation? = nil, toLocation: PlanLocation? = nil
  ) throws {
    guard let fromSchema else { return }
    var walk = SchemaWalk(fromSchema, fromLocation)
    for index in steps.indices {
      do {
        try walk.take(&steps[index])
      } catch let error as MigrationError where steps[index].location == nil {
        throw MigrationError(
          error.location, "step \(index + 1), \(steps[index].title): \(error.message)",
          about: error.subject)
      }
    }
    if let toSchema { try walk.checkEnd(toSchema, version: to, toLocation) }
  }

  /// The migration as shown in messages.
  private var described: String { "the migration from '\(from)' to '\(to)'" }

  /// Returns the migration after checking it and completing its steps with information from the
  /// schemas.
  ///
  /// - Throws: ``MigrationError`` with the code `invalid`.
  func checked() throws -> Migration {
    for (version, member) in [(from, "from"), (to, "to")] where !version.isVersion {
      throw MigrationError(
        .invalid,
        "\(described): '\(member)' is not a valid version name: 1 to 255 bytes, without control "
          + "characters")
    }
    guard from != to else {
      throw MigrationError(.invalid, "\(described): both are the same version")
    }
    for step in steps { try step.check() }
    // A reversed migration passes through states that no schema describes.
    guard !steps.contains(where: \.treatsFailedConditionAsFalse) else { return self }
    var checked = self
    do {
      try checked.checkAgainstSchemas()
    } catch let error as MigrationError {
      let place = error.location == nil ? "\(described): " : ""
      throw MigrationError(.invalid, place + error.description)
    }
    return checked
  }
}

extension String {
  fileprivate var isVersion: Bool {
    (1...255).contains(utf8.count)
      && unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }
}

/// Applies the steps of a migration to a schema, and checks that each step is possible and that the
/// result matches the target schema.
struct SchemaWalk {
  /// The possible types of each field at some point. Empty if unknown.
  typealias Fields = [String: Set<CloudSchema.FieldType>]

  private(set) var types: [String: Fields] = [:]
  /// The types at the beginning.
  private let start: [String: Fields]
  /// Whether the schema is still known. A step in Swift can make any change.
  private(set) var isKnown = true
  /// The location of errors in steps that have no location of their own.
  let fallback: PlanLocation?
  private var traces = PlanTraces()

  init(_ schema: CloudSchema, _ fallback: PlanLocation?) {
    self.fallback = fallback
    var start: [String: Fields] = [:]
    for type in schema.recordTypes + [.builtInUsers] where start[type.name] == nil {
      start[type.name] = Dictionary(
        type.userFields.map { ($0.name, [$0.type]) }, uniquingKeysWith: { first, _ in first })
    }
    (self.start, types) = (start, start)
  }

  func error(_ step: MigrationStep, _ member: String, _ message: String) -> MigrationError {
    MigrationError(step.location(of: member) ?? fallback, message)
  }

  /// Checks a step and applies it, and completes it with information from the schema.
  mutating func take(_ step: inout MigrationStep) throws {
    if step.action.effects.isOpaque {
      isKnown = false
      return
    }
    guard isKnown else { return }
    for type in step.selection.recordTypes?.sorted() ?? [] where types[type] == nil {
      guard type != "cloudkit.share" else { continue }
      throw error(
        step, "type",
        "at this step there is no record type '\(type)'"
          + (traces.fate(ofType: type) ?? NearNames.hint(type, among: types.keys)))
    }
    let selected = step.selection.recordTypes?.sorted() ?? types.keys.sorted()
    if let condition = step.condition { try check(condition, "where", step, selected) }
    if let (member, expression) = step.action.effects.expression {
      try check(expression, member, step, selected)
    }
    try checkFields(step, selected)
    let known = KnownFields(selected.compactMap { types[$0] })
    let check = StepCheck(step: step, fields: known, fallback: fallback)
    if let condition = step.condition {
      try check.expression(condition, "where", "a condition", .truth)
    }
    try step.action.kind.check(check)
    if let source = step.action.effects.lookUp { try self.check(source, step) }
    step.action = step.action.completed(with: known)
    for type in selected { change(type, step) }
    traces.take(step, selected.filter { step.selection.recordTypes != nil || types[$0] != nil })
  }

  private func check(
    _ expression: RecordExpression, _ member: String, _ step: MigrationStep, _ selected: [String]
  ) throws {
    let known = Set(selected.flatMap { types[$0].map { Array($0.keys) } ?? [] })
    for name in expression.fieldNames.sorted() where !known.contains(name) {
      let fates = selected.compactMap { traces.fate(ofField: name, of: $0) }
      throw MigrationError(
        step.locations["\(member).\(name)"] ?? step.location(of: member) ?? fallback,
        "the expression reads '\(name)', but at this step there is no such field in "
          + selected.map { "'\($0)'" }.joined(separator: ", ")
          + (fates.first
            ?? NearNames.hint(
              name, among: known.union(ExpressionNode.SystemName.allCases.map(\.rawValue)))))
    }
  }

  /// Checks that the field of a look-up exists at the beginning.
  private func check(_ source: LookUpSource, _ step: MigrationStep) throws {
    guard let fields = start[source.recordType] else {
      throw error(
        step, "of",
        "when the plan begins, there is no record type '\(source.recordType)'"
          + NearNames.hint(source.recordType, among: start.keys))
    }
    guard fields[source.field] == nil else { return }
    throw error(
      step, "from",
      "when the plan begins, '\(source.recordType)' has no field '\(source.field)'"
        + NearNames.hint(source.field, among: fields.keys))
  }

  private func checkFields(_ step: MigrationStep, _ selected: [String]) throws {
    let effects = step.action.effects
    let (reads, creates) = (effects.reads, effects.creates)
    for type in selected {
      guard let fields = types[type] else { continue }
      if step.selection.recordTypes != nil,
        let name = reads.names.first(where: { fields[$0] == nil })
      {
        throw error(
          step, reads.members[0],
          "at this step '\(type)' has no field '\(name)'"
            + (traces.fate(ofField: name, of: type) ?? NearNames.hint(name, among: fields.keys)))
      }
      if effects.fillsUp || step.condition != nil { continue }
      for name in creates.names where fields[name] != nil && !reads.names.contains(name) {
        throw error(step, creates.members[0], "'\(type)' already has a field '\(name)'")
      }
    }
  }

  private mutating func change(_ type: String, _ step: MigrationStep) {
    guard var fields = types[type] else { return }
    let before = fields
    if case .keep(let overflow) = step.misfit, let subject = step.action.subject {
      fields[overflow, default: []].formUnion(before[subject] ?? [])
    }
    step.action.kind.change(&fields)
    let effects = step.action.effects
    if let source = effects.lookUp, let subject = effects.subject {
      fields[subject, default: []].formUnion(start[source.recordType]?[source.field] ?? [])
    }
    if let made = effects.makes?.type.name {
      types[made, default: [:]].merge(step.action.kind.made(of: before)) { $0.union($1) }
    }
    if let name = step.action.effects.newType?.name {
      if !step.isPartial { types[type] = nil }
      types[name, default: [:]].merge(fields) { $0.union($1) }
      return
    }
    if step.action.effects.deletesType {
      if !step.isPartial { types[type] = nil }
      return
    }
    if step.isPartial {
      for (name, kinds) in before { fields[name, default: []].formUnion(kinds) }
    }
    types[type] = fields
  }

  /// Returns the step that gives a field its type in the target schema, as a phrase that begins
  /// with `;`. Empty if none does.
  private static func remedy(
    _ kinds: Set<CloudSchema.FieldType>, _ target: CloudSchema.FieldType
  ) -> String {
    if kinds.contains(where: { target.shape.accepts($0.shape) }) {
      return "; add the step '\(target.isEncrypted ? "encrypt" : "decrypt")'"
    }
    guard let type = ValueType(target),
      kinds.contains(where: { ValueType($0)?.canBecome(type) == true })
    else { return "" }
    return "; add the step 'convert' with 'to: \(target.shape)'"
  }

  /// Throws if the result does not match the target schema.
  func checkEnd(_ schema: CloudSchema, version: String, _ location: PlanLocation?) throws {
    guard isKnown else { return }
    var wanted: [String: [String: CloudSchema.FieldType]] = [:]
    for type in schema.recordTypes + [.builtInUsers] where wanted[type.name] == nil {
      wanted[type.name] = Dictionary(
        type.fields.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    }
    for (type, fields) in types.sorted(by: { $0.key < $1.key }) {
      guard let known = wanted[type] else {
        if type.hasPrefix(SchemaNames.managedPrefix) { continue }
        throw MigrationError(
          traces.origin(ofType: type) ?? location,
          "the schema of version '\(version)' has no record type '\(type)', and no step "
            + "renames, merges or deletes it" + NearNames.hint(type, among: wanted.keys),
          about: type)
      }
      for (name, kinds) in fields.sorted(by: { $0.key < $1.key }) {
        guard let target = known[name] else {
          throw MigrationError(
            traces.origin(ofField: name, of: type) ?? location,
            "the schema of version '\(version)' has no field '\(name)' of '\(type)', and no "
              + "step renames or drops it" + NearNames.hint(name, among: known.keys),
            about: "\(type).\(name)")
        }
        guard
          kinds.isEmpty
            || kinds.contains(where: {
              target == $0 || target.accepts($0) && target.isEncrypted == $0.isEncrypted
            })
        else {
          let found = kinds.map(\.description).sorted().joined(separator: " or ")
          throw MigrationError(
            traces.origin(ofField: name, of: type) ?? location,
            "field '\(name)' of '\(type)' is \(found) in the result, but the schema of version "
              + "'\(version)' has it as \(target)" + Self.remedy(kinds, target),
            about: "\(type).\(name)")
        }
      }
    }
  }
}

/// Records which steps created, changed and removed elements, so that an error can point to the
/// step that caused it.
struct PlanTraces {
  /// The step that last set a field's name or type.
  private var origins: [String: [String: PlanLocation]] = [:]
  /// The step that last set a type's name.
  private var typeOrigins: [String: PlanLocation] = [:]
  /// The reasons why fields no longer exist, as phrases.
  private var gone: [String: [String: String]] = [:]
  private var goneTypes: [String: String] = [:]

  /// Returns the location of the last step that changed a field, or `nil` if there is none.
  func origin(ofField name: String, of type: String) -> PlanLocation? { origins[type]?[name] }

  /// Returns the location of the step that named a type, or `nil` if there is none.
  func origin(ofType type: String) -> PlanLocation? { typeOrigins[type] }

  /// Returns a phrase such as `; line 5 renames it to 'body'`, or `nil`.
  func fate(ofField name: String, of type: String) -> String? { gone[type]?[name] }
  func fate(ofType type: String) -> String? { goneTypes[type] }

  mutating func take(_ step: MigrationStep, _ types: [String]) {
    let line = step.location.map { "line \($0.line)" } ?? "an earlier step"
    let effects = step.action.effects
    for type in types { take(step, effects, type, line) }
    if let name = effects.newType?.name {
      for type in types where type != name {
        goneTypes[type] = "; \(line) renames it to '\(name)'"
        origins[name, default: [:]].merge(origins[type] ?? [:]) { _, new in new }
        gone[name, default: [:]].merge(gone[type] ?? [:]) { _, new in new }
      }
      typeOrigins[name] = step.location(of: effects.newType?.member ?? "")
    } else if let made = effects.makes {
      if typeOrigins[made.type.name] == nil {
        typeOrigins[made.type.name] = step.location(of: made.type.member)
      }
      for field in made.fields {
        origins[made.type.name, default: [:]][field.name] = step.location(of: field.member)
      }
    } else if effects.deletesType {
      for type in types { goneTypes[type] = "; \(line) deletes it" }
    }
  }

  private mutating func take(
    _ step: MigrationStep, _ effects: StepEffects, _ type: String, _ line: String
  ) {
    for (name, fate) in effects.removes { gone[type, default: [:]][name] = "; \(line) \(fate)" }
    var fields = [effects.creates, effects.types]
    if case .keep(let overflow) = step.misfit { fields.append(.init([overflow], "misfit.keep-in")) }
    for fields in fields {
      for name in fields.names { origins[type, default: [:]][name] = fields.location(in: step) }
    }
  }
}
