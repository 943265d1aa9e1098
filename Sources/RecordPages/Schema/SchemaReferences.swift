import RecordArchive
import RecordModel
import RecordSchema

/// The references between the record types of a schema, and the numbers of records.
package struct SchemaReferences: Sendable, Hashable {
  /// The references, sorted.
  package private(set) var all: [SchemaReference]
  /// The number of records of each type; nil if no records were counted.
  package private(set) var counts: [ExactString: Int]?

  package init(_ all: [SchemaReference] = [], counts: [ExactString: Int]? = nil) {
    self.all = all.sorted()
    self.counts = counts
  }

  /// The references of a schema: those of a model and of records, and by name those of other fields.
  ///
  /// - Parameters:
  ///   - records: The references of records, counted by ``init(scanning:_:progress:)``.
  ///   - model: The model that the schema was derived from, whose relationships are drawn.
  package init(
    of schema: CloudSchema, records: SchemaReferences? = nil, model: MirroredModel? = nil
  ) {
    var known = Dictionary(grouping: records?.all ?? [], by: \.end)
    if let model, model.kind != .sqliteData {
      // The value of an attribute may also be the name of a record.
      for entity in model.entities {
        for attribute in entity.attributes {
          let field = ExactString(CoreDataNames.field(of: attribute.name))
          let type = ExactString(model.recordType(of: entity.name))
          known[.init(recordType: type, place: .field(field))] = nil
        }
      }
    }
    var drawn: Set<SchemaReference.End> = []
    let relationships = model.map(Self.relationships)?.sorted() ?? []
    for var reference in relationships where !drawn.contains(reference.end) {
      // Records have both sides of a pair, and links begin at either.
      let ends = [reference.end, reference.otherEnd].compactMap(\.self)
      drawn.formUnion(ends)
      let counted = ends.flatMap { known.removeValue(forKey: $0) ?? [] }
      let types = Set([reference.recordType, reference.target])
      let own = counted.first { Set([$0.recordType, $0.target]) == types }
      reference.basis = own?.basis ?? .model
      known[reference.end] = [reference]
    }
    var all = known.values.flatMap(\.self)
    drawn.formUnion(known.keys)
    let joined = Set(all.map { Set([$0.recordType, $0.target]) })
    let names = ReferenceNames(schema)
    for type in schema.recordTypes {
      var seen: Set<ExactString> = []
      for field in type.userFields where seen.insert(ExactString(field.name)).inserted {
        guard let target = names.target(of: field, in: type.name) else { continue }
        let guess = SchemaReference(
          from: type.name, .field(ExactString(field.name)), to: target, .name)
        // A text that looks like an identifier repeats a reference that is known.
        let isRepeated =
          field.type.primitive != .reference && joined.contains([guess.recordType, guess.target])
        if !isRepeated, !drawn.contains(guess.end) { all.append(guess) }
      }
    }
    self.init(all, counts: records?.counts)
  }

  /// The relationships of a model. Of one with an inverse, the side that has the field; both sides if
  /// both have one, or none has.
  private static func relationships(of model: MirroredModel) -> [SchemaReference] {
    let entities = Dictionary(model.entities.map { ($0.name, $0) }) { first, _ in first }
    func place(_ name: String) -> ExactString {
      ExactString(model.kind == .sqliteData ? name : CoreDataNames.field(of: name))
    }
    var found: [SchemaReference] = []
    for entity in model.entities {
      for relationship in entity.relationships {
        // The inverse may be inherited.
        let inverse = entities[relationship.destination].flatMap { destination in
          model.ancestry(of: destination).flatMap(\.relationships)
            .first { $0.name == relationship.inverse }
        }
        let isMutual = inverse?.isToMany == relationship.isToMany
        // The other side has the field.
        if relationship.isToMany, inverse != nil, !isMutual { continue }
        found.append(
          SchemaReference(
            from: model.recordType(of: entity.name), .field(place(relationship.name)),
            to: model.recordType(of: relationship.destination), .model,
            inverse: isMutual ? inverse.map { place($0.name) } : nil))
      }
    }
    return found
  }

  /// The types that are at most a number of references away from some types, in either direction,
  /// including these.
  package func types(around types: Set<ExactString>, within steps: Int) -> Set<ExactString> {
    var neighbours: [ExactString: [ExactString]] = [:]
    for reference in all {
      neighbours[reference.recordType, default: []].append(reference.target)
      neighbours[reference.target, default: []].append(reference.recordType)
    }
    var (found, border) = (types, types)
    for _ in 0..<max(0, steps) where !border.isEmpty {
      border = Set(border.flatMap { neighbours[$0] ?? [] }).subtracting(found)
      found.formUnion(border)
    }
    return found
  }
}

