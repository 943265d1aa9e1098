/// Record types: their fields, grants and data types.
extension SchemaParser {
  mutating func parseRecordType(leading: [CloudSchema.Comment]) throws -> CloudSchema.RecordType {
    let start = current.span
    try advanceKeyword()
    guard isKeyword(.type) else {
      throw error("expected TYPE after RECORD, found \(describe(current))", expected: ["TYPE"])
    }
    try advanceKeyword()
    let name = try parseName("a record type name")
    guard current.kind == .leftParenthesis else {
      let isBrace = current.kind == .unknown && text(of: current) == "{"
      throw error(
        "expected '(' after the name of the record type, found \(describe(current))",
        expected: ["("],
        hint: isBrace ? "the fields of a record type are in parentheses" : nil)
    }
    try advance()
    var type = CloudSchema.RecordType(name.text)
    type.origin = name.origin
    type.comments.leading = leading
    attach(takeComments(startingUpTo: previous.span.line), to: &type.comments)
    try parseEntries(of: &type, openedAt: start)
    type.comments.closing = takeClosingComments()
    let line = previous.span.line
    try finishStatement("RECORD TYPE")
    // Comments between `)` and the end of its line.
    let comments = takeComments(startingUpTo: max(line, previous.span.line))
    attach(comments, to: &type.comments, endOfLine: \.ending, others: \.closing)
    return type
  }

  /// Parses the entries between the parentheses of a record type.
  private mutating func parseEntries(
    of type: inout CloudSchema.RecordType, openedAt start: SourceSpan
  ) throws {
    var hasEntries = false
    while current.kind != .rightParenthesis {
      let opening = "the record type '\(type.name)', opened on line \(start.line)"
      switch current.kind {
      case .end:
        throw error(
          "the file ends inside \(opening)", expected: [")"], hint: "is the file truncated?")
      case .semicolon:
        throw error(
          "expected ')' before ';'", expected: [")", ","], hint: "\(opening), is not closed")
      default:
        if hasEntries, startsStatement() {
          throw error("\(opening), is not closed", at: previous.end, expected: [");"])
        }
        try parseEntry(of: &type)
        hasEntries = true
      }
    }
    if !hasEntries {
      warn(
        "the record type '\(type.name)' has neither fields nor grants", at: current.span,
        hint: "the server may not accept it")
    } else if previous.kind == .comma {
      warn(
        "a comma after the last entry", at: previous.span,
        hint: "the server may not accept it (recordpack schema print --write removes it)",
        once: .trailingComma)
    }
    try advance()
  }

  private mutating func parseEntry(of type: inout CloudSchema.RecordType) throws {
    let leading = takeLeadingComments()
    if isGrant() {
      var grant = try parseGrant()
      try finishEntry(comments: &grant.comments, leading: leading)
      type.grants.append(grant)
      try checkFurtherRole()
    } else {
      var field = try parseField()
      try finishEntry(comments: &field.comments, leading: leading)
      type.fields.append(field)
    }
  }

  /// Advances past the comma and attaches comments to the entry.
  private mutating func finishEntry(
    comments: inout CloudSchema.Comments, leading: [CloudSchema.Comment]
  ) throws {
    try checkEntryEnd()
    var line = previous.span.line
    if current.kind == .comma {
      try advance()
      line = previous.span.line
    }
    comments.leading += leading
    attach(takeComments(startingUpTo: line), to: &comments)
  }

  /// Throws if other tokens are between an entry and its comma.
  private func checkEntryEnd() throws {
    switch current.kind {
    case .comma, .rightParenthesis, .semicolon, .end: return
    default: if startsStatement() { return }
    }
    let isNewLine = current.span.line > previous.span.line
    let isName = current.kind == .word || current.kind == .quoted
    let startsEntry =
      token(at: 1).keyword?.startsType == true || isGrant() && isNewLine
      || isNewLine && current.kind == .quoted
    if isName, startsEntry {
      throw error(
        "expected ',' before \(describe(current))", at: previous.end, expected: [","],
        hint: "entries of a record type are separated by commas")
    }
    let found = text(of: current)
    let expected = ["QUERYABLE", "SEARCHABLE", "SORTABLE", ",", ")"]
    if let hint = SchemaHints.afterType(found) {
      throw error(
        "\(describe(current)) cannot follow the data type", expected: expected, hint: hint)
    }
    throw error(
      "expected ',', ')' or a field option, found \(describe(current))", expected: expected,
      hint: SchemaHints.option(similarTo: found))
  }

  // MARK: - Fields

  private mutating func parseField() throws -> CloudSchema.Field {
    let name = try parseName("a field name or GRANT")
    let start = current.span
    let type = try parseType(of: name.text)
    var origin = name.origin
    origin.detail = SourceSpan(
      offset: start.offset, length: previous.span.endOffset - start.offset, line: start.line,
      column: start.column)
    var options: CloudSchema.IndexOptions = []
    // An option on a new line that is followed by a type is the next field's name.
    while let option = keyword?.option, !isNextField() {
      if options.contains(option) { origin.repeated.append(current.span) }
      options.insert(option)
      try advanceKeyword()
    }
    var field = CloudSchema.Field(name.text, type, options)
    field.origin = origin
    return field
  }

  private func isNextField() -> Bool {
    current.span.line > previous.span.line && token(at: 1).keyword?.startsType == true
  }

  // MARK: - Grants

