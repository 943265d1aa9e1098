/// Names of Swift declarations for the names of a schema.
///
/// Names that Swift or the generated code uses themselves get a suffix, until no two are the same.
struct SwiftNames {
  private var swiftNames: [String: String] = [:]
  private var taken: Set<String>

  /// - Parameters:
  ///   - names: The names in the schema.
  ///   - reserved: Names that declarations cannot have.
  init(_ names: [String], reserved: Set<String>) {
    taken = reserved
    // A name that can stay is not taken by another that cannot.
    let canStay = { (name: String) in Self.identifier(name) == name && !reserved.contains(name) }
    for name in names.filter(canStay) + names.filter({ !canStay($0) }) {
      var swiftName = Self.identifier(name)
      while !taken.insert(swiftName).inserted { swiftName += "_" }
      swiftNames[name] = swiftName
    }
  }

  /// A name with letters, digits and underscores only: a quoted name in a schema can have others.
  private static func identifier(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { scalar in
      scalar.isASCII && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar)
        ? Character(scalar) : "_"
    }
    let startsWithDigit = scalars.first.map { $0.isNumber } ?? true
    return (startsWithDigit ? "_" : "") + String(scalars)
  }

  /// The name in Swift.
  subscript(name: String) -> String { swiftNames[name] ?? name }

  /// All names in Swift.
  var all: [String] { Array(swiftNames.values) }

  /// The name as it is written where it is declared or used.
  static func escaped(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Returns the name as the label of an argument, which may be any keyword but one.
  static func label(_ name: String) -> String { name == "inout" ? escaped(name) : name }

  /// Words that need backticks (The Swift Programming Language, "Lexical Structure").
  private static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import",
    "init", "inout", "internal", "let", "operator", "private", "precedencegroup", "protocol",
    "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case",
    "catch", "continue", "default", "defer", "do", "else", "fallthrough", "for", "guard", "if",
    "in", "repeat", "return", "throw", "switch", "where", "while", "Any", "as", "await", "false",
    "is", "nil", "self", "Self", "super", "throws", "true", "try",
  ]

  /// Names that a top-level type of generated code cannot have: those that Swift gives a meaning of
  /// its own, and the protocols and modules that the code refers to.
  static let reservedTypes: Set<String> = [
    "Any", "Self", "Type", "Protocol", "Swift", "Foundation", "RecordCoding", "RecordModel",
    "TypedRecord", "Hashable", "Sendable", "RecordView", "DraftRecord", "init", "self", "_",
  ]

  /// Names that a property of generated code cannot have, because Swift or the code itself uses
  /// them.
  static let reservedProperties: Set<String> = [
    "recordID", "recordType", "recordChangeTag", "creationDate", "creatorUserRecordID",
    "modificationDate", "lastModifiedUserRecordID", "parent", "share", "init", "self", "Self",
    "Type", "Protocol", "Field", "update", "record", "draft", "hash", "hashValue", "_",
    "String", "Int64", "Double", "Date", "Data", "Location", "Reference", "Asset", "RecordID",
  ]
}
