import RecordModel
import RecordSchema

/// What refers to what in a schema, and the numbers of records.
package struct SchemaReferences: Sendable, Hashable {
  /// The references, sorted.
  package private(set) var all: [SchemaReference]
  /// The number of records of each type; nil if no records were counted.
  package private(set) var counts: [ExactString: Int]?

  package init(_ all: [SchemaReference] = [], counts: [ExactString: Int]? = nil) {
    self.all = all.sorted()
    self.counts = counts
  }

  /// The references of a schema: those of records, and by name those of fields for which there are
  /// none.
  ///
  /// - Parameter records: The references of records, counted by ``init(scanning:_:progress:)``.
  package init(of schema: CloudSchema, records: SchemaReferences? = nil) {
    struct Field: Hashable {
      var recordType: ExactString
      var name: ExactString
    }
    var counted: Set<Field> = []
    for case let reference in records?.all ?? [] {
      if case .field(let name) = reference.place {
        counted.insert(Field(recordType: reference.recordType, name: name))
      }
    }
    let names = ReferenceNames(schema)
    var all = records?.all ?? []
    for type in schema.recordTypes {
      var seen: Set<ExactString> = []
      for field in type.userFields where seen.insert(ExactString(field.name)).inserted {
        let key = Field(recordType: ExactString(type.name), name: ExactString(field.name))
        guard !counted.contains(key), let target = names.target(of: field, in: type.name) else {
          continue
        }
        all.append(
          SchemaReference(from: type.name, .field(ExactString(field.name)), to: target, .name))
      }
    }
    self.init(all, counts: records?.counts)
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
