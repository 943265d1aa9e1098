import RecordSchema

/// The meaning of a property's type for its model.
enum PropertyType: Sendable, Hashable {
  case attribute(MirroredModel.AttributeType)
  case toOne([String])
  case toMany([String])
  /// A type that only the compiler knows.
  case unknown(String)
}

extension DeclaredTypes {
  /// The types of the standard library and of Foundation that have an attribute type of their own.
  static let attributeTypes: [String: MirroredModel.AttributeType] = [
    "String": .string, "Int": .integer, "Int8": .integer, "Int16": .integer, "Int32": .integer,
    "Int64": .integer, "UInt": .integer, "UInt8": .integer, "UInt16": .integer,
    "UInt32": .integer, "UInt64": .integer, "Bool": .boolean, "Double": .double, "Float": .double,
    "TimeInterval": .double, "Decimal": .decimal, "Date": .date, "UUID": .uuid, "URL": .uri,
    "Data": .binary,
  ]

  /// Codable types of Foundation, which are stored as a whole.
  private static let codableTypes: Set<String> = [
    "AttributedString", "Calendar", "CharacterSet", "DateComponents", "DateInterval", "IndexPath",
    "IndexSet", "Locale", "Measurement", "PersonNameComponents", "TimeZone", "CGPoint", "CGRect",
    "CGSize", "CGVector", "Range", "ClosedRange",
  ]

  private static let modules: Set<String> = ["Swift", "Foundation", "SwiftData"]
  private static let collections: Set<String> = ["Array", "Set", "ContiguousArray"]

  /// Returns what a type means, and whether it is optional.
  ///
  /// - Parameter scope: The path of the type that it is used in.
  func meaning(
    of type: SwiftType, in scope: [String], depth: Int = 0
  ) -> (type: PropertyType, isOptional: Bool) {
    guard depth < SwiftType.maxDepth else { return (.unknown("a type that names itself"), false) }
    switch type {
    case .optional(let wrapped):
      return (meaning(of: wrapped, in: scope, depth: depth + 1).type, true)
    case .array(let element): return (collection(of: [element], in: scope, depth), false)
    case .dictionary(let key, let value):
      return (collection(of: [key, value], isList: false, in: scope, depth), false)
    case .other: return (.unknown("a tuple or a function"), false)
    case .named(var path, let arguments):
      if path.count > 1, Self.modules.contains(path[0]) { path.removeFirst() }
      return named(path, arguments, in: scope, depth)
    }
  }

  private func named(
    _ path: [String], _ arguments: [SwiftType], in scope: [String], _ depth: Int
  ) -> (type: PropertyType, isOptional: Bool) {
    let name = path.last ?? ""
    switch meaning(of: path, in: scope) {
    case .alias(let target, let next): return meaning(of: target, in: next, depth: depth + 1)
    case .type(let type) where type.isModel: return (.toOne(type.path), false)
    case .type(let type) where ["struct", "enum", "class"].contains(type.keyword):
      return (.attribute(.composite), false)
    case .type: return (.unknown("'\(name)' is a protocol or an actor"), false)
    case nil: break
    }
    // A colour of SwiftUI that a store of a public app has as a composite attribute.
    if path.suffix(2) == ["Color", "Resolved"] { return (.attribute(.composite), false) }
    guard path.count == 1 else {
      return (
        .unknown("'\(path.joined(separator: "."))' is declared in no file that was read"), false
      )
    }
    if name == "Optional", arguments.count == 1 {
      return (meaning(of: arguments[0], in: scope, depth: depth + 1).type, true)
    }
    if Self.collections.contains(name), arguments.count == 1 {
      return (collection(of: arguments, in: scope, depth), false)
    }
    if name == "Dictionary", arguments.count == 2 {
      return (collection(of: arguments, isList: false, in: scope, depth), false)
    }
    if arguments.isEmpty, let type = Self.attributeTypes[name] { return (.attribute(type), false) }
    if Self.codableTypes.contains(name) { return (.attribute(.composite), false) }
    return (.unknown("'\(name)' is declared in no file that was read"), false)
  }

  private func collection(
    of elements: [SwiftType], isList: Bool = true, in scope: [String], _ depth: Int
  ) -> PropertyType {
    for element in elements {
      switch meaning(of: element, in: scope, depth: depth + 1).type {
      case .toOne(let path):
        return isList ? .toMany(path) : .unknown("a dictionary of models is not a relationship")
      case .unknown(let reason): return .unknown(reason)
      case .attribute, .toMany: continue
      }
    }
    return .attribute(.composite)
  }

  /// Returns what an initial value tells about the type of a property.
  func meaning(of value: SwiftValue, in scope: [String]) -> PropertyType {
    switch value {
    case .integer: return .attribute(.integer)
    case .floating: return .attribute(.double)
    case .string: return .attribute(.string)
    case .boolean: return .attribute(.boolean)
    case .collection: return .attribute(.composite)
    case .call(let type): return meaning(of: type, in: scope).type
    case .member(let path): return member(path, in: scope)
    case .memberOfCall(.named(let path, _), let member):
      switch (path.last ?? "", member) {
      case ("UUID", "uuidString"): return .attribute(.string)
      case ("Date", "timeIntervalSince1970"), ("Date", "timeIntervalSinceReferenceDate"):
        return .attribute(.double)
      default: return .unknown("the value does not tell it")
      }
    default: return .unknown("the value does not tell it")
    }
  }

  /// Members of types that have the type itself.
  private static let ownMembers: Set<String> = [
    "now", "distantPast", "distantFuture", "min", "max", "zero", "pi", "infinity", "nan",
    "greatestFiniteMagnitude", "leastNormalMagnitude", "leastNonzeroMagnitude", "nilUUID",
  ]

  private func member(_ path: [String], in scope: [String]) -> PropertyType {
    var (owner, member) = (Array(path.dropLast()), path.last ?? "")
    if owner.count > 1, Self.modules.contains(owner[0]) { owner.removeFirst() }
    if let type = type(named: owner, in: scope) {
      return type.cases.contains(member)
        ? .attribute(.composite) : .unknown("the value does not tell it")
    }
    if owner.count == 1, Self.ownMembers.contains(member),
      let type = Self.attributeTypes[owner[0]]
    {
      return .attribute(type)
    }
    return .unknown("the value does not tell it")
  }
}