/// A reference from records of one type to records of another.
///
/// CloudKit's schema language says `REFERENCE` without a type, so what a field refers to is counted
/// in records, or guessed by its name.
package struct SchemaReference: Sendable, Hashable {
  /// Where the reference is.
  package enum Place: Sendable, Hashable {
    /// A field of this name.
    case field(ExactString)
    /// The parent, which a record is shared with.
    case parent
    /// The share.
    case share
  }

  /// How the reference is known.
  package enum Basis: Sendable, Hashable {
    /// This number of records have it.
    case records(Int)
    /// A relationship of a model has it.
    case model
    /// The field is called like the type.
    case name
  }

  /// The type that refers.
  package var recordType: ExactString
  /// Where.
  package var place: Place
  /// The type that is referred to.
  package var target: ExactString
  /// How that is known.
  package var basis: Basis
  /// The relationship of the target that leads back, if both lead to one object, or both to many.
  package var inverse: ExactString?

  /// A type, and where it refers from.
  struct End: Hashable {
    var recordType: ExactString
    var place: Place
  }

  var end: End { End(recordType: recordType, place: place) }
  /// The end of the inverse.
  var otherEnd: End? { inverse.map { End(recordType: target, place: .field($0)) } }

  package init(
    from recordType: String, _ place: Place, to target: String, _ basis: Basis,
    inverse: ExactString? = nil
  ) {
    self.recordType = ExactString(recordType)
    self.place = place
    self.target = ExactString(target)
    (self.basis, self.inverse) = (basis, inverse)
  }

  var isGuess: Bool { basis == .name }

  /// The name of the place in a diagram.
  var placeName: String {
    switch place {
    case .field(let name): name.string
    case .parent: "parent"
    case .share: "share"
    }
  }

  /// The order of references: type, place, target.
  private var key: (ExactString, Int, ExactString, ExactString) {
    switch place {
    case .field(let name): (recordType, 0, name, target)
    case .parent: (recordType, 1, "", target)
    case .share: (recordType, 2, "", target)
    }
  }
}

extension SchemaReference: Comparable {
  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.key < rhs.key }
}

extension SchemaReferences {
  /// Counts the references of records, and the records.
  ///
  /// Reads the records twice: for their types, and for what they refer to. A record takes 16 bytes.
  /// References to records that are not there are left out, because nothing says what type they
  /// have.
  ///
  /// - Parameters:
  ///   - filter: The records to count.
  ///   - progress: Called for each record and each reading of it; an error it throws ends the scan.
  package init(
    scanning source: ArchiveSource, _ filter: RecordFilter = .all,
    progress: () throws -> Void = {}
  ) throws {
    var scan = ReferenceScan()
    try source.forEachRecordID(filter) { recordID, recordType, database in
      try progress()
      scan.add(recordID, recordType, database)
    }
    try source.forEachRecord(filter) { record, database in
      try progress()
      scan.count(record, database)
    }
    self = scan.references
  }
}

/// The types of records, and the types that they refer to.
private struct ReferenceScan {
  private struct Key: Hashable {
    var recordType: Int
    var place: SchemaReference.Place
    var target: Int
  }

  /// The number of each record's type, by the hash of its identity. Two records with the same hash
  /// are as good as impossible, and would only draw a line too many.
  private var types: [Int: Int32] = [:]
  private var numbers: [ExactString: Int] = [:]
  private var names: [ExactString] = []
  private var counts: [Int] = []
  private var found: [Key: Int] = [:]

  private func hash(_ recordID: RecordID, _ database: DatabaseScope) -> Int {
    var hasher = Hasher()
    hasher.combine(recordID)
    hasher.combine(database)
    return hasher.finalize()
  }

  private mutating func number(_ recordType: String) -> Int {
    let key = ExactString(recordType)
    if let known = numbers[key] { return known }
    numbers[key] = names.count
    names.append(key)
    counts.append(0)
    return names.count - 1
  }

  mutating func add(_ recordID: RecordID, _ recordType: String, _ database: DatabaseScope) {
    let number = number(recordType)
    counts[number] += 1
    types[hash(recordID, database)] = Int32(clamping: number)
  }

  mutating func count(_ record: ResultRecord, _ database: DatabaseScope) {
    let type = number(record.recordType)
    var seen: Set<Key> = []
    func count(_ reference: Reference, _ place: SchemaReference.Place) {
      guard let target = types[hash(reference.recordID, database)] else { return }
      seen.insert(Key(recordType: type, place: place, target: Int(target)))
    }
    if let parent = record.systemFields.parent { count(parent, .parent) }
    if let share = record.systemFields.share { count(share, .share) }
    for (field, reference) in record.references {
      count(reference, .field(ExactString(field.string)))
    }
    if CoreDataNames.isMirrored(record.recordType) {
      countRelationships(of: record, database, &seen)
    }
    for key in seen { found[key, default: 0] += 1 }
  }

  /// Counts the relationships of Core Data, which are names of records: of an object in its fields, and
  /// many-to-many in a record each.
  private mutating func countRelationships(
    of record: ResultRecord, _ database: DatabaseScope, _ seen: inout Set<Key>
  ) {
    if let link = record.mirroredLink {
      let ends = link.sides.map { types[hash($0.recordID, database)].map { Int($0) } }
      guard let source = ends[0], let target = ends[1] else { return }
      let field = CoreDataNames.field(of: link.sides[0].relationship)
      seen.insert(Key(recordType: source, place: .field(ExactString(field)), target: target))
      return
    }
    let type = number(record.recordType)
    for (field, name) in record.possibleTargets {
      let id = RecordID(recordName: name.string, zoneID: record.recordID.zoneID)
      guard let target = types[hash(id, database)].map({ Int($0) }),
        names[target].string.hasPrefix(CoreDataNames.prefix)
      else { continue }
      seen.insert(
        Key(recordType: type, place: .field(ExactString(field.string)), target: target))
    }
  }

  var references: SchemaReferences {
    SchemaReferences(
      found.map { key, count in
        SchemaReference(
          from: names[key.recordType].string, key.place, to: names[key.target].string,
          .records(count))
      }, counts: Dictionary(uniqueKeysWithValues: zip(names, counts)))
  }
}
