import RecordModel
import RecordSchema

extension MigrationAction {
  /// The fields that must exist.
  var readFields: [String] {
    switch self {
    case .renameField(let name, _), .dropField(let name), .convert(let name, _),
      .split(let name, _, _), .mapValues(let name, _), .encrypt(let name), .decrypt(let name),
      .setParent(let name, _):
      [name]
    case .join(let names, _, _): names
    case .addField(_, .field(let other), _, _): [other]
    default: []
    }
  }

  /// The fields that the step creates.
  var writtenFields: [String] {
    switch self {
    case .renameField(_, let name), .join(_, let name, _), .setReference(let name, _, _): [name]
    case .split(_, let names, _): names
    case .mergeTypes(_, let discriminator): discriminator.map { [$0] } ?? []
    default: []
    }
  }

  /// The key in a plan that names the fields that must exist.
  var memberOfReadFields: String {
    switch self {
    case .join: "fields"
    case .addField: "from"
    default: "field"
    }
  }

  /// The key in a plan that names the fields that the step creates.
  var memberOfWrittenFields: String {
    switch self {
    case .renameField: "to"
    case .split, .join: "into"
    case .mergeTypes: "discriminator"
    default: "field"
    }
  }

  /// The expression that the step evaluates, if any.
  var expression: RecordExpression? {
    switch self {
    case .addField(_, .expression(let expression), _, _), .renameRecords(let expression, _):
      expression
    default: nil
    }
  }

  /// Applies the step's change to the fields of a record type.
  func change(_ fields: inout SchemaWalk.Fields) {
    switch self {
    case .renameField(let name, let newName):
      fields[newName, default: []].formUnion(fields.removeValue(forKey: name) ?? [])
    case .addField(let name, let source, let type, let isEncrypted):
      let kinds = source.types(type, isEncrypted, fields)
      if fields[name] == nil || !kinds.isEmpty { fields[name, default: []].formUnion(kinds) }
    case .dropField(let name): fields[name] = nil
    case .convert(let name, let conversion):
      guard let kinds = fields[name], let type = conversion.type,
        let target = Schema.FieldType(type)
      else { return }
      fields[name] = Set(
        kinds.map {
          Schema.FieldType(target.primitive, isList: target.isList, isEncrypted: $0.isEncrypted)
        })
    case .split(let name, let names, _):
      let isEncrypted = fields.removeValue(forKey: name)?.contains(where: \.isEncrypted) == true
      for target in names {
        fields[target] = [Schema.FieldType(.string, isEncrypted: isEncrypted)]
      }
    case .join(let names, let name, _):
      let kinds = names.compactMap { fields.removeValue(forKey: $0) }.flatMap { $0 }
      fields[name] = [Schema.FieldType(.string, isEncrypted: kinds.contains(where: \.isEncrypted))]
    case .mapValues(let name, let map):
      let kinds = Set(map.values.values.compactMap { $0.type.flatMap { Schema.FieldType($0) } })
      guard let known = fields[name], kinds.count == 1, let kind = kinds.first,
        map.otherwise != .keep
      else { return }
      fields[name] = Set(
        known.map {
          Schema.FieldType(kind.primitive, isList: $0.isList, isEncrypted: $0.isEncrypted)
        })
    case .encrypt(let name), .decrypt(let name):
      let isEncrypted = self.name == "encrypt"
      fields[name] = fields[name].map { kinds in
        Set(
          kinds.map {
            Schema.FieldType($0.primitive, isList: $0.isList, isEncrypted: isEncrypted)
          })
      }
    case .setParent(let name, let keepsField): if !keepsField { fields[name] = nil }
    case .setReference(let name, _, _): fields[name] = [.reference]
    default: break
    }
  }
}

extension MigrationAction.FieldSource {
  /// Returns the possible types of a new field.
  fileprivate func types(
    _ type: ValueType?, _ isEncrypted: Bool, _ fields: SchemaWalk.Fields
  ) -> Set<Schema.FieldType> {
    func encrypted(_ kind: Schema.FieldType) -> Schema.FieldType {
      Schema.FieldType(kind.primitive, isList: kind.isList, isEncrypted: isEncrypted)
    }
    if let type { return Schema.FieldType(type).map { [encrypted($0)] } ?? [] }
    switch self {
    case .constant(let value):
      return value.type.flatMap { Schema.FieldType($0) }.map { [encrypted($0)] } ?? []
    case .field(let other): return Set((fields[other] ?? []).map(encrypted))
    case .expression: return []
    }
  }
}

extension Schema.FieldType {
  /// Creates the schema type of a value type, or `nil` for an empty list.
  init?(_ type: ValueType) {
    guard let primitive = (type.elementType ?? type).primitive else { return nil }
    self.init(primitive, isList: type.isList)
  }
}

extension Migration {
  /// Checks the steps against the known schemas, and completes them with information from the
  /// schemas.
  ///
  /// - Parameters:
  ///   - fromPlace: The location of errors in steps that have no location of their own.
  ///   - toPlace: The location of errors about the target schema.
  /// - Throws: ``PlanError``.
  public mutating func checkAgainstSchemas(
    fromPlace: PlanPlace? = nil, toPlace: PlanPlace? = nil
  ) throws {
    guard let fromSchema else { return }
    let place = PlanPlace(file: described, line: 1, column: 1)
    var walk = SchemaWalk(fromSchema, fromPlace ?? place)
    for index in steps.indices {
      do {
        try walk.take(&steps[index])
      } catch let error as PlanError where steps[index].place == nil {
        throw PlanError(
          error.place, "step \(index + 1), \(steps[index].title): \(error.message)",
          about: error.subject)
      }
    }
    if let toSchema { try walk.checkEnd(toSchema, version: to, toPlace ?? place) }
  }

  /// The migration as shown in messages.
  private var described: String { "the migration from '\(from)' to '\(to)'" }

  /// Returns the migration after checking it and completing its steps with information from the
  /// schemas.
  ///
  /// - Throws: ``MigrationError/invalid(_:)``.
  func checked() throws -> Migration {
    for (version, member) in [(from, "from"), (to, "to")] where !version.isVersion {
      throw MigrationError.invalid(
        "\(described): '\(member)' is no name of a version: 1 to 255 bytes, without control "
          + "characters")
    }
    guard from != to else {
      throw MigrationError.invalid("\(described): both are the same version")
    }
    for step in steps { try step.check() }
    // A reversed migration passes through states that no schema describes.
    guard !steps.contains(where: \.undecidedIsFalse) else { return self }
    var checked = self
    do {
      try checked.checkAgainstSchemas()
    } catch let error as PlanError {
      let hasPlace = error.place.file != described
      throw MigrationError.invalid(
        hasPlace ? error.description : "\(described): \(error.message)")
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