  /// Whether a grant begins here. `GRANT` followed by a data type is a field of that name without
  /// quotation marks.
  private func isGrant() -> Bool {
    isKeyword(.grant) && token(at: 1).keyword?.startsType != true
  }

  private mutating func parseGrant() throws -> CloudSchema.Grant {
    let start = current.span
    try advanceKeyword()
    var permissions: CloudSchema.Permissions = []
    var repeated: [SourceSpan] = []
    while true {
      guard let permission = keyword?.permission else {
        throw error(
          "expected a permission, found \(describe(current))",
          expected: ["READ", "CREATE", "WRITE"],
          hint: SchemaHints.permission(similarTo: text(of: current)))
      }
      if permissions.contains(permission) { repeated.append(current.span) }
      permissions.insert(permission)
      try advanceKeyword()
      guard current.kind == .comma else { break }
      try advance()
    }
    guard isKeyword(.to) else {
      throw error(
        "expected TO or ',' after the permission, found \(describe(current))",
        expected: ["TO", ","])
    }
    try advanceKeyword()
    let role = try parseName("a role name")
    var origin = role.origin
    origin.detail = start
    origin.repeated = repeated
    var grant = CloudSchema.Grant(permissions, to: role.text)
    grant.origin = origin
    return grant
  }

  /// Throws if a grant is followed by a second role, as in `GRANT READ TO "_world", "_icloud"`: a
  /// name without a type.
  private func checkFurtherRole() throws {
    let next = token(at: 1).kind
    guard previous.kind == .comma, current.kind == .quoted || current.kind == .word,
      next == .comma || next == .rightParenthesis
    else { return }
    throw error(
      "a GRANT names one role; \(describe(current)) is a second one",
      hint: "write a separate GRANT for each role")
  }

  // MARK: - Data types

  private static let primitives = CloudSchema.Primitive.allCases.map(\.rawValue)
  private static let encryptable = CloudSchema.Primitive.allCases.filter(\.canBeEncrypted).map(
    \.rawValue)

  private mutating func parseType(of field: String) throws -> CloudSchema.FieldType {
    if isKeyword(.list) { return try parseList() }
    let element = try parseElement(of: field)
    if isKeyword(.list), current.span.line == previous.span.line {
      throw error("LIST comes before its element type", hint: "write LIST<\(element)>")
    }
    return element
  }

  private mutating func parseList() throws -> CloudSchema.FieldType {
    let start = current.span
    try advanceKeyword()
    guard current.kind == .leftAngle else {
      throw error(
        "expected '<' after LIST, found \(describe(current))", expected: ["<"],
        hint: "write LIST<STRING>, with the type of the elements")
    }
    try advance()
    if isKeyword(.list) {
      throw error("a list cannot contain lists", expected: Self.primitives)
    }
    let element = try parseElement(of: nil)
    guard current.kind == .rightAngle else {
      throw error(
        "expected '>' to close the LIST in column \(start.column), found \(describe(current))",
        expected: [">"])
    }
    try advance()
    return CloudSchema.FieldType(
      element.primitive, isList: true, isEncrypted: element.isEncrypted,
      numberPreference: element.numberPreference)
  }

  /// Parses a primitive type with its modifiers. `field` is `nil` inside a list.
  private mutating func parseElement(of field: String?) throws -> CloudSchema.FieldType {
    let isEncrypted = isKeyword(.encrypted)
    let start = current.span
    if isEncrypted {
      try advanceKeyword()
      if isKeyword(.list) {
        throw error(
          "ENCRYPTED must be inside the list", at: start,
          hint: "write LIST<ENCRYPTED STRING>, for example")
      }
    }
    guard let primitive = keyword?.primitive else {
      throw missingType(of: field, isEncrypted: isEncrypted)
    }
    if isEncrypted, !primitive.canBeEncrypted {
      throw error(
        "\(primitive.rawValue) cannot be ENCRYPTED", expected: Self.encryptable,
        hint: primitive == .asset
          ? "CloudKit always encrypts assets; write ASSET" : "write \(primitive.rawValue) alone")
    }
    try advanceKeyword()
    guard primitive == .number, isKeyword(.preferred) else {
      return CloudSchema.FieldType(primitive, isEncrypted: isEncrypted)
    }
    try advanceKeyword()
    guard isKeyword(.as) else {
      throw error("expected AS after PREFERRED, found \(describe(current))", expected: ["AS"])
    }
    try advanceKeyword()
    guard let preference = CloudSchema.NumberPreference(rawValue: keyword?.rawValue ?? "") else {
      throw error(
        "a NUMBER is preferred as INT64 or DOUBLE, not \(describe(current))",
        expected: CloudSchema.NumberPreference.allCases.map(\.rawValue))
    }
    try advanceKeyword()
    return CloudSchema.FieldType(.number, numberPreference: preference)
  }

  private func missingType(of field: String?, isEncrypted: Bool) -> Failure {
    let place = field.map { "as the type of '\($0)'" } ?? "inside LIST<…>"
    let lists = field == nil ? [] : ["LIST<…>", "ENCRYPTED …"]
    let expected = isEncrypted ? Self.encryptable : lists + Self.primitives
    if keyword?.option != nil {
      return error(
        "expected a data type \(place), found the option \(describe(current))",
        expected: expected, hint: "the type comes before its options")
    }
    return error(
      current.kind == .word
        ? "the language has no data type \(describe(current))"
        : "expected a data type \(place), found \(describe(current))", expected: expected,
      hint: SchemaHints.type(similarTo: text(of: current)))
  }
}
