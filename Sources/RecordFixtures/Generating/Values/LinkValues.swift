import RecordMigration
import RecordModel
import RecordSchema

/// The fields of Core Data's links: each record of the type `CDMR` links two records in its zone by a
/// many-to-many relationship. The three fields of a record are about the same link.
struct LinkValues: GeneratedValues {
  /// One side of a relationship.
  struct Side: Sendable, Hashable {
    /// The record type of the objects: `CD_Note`.
    var type: String
    /// Their relationship to the objects of the other side: `tags`.
    var relationship: String

    fileprivate var text: String { "\(type).\(relationship)" }
    fileprivate var entity: String { CoreDataNames.modelName(type) }

    init(type: String, relationship: String) {
      (self.type, self.relationship) = (type, relationship)
    }

    fileprivate init?(_ text: some StringProtocol) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else { return nil }
      self.init(type: String(parts[0]), relationship: String(parts[1]))
    }
  }

  /// A relationship and its inverse, in the order of a link: that of the entities' names, whatever
  /// their case, then of the relationships'. Source: OpenCloudData, a reconstruction of the mirroring.
  struct Pair: Sendable, Hashable, Comparable {
    let first: Side
    let second: Side

    init(_ a: Side, _ b: Side) {
      (first, second) = Self.key(b).lexicographicallyPrecedes(Self.key(a)) ? (b, a) : (a, b)
    }

    fileprivate init?(_ text: String) {
      let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        .map { $0.filter { $0 != " " } }
      guard parts.count == 2, let a = Side(parts[0]), let b = Side(parts[1]) else { return nil }
      self.init(a, b)
    }

    private static func key(_ side: Side) -> [ExactString] {
      [ExactString(side.entity.lowercased()), ExactString(side.relationship)]
    }

    static func < (a: Pair, b: Pair) -> Bool { compareUTF8(a.text, b.text) < 0 }

    fileprivate var text: String { "\(first.text) = \(second.text)" }
  }

  let pairs: [Pair]

  static let noun = "links"
  static let sources = [
    ValueSource("links") { node, _ in
      let pairs = try node.elements("links", each: "[CD_Note.tags = CD_Tag.notes]").map { element in
        guard let pair = Pair(try element.text("an element of 'links'")) else {
          throw element.error(
            "a relationship and its inverse are written CD_Note.tags = CD_Tag.notes")
        }
        return pair
      }
      guard !pairs.isEmpty else { throw node.error("links: there is no relationship") }
      return LinkValues(pairs: pairs)
    }
  ]

  var members: [(name: String, text: String)] {
    [("links", "[" + pairs.map { PlanText.quoted($0.text) }.joined(separator: ", ") + "]")]
  }

  /// The types of the linked records.
  var types: Set<String> { Set(pairs.flatMap { [$0.first.type, $0.second.type] }) }

  func suits(_ type: CloudSchema.FieldType) -> Bool { type.primitive == .string && !type.isList }

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    let field = scope.field.name
    let known = pairs.compactMap { pair -> (pair: Pair, first: Section, second: Section)? in
      guard let first = scope.layout.section(of: pair.first.type, in: scope.section.site),
        let second = scope.layout.section(of: pair.second.type, in: scope.section.site),
        first.count > 0, second.count > 0
      else { return nil }
      return (pair, first, second)
    }
    guard !known.isEmpty else { return nil }
    return ValueGenerator { context, buffer in
      let (pair, first, second) = known[context.spot.index % known.count]
      switch field {
      case CoreDataNames.linkEntitiesField:
        buffer.appendJSONString("\(pair.first.entity):\(pair.second.entity)")
      case CoreDataNames.linkRelationshipsField:
        buffer.appendJSONString("\(pair.first.relationship):\(pair.second.relationship)")
      default:
        // Different pairs of records, as long as there are some.
        let number = context.spot.index / known.count
        let place = number % first.count
        buffer.append(UInt8(ascii: "\""))
        buffer.append(nameOf: place, in: first)
        buffer.append(":")
        buffer.append(nameOf: (number / first.count + place) % second.count, in: second)
        buffer.append(UInt8(ascii: "\""))
      }
      return true
    }
  }

  func learned(
    from field: LearnedField, _ surroundings: LearnedField.Surroundings
  ) -> (any GeneratedValues)? { self }
}
