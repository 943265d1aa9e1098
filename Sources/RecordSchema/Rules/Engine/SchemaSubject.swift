import RecordModel

/// The subject of a finding: the schema, a role, a record type, a field or a grant.
public struct SchemaSubject: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The record type, if the subject is one or part of one.
  @ExactText public var recordType: String?
  /// The field, if the subject is one.
  @ExactText public var field: String?
  /// The role, if the subject is one or a grant to it.
  @ExactText public var role: String?

  /// Creates a subject. Without arguments, it is the schema as a whole.
  public init(recordType: String? = nil, field: String? = nil, role: String? = nil) {
    _recordType = ExactText(wrappedValue: recordType)
    _field = ExactText(wrappedValue: field)
    _role = ExactText(wrappedValue: role)
  }

  static let schema = SchemaSubject()
  static func type(_ name: String) -> SchemaSubject { SchemaSubject(recordType: name) }
  static func field(_ name: String, of type: String) -> SchemaSubject {
    SchemaSubject(recordType: type, field: name)
  }
  static func grant(to role: String, on type: String) -> SchemaSubject {
    SchemaSubject(recordType: type, role: role)
  }
  static func role(_ name: String) -> SchemaSubject { SchemaSubject(role: name) }

  /// `Todo`, `Todo.order`, `*.order` if the record type is not known, `Todo@_world` for a grant,
  /// `@moderator` for a role, or `schema`.
  public var description: String {
    if recordType == nil, field == nil, role == nil { return "schema" }
    return (recordType ?? (field == nil ? "" : "*")) + (field.map { "." + $0 } ?? "")
      + (role.map { "@" + $0 } ?? "")
  }

  /// Orders by record type, field and role. The schema itself comes first.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.names.lexicographicallyPrecedes(rhs.names)
  }

  private var names: [NameKey] { [recordType, field, role].map { NameKey($0 ?? "") } }

  /// Returns whether a pattern matches the subject's description. `*` stands for any number of
  /// characters, and a record type's name matches everything in it.
  public func matches(_ pattern: String) -> Bool {
    texts.contains { Glob.matches($0, Array(pattern.utf8)) }
  }

  /// The texts that a pattern may match: the description and, for parts of a record type, its name.
  var texts: [[UInt8]] {
    guard let recordType, field != nil || role != nil else { return [Array(description.utf8)] }
    return [Array(description.utf8), Array(recordType.utf8)]
  }
}

/// A pattern in which `*` stands for any number of characters.
enum Glob {
  static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var t = 0
    var p = 0
    var star: (pattern: Int, text: Int)?
    // Greedy matching: on a mismatch, the last `*` consumes one more character.
    while t < text.count {
      if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
        star = (p, t)
        p += 1
      } else if p < pattern.count, pattern[p] == text[t] {
        p += 1
        t += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        p = last.pattern + 1
        t = last.text + 1
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
