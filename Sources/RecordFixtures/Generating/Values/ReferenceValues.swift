import RecordCoding
import RecordMigration
import RecordPlatform
import RecordSchema

/// The action of a reference.
enum ReferenceAction: String, Sendable, CaseIterable {
  case none
  case deleteSelf = "delete-self"
  case validate

  fileprivate var members: [(name: String, text: String)] {
    self == .none ? [] : [("action", rawValue)]
  }

  fileprivate init(_ members: YAMLMembers) throws {
    self = try members["action"]?.one("action") ?? .none
  }
}

/// References to a record of a type, in the same zone; in a field of text, the names of records, as
/// Core Data stores relationships.
struct ReferenceValues: GeneratedValues {
  /// The type.
  let target: String
  var action = ReferenceAction.none
  /// Whether any record of the type will do, even if an ancestor is of it.
  var isAny = false
  /// Whether the first record refers to the first of the type, the second to the second, and so on: both
  /// sides of a relationship between two objects then say the same.
  var isPaired = false

  static let noun = "references"
  static let sources = [
    ValueSource("reference", options: ["action", "any", "paired"]) { node, members in
      ReferenceValues(
        target: try node.word("reference"), action: try ReferenceAction(members),
        isAny: try members["any"]?.flag("any") ?? false,
        isPaired: try members["paired"]?.flag("paired") ?? false)
    }
  ]

  var members: [(name: String, text: String)] {
    [("reference", PlanText.quoted(target))] + (isAny ? [("any", "true")] : [])
      + (isPaired ? [("paired", "true")] : []) + action.members
  }

  func suits(_ type: CloudSchema.FieldType) -> Bool {
    type.primitive == .reference || type.primitive == .string && action == .none
  }

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    let (action, isText) = (action, scope.field.type.primitive == .string)
    if !isAny, !isPaired,
      let ancestor = scope.cursor.ancestors.first(where: { $0.section.type.name == target })
    {
      return ValueGenerator { _, buffer in
        buffer.append(referenceTo: ancestor, action, isText: isText)
        return true
      }
    }
    guard let section = scope.layout.section(of: target, in: scope.section.site) else { return nil }
    let isPaired = isPaired
    return ValueGenerator(
      append: { context, buffer in
        let index = isPaired ? context.spot.index : context.random.below(section.count)
        guard index < section.count else { return false }
        buffer.beginReference(isText: isText)
        buffer.append(nameOf: index, in: section)
        buffer.endReference(action, isText: isText)
        return true
      },
      // Refers to no record, which CloudKit allows without an action. Core Data stores no such name.
      edge: { context, buffer in
        guard action == .none, !isText else { return false }
        buffer.beginReference(isText: isText)
        buffer.append("nowhere-")
        buffer.appendInteger(Int64(context.random.below(1000)))
        buffer.endReference(action, isText: isText)
        return true
      })
  }

  func learned(
    from field: LearnedField, _ surroundings: LearnedField.Surroundings
  ) -> (any GeneratedValues)? {
    surroundings.known.contains(target) ? self : nil
  }
}

/// References to all ancestors, the nearest first.
struct AncestorReferences: GeneratedValues {
  var action = ReferenceAction.none

  static let noun = "a list of references"
  static let sources = [
    ValueSource("ancestors", options: ["action"]) { node, members in
      guard try node.flag("ancestors") else { throw node.error("ancestors is true, or not there") }
      return AncestorReferences(action: try ReferenceAction(members))
    }
  ]
  static var words: [(word: String, kind: any GeneratedValues)] {
    [("ancestors", AncestorReferences())]
  }

  var members: [(name: String, text: String)] {
    action == .none ? [("kind", "ancestors")] : [("ancestors", "true")] + action.members
  }

  func suits(_ type: CloudSchema.FieldType) -> Bool {
    type.primitive == .reference && type.isList
  }

  func generator(_ scope: GeneratorScope) -> ValueGenerator? {
    let (ancestors, action) = (scope.cursor.ancestors, action)
    return ValueGenerator { _, buffer in
      buffer.append(UInt8(ascii: "["))
      for (place, cursor) in ancestors.enumerated() {
        if place > 0 { buffer.append(UInt8(ascii: ",")) }
        buffer.append(referenceTo: cursor, action)
      }
      buffer.append(UInt8(ascii: "]"))
      return true
    }
  }
}

extension ByteBuffer {
  /// Appends the name of a record in a section.
  func append(nameOf index: Int, in section: Section) {
    var random = SeededNumbers(seed: section.key, stream: UInt64(truncatingIfNeeded: index))
    section.names.append(index, seed: random.next(), to: self)
  }

  /// Appends a reference to the record of a cursor, in the same zone.
  func append(referenceTo cursor: TreeCursor, _ action: ReferenceAction, isText: Bool = false) {
    beginReference(isText: isText)
    cursor.section.names.append(cursor.spot.index, seed: cursor.spot.seed, to: self)
    endReference(action, isText: isText)
  }

  /// Appends the text before the name of a record.
  fileprivate func beginReference(isText: Bool) {
    append(isText ? "\"" : "{\"recordName\":\"")
  }

  /// Appends the text after the name of a record.
  fileprivate func endReference(_ action: ReferenceAction, isText: Bool) {
    if isText { return append(UInt8(ascii: "\"")) }
    switch action {
    case .none: append("\",\"action\":\"NONE\"}")
    case .deleteSelf: append("\",\"action\":\"DELETE_SELF\"}")
    case .validate: append("\",\"action\":\"VALIDATE\"}")
    }
  }
}
