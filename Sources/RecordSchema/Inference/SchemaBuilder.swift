import RecordModel

/// A schema that is extended by the types and fields of records.
struct SchemaBuilder {
  /// The rule for the type of a new field with values of several kinds.
  enum Choice {
    /// The first kind that was saved, as on the development server.
    case first
    /// The kind that most records have, with a comment. Integers and doubles together become
    /// NUMBER.
    case mostFrequent
  }

  private(set) var schema: CloudSchema
  private(set) var notes: [InferenceNote] = []
  private let indexes: SchemaInference.Indexes
  private let choice: Choice
  private var positions: [ExactString: Int] = [:]

  init(_ schema: CloudSchema, _ indexes: SchemaInference.Indexes, choice: Choice) {
    self.schema = schema
    self.indexes = indexes
    self.choice = choice
    for (position, type) in schema.recordTypes.enumerated()
    where positions[ExactString(type.name)] == nil {
      positions[ExactString(type.name)] = position
    }
  }

  /// Adds a record type and those of its fields that are new.
  mutating func add(_ count: RecordCensus.TypeCount) {
    guard Self.isWritable(count.recordType) else {
      return note(
        .type(count.recordType), "the schema language cannot express the record type's name")
    }
    if !Self.isAccepted(count.recordType) {
      note(.type(count.recordType), "CloudKit accepts no record type of this name")
    }
    let position = self.position(of: count.recordType)
    var type = schema.recordTypes[position]
    let known = Set(type.fields.map { ExactString($0.name) })
    for (name, kinds) in count.fieldsByName where !known.contains(ExactString(name)) {
      guard Self.isWritable(name) else {
        note(.field(name, of: type.name), "the schema language cannot express the field's name")
        continue
      }
      if !Self.isAccepted(name) {
        note(.field(name, of: type.name), "CloudKit accepts no field of this name")
      }
      add(name, kinds, to: &type)
    }
    schema.recordTypes[position] = type
  }

  private mutating func position(of name: String) -> Int {
    if let position = positions[ExactString(name)] { return position }
    let position = schema.recordTypes.count
    positions[ExactString(name)] = position
    schema.recordTypes.append(.justInTime(named: name))
    return position
  }

  private mutating func add(
    _ name: String, _ kinds: [RecordCensus.FieldCount], to type: inout CloudSchema.RecordType
  ) {
    let inferred = InferredFieldType(kinds, choice)
    let subject = SchemaSubject.field(name, of: type.name)
    guard let fieldType = inferred.type else {
      for note in inferred.notes {
        self.note(subject, note)
        type.comments.closing.append(CloudSchema.Comment("\(name): \(note)".printable))
      }
      return
    }
    var field = CloudSchema.Field(name, fieldType, indexes.options(for: fieldType))
    for note in inferred.notes {
      self.note(subject, note)
      field.comments.leading.append(CloudSchema.Comment(note.printable))
    }
    type.fields.append(field)
  }

  private mutating func note(_ subject: SchemaSubject, _ text: String) {
    notes.append(InferenceNote(subject: subject, text: text))
  }

  private static func isAccepted(_ name: String) -> Bool {
    SchemaNames.isPlain(name) || SchemaNames.isManaged(name)
  }

  /// Whether the schema language can express the name, in quotation marks if necessary.
  private static func isWritable(_ name: String) -> Bool {
    1...SchemaNames.maxParsedLength ~= name.utf8.count
      && !name.unicodeScalars.contains { $0 == "\"" || $0.properties.generalCategory == .control }
  }
}

/// The type of a new field, and notes about what is uncertain.
private struct InferredFieldType {
  private(set) var type: CloudSchema.FieldType?
  private(set) var notes: [String] = []

  init(_ kinds: [RecordCensus.FieldCount], _ choice: SchemaBuilder.Choice) {
    let typed = kinds.filter { $0.kind.fieldType != nil }
    for field in kinds where field.kind.fieldType == nil && !field.kind.isEmptyList {
      notes.append(
        "\(Self.have(field)) \(field.kind), a type that the schema language does not have")
    }
    let empty = kinds.first(where: \.kind.isEmptyList)
    let shapes = Set(typed.compactMap(\.kind.fieldType))
    if shapes.isEmpty {
      if let empty {
        notes.append(
          "only empty lists in \(empty.count.sample.phrase): the element type is unknown, so the "
            + "field is omitted")
      }
      return
    }
    if shapes.count == 1 {
      type = shapes.first
    } else if choice == .mostFrequent, let number = Self.number(shapes) {
      type = number
      notes.append("integers and doubles, so \(number): \(Self.list(typed))")
    } else {
      type = Self.chosen(typed, choice)?.kind.fieldType
      notes.append(
        "mixed types, and \(choice == .first ? "the first" : "the most frequent one") was chosen: "
          + Self.list(typed))
    }
    if typed.contains(where: \.kind.isUnsupportedEncryption) {
      notes.append("encrypted in records, but this type cannot be encrypted")
    }
    if type?.isList == false, let empty { notes.append("\(Self.have(empty)) an empty list") }
  }

  private static func have(_ field: RecordCensus.FieldCount) -> String {
    field.count.sample.phrase + (field.count.records == 1 ? " has" : " have")
  }

  /// Returns NUMBER if the values are both integers and doubles.
  private static func number(_ shapes: Set<CloudSchema.FieldType>) -> CloudSchema.FieldType? {
    if shapes == [.int64, .double] { return .number }
    if shapes == [.list(of: .int64), .list(of: .double)] { return .list(of: .number) }
    return nil
  }

  private static func chosen(
    _ kinds: [RecordCensus.FieldCount], _ choice: SchemaBuilder.Choice
  ) -> RecordCensus.FieldCount? {
    switch choice {
    case .first: kinds.min { $0.count.first < $1.count.first }
    case .mostFrequent:
      kinds.max {
        ($0.count.records, -$0.count.first) < ($1.count.records, -$1.count.first)
      }
    }
  }

  private static func list(_ kinds: [RecordCensus.FieldCount]) -> String {
    kinds.map { "\($0.kind) in \($0.count.sample.phrase)" }.joined(separator: "; ")
  }
}
