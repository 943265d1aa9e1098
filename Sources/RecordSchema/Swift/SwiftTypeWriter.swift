import RecordModel

/// Writes the struct of one record type.
struct SwiftTypeWriter {
  /// A property of the struct.
  private struct Property {
    let name: String
    let type: String
    let documentation: [String]
    /// The expression that reads it.
    var read: String
    /// Whether reading it may throw.
    var isThrowing = false
    /// The statement that writes it; `nil` for a property that a draft already has.
    var write: String?
    var isRequired = false
  }

  private let type: CloudSchema.RecordType
  private let name: String
  /// The names of all generated types, which hide those of modules.
  private let scope: Set<String>
  private let options: SwiftSource.Options
  private let names: GeneratedNames

  init(
    _ type: CloudSchema.RecordType, named name: String, _ scope: Set<String>,
    _ options: SwiftSource.Options
  ) {
    self.type = type
    self.name = name
    self.scope = scope
    self.options = options
    names = GeneratedNames(
      type.userFields.map(\.name), reserved: GeneratedNames.reservedProperties)
  }

  private var access: String {
    options.access == .internal ? "" : options.access.rawValue + " "
  }

  func text() -> String {
    let properties = identity + system + fields
    let comments = Self.texts(type.comments.leading + [type.comments.trailing].compactMap { $0 })
    var lines = (comments.isEmpty ? ["A record of the type \(type.name)."] : comments).map {
      Self.documentation($0)
    }
    lines.append("\(access)struct \(GeneratedNames.escaped(name)): TypedRecord, Hashable {")
    lines.append("  \(access)static let recordType = \(Self.literal(type.name))")
    lines += fieldNames
    for property in properties {
      lines.append("")
      lines += property.documentation.map { "  " + Self.documentation($0) }
      lines.append(
        "  \(access)var \(GeneratedNames.escaped(property.name)): "
          + property.type + (property.isRequired ? "" : "?"))
    }
    if options.access == .internal {
      // Swift's own memberwise initializer makes the struct in place; one that assigns the
      // properties copies it. Any initializer in the struct itself would replace it.
      lines += writing(properties) + ["}", "", "extension \(GeneratedNames.escaped(name)) {"]
      lines += readingMemberwise(properties) + ["}", ""]
    } else {
      lines += initializer(properties) + reading(properties) + writing(properties) + ["}", ""]
    }
    return lines.joined(separator: "\n")
  }

  // MARK: Properties

  private var identity: [Property] {
    [
      Property(
        name: "recordID", type: reference("RecordModel", "RecordID"),
        documentation: ["The identity of the record."], read: "record.recordID",
        isRequired: true),
      Property(
        name: "parent", type: reference("RecordModel", "Reference"),
        documentation: ["The parent in the sharing hierarchy."], read: "record.parent"),
    ]
  }

  private var system: [Property] {
    guard options.hasSystemFields else { return [] }
    let user = reference("RecordModel", "RecordID")
    let date = reference("Foundation", "Date")
    func property(_ name: String, _ type: String, _ documentation: String) -> Property {
      Property(
        name: name, type: type, documentation: [documentation], read: "record.\(name)")
    }
    return [
      property("recordChangeTag", reference("Swift", "String"), "The version of the record."),
      property("creationDate", date, "When the record was first saved."),
      property("creatorUserRecordID", user, "The user who created the record."),
      property("modificationDate", date, "When the record was last saved."),
      property("lastModifiedUserRecordID", user, "The user who last saved the record."),
      property(
        "share", reference("RecordModel", "Reference"), "The share whose root is this record."),
    ]
  }

  /// The fields, in the order of their names in a bundle.
  private var fields: [Property] {
    type.userFields.sorted { compareUTF8($0.name, $1.name) < 0 }.map { field in
      let (swiftType, method) = value(field.type)
      let literal = Self.literal(field.name)
      let encryption = field.type.isEncrypted ? ", isEncrypted: true" : ""
      let property = names[field.name]
      var documentation = Self.texts(
        field.comments.leading + [field.comments.trailing].compactMap { $0 })
      if documentation.isEmpty { documentation.append("The field `\(field.name)`.") }
      if field.type.isEncrypted { documentation += ["", "It is encrypted."] }
      return Property(
        name: property, type: swiftType, documentation: documentation,
        read: "record.\(method)(\(literal)\(encryption))", isThrowing: true,
        write:
          "try draft.update(\(literal), to: \(GeneratedNames.escaped(property))\(encryption))")
    }
  }

  /// Returns the type of a property, and the method of a view that reads it.
  private func value(_ type: CloudSchema.FieldType) -> (type: String, method: String) {
    let element: (type: String, method: String, list: String) =
      switch type.primitive {
      case .string: (reference("Swift", "String"), "string", "strings")
      case .int64: (reference("Swift", "Int64"), "int64", "int64s")
      case .double: (reference("Swift", "Double"), "double", "doubles")
      case .number where type.numberPreference == .int64:
        (reference("Swift", "Int64"), "int64", "int64s")
      case .number: (reference("Swift", "Double"), "double", "doubles")
      case .timestamp: (reference("Foundation", "Date"), "date", "dates")
      case .bytes: (reference("Foundation", "Data"), "data", "dataList")
      case .location: (reference("RecordModel", "Location"), "location", "locations")
      case .reference: (reference("RecordModel", "Reference"), "reference", "references")
      case .asset: (reference("RecordModel", "Asset"), "asset", "assets")
      }
    return type.isList ? ("[\(element.type)]", element.list) : (element.type, element.method)
  }

  /// The name of a type, with its module where a generated type or property hides it.
  private func reference(_ module: String, _ name: String) -> String {
    scope.contains(name) ? "\(module).\(name)" : name
  }

  // MARK: Members

  private var fieldNames: [String] {
    let names = type.userFields.map(\.name).sorted { compareUTF8($0, $1) < 0 }
    guard !names.isEmpty else { return [] }
    return ["", "  /// The names of the fields.", "  \(access)enum Field {"]
      + names.map {
        "    \(access)static let \(GeneratedNames.escaped(self.names[$0])) = \(Self.literal($0))"
      } + ["  }"]
  }

  private func initializer(_ properties: [Property]) -> [String] {
    let parameters = properties.map { property in
      "    \(GeneratedNames.escaped(property.name)): \(property.type)"
        + (property.isRequired ? "" : "? = nil")
    }
    return ["", "  \(access)init("] + [parameters.joined(separator: ",\n")] + ["  ) {"]
      + properties.map {
        "    self.\(GeneratedNames.escaped($0.name)) = \(GeneratedNames.escaped($0.name))"
      } + ["  }"]
  }

  private func reading(_ properties: [Property]) -> [String] {
    ["", "  \(access)init(from record: inout RecordView) throws {"]
      + properties.map {
        "    \(GeneratedNames.escaped($0.name)) = \($0.isThrowing ? "try " : "")\($0.read)"
      } + ["  }"]
  }

  private func readingMemberwise(_ properties: [Property]) -> [String] {
    let arguments = properties.map { "      \(GeneratedNames.label($0.name)): \($0.read)" }
    return [
      "  init(from record: inout RecordView) throws {",
      "    \(properties.contains(where: \.isThrowing) ? "try " : "")self.init(",
      arguments.joined(separator: ",\n"),
      "    )", "  }",
    ]
  }

  private func writing(_ properties: [Property]) -> [String] {
    ["", "  \(access)func update(_ draft: inout DraftRecord) throws {"]
      + ["    try draft.updateIdentity(recordID, parent: parent, of: Self.self)"]
      + properties.compactMap { $0.write.map { "    " + $0 } } + ["  }"]
  }

  // MARK: Text

  private static func documentation(_ line: String) -> String {
    line.isEmpty ? "///" : "/// \(line)"
  }

  /// The lines of comments.
  private static func texts(_ comments: [CloudSchema.Comment]) -> [String] {
    comments.flatMap { comment in
      comment.text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { line in
        // Characters that end a comment in Swift, or that editors do not show, become spaces.
        let visible = line.unicodeScalars.map { scalar -> Character in
          switch scalar.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator, .format: " "
          default: Character(scalar)
          }
        }
        return CloudSchema.Comment.trimmingEnd(String(visible.drop { $0 == " " }))
      }
    }.trimmingEmptyLines
  }

  /// A string literal of a name.
  private static func literal(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control || scalar.value > 0x7E:
        "\\u{" + String(scalar.value, radix: 16) + "}"
      default: String(scalar)
      }
    }
    return "\"" + scalars.joined() + "\""
  }
}

extension [String] {
  fileprivate var trimmingEmptyLines: [String] {
    let start = firstIndex { !$0.isEmpty } ?? endIndex
    let end = lastIndex { !$0.isEmpty } ?? startIndex
    return start < endIndex ? Array(self[start...end]) : []
  }
}
