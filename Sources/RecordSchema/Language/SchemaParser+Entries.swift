extension SchemaParser {
  /// Parses the entries between the parentheses of a record type.
  ///
  /// - Returns: Whether the closing parenthesis, or a semicolon in its place, was found.
  mutating func parseEntries(of type: inout CloudSchema.RecordType, openedAt start: SourceSpan)
    -> Bool
  {
    var hasEntries = false
    while true {
      switch current.kind {
      case .rightParenthesis:
        reportOddEnd(of: type.name, hasEntries: hasEntries)
        advance()
        return true
      case .end:
        error(
          .unexpectedEnd,
          "the file ends inside the record type '\(type.name)', opened on line \(start.line)",
          expected: [")"], hint: "is the file truncated?")
        return false
      case .semicolon:
        error(
          .unexpectedToken, "expected ')' before ';'", expected: [")", ","],
          hint: "the record type '\(type.name)', opened on line \(start.line), is not closed")
        return true
      default:
        if hasEntries, startsStatement() {
          diagnostics.error(
            .unexpectedToken,
            "the record type '\(type.name)', opened on line \(start.line), is not closed",
            at: justBehind(previous.span), expected: [");"])
          return false
        }
        parseEntry(of: &type)
        hasEntries = true
      }
    }
  }

  private mutating func reportOddEnd(of type: String, hasEntries: Bool) {
    if !hasEntries {
      diagnostics.warn(
        .emptyRecordType, "the record type '\(type)' has neither fields nor grants",
        at: current.span, hint: "the server may not accept it")
    } else if previous.kind == .comma {
      diagnostics.warnOnce(
        .trailingComma, "a comma after the last entry", at: previous.span,
        hint: "the server may not accept it " + "(recordpack schema print --write removes it)")
    }
  }

  private mutating func parseEntry(of type: inout CloudSchema.RecordType) {
    let leading = takeLeadingComments()
    if isGrant() {
      var grant = parseGrant()
      finishEntry(comments: &grant.comments, leading: leading)
      if !grant.role.isEmpty { type.grants.append(grant) }
      if type.grants.last?.role == grant.role { reportFurtherRoles() }
    } else if var field = parseField() {
      finishEntry(comments: &field.comments, leading: leading)
      type.fields.append(field)
    } else {
      skipToEntryEnd()
      var comments = CloudSchema.Comments()
      finishEntry(comments: &comments, leading: [])
    }
  }

  /// Advances past the comma and attaches comments to the entry.
  private mutating func finishEntry(
    comments: inout CloudSchema.Comments, leading: [CloudSchema.Comment]
  ) {
    expectEntryEnd()
    var line = previous.span.line
    if current.kind == .comma {
      advance()
      line = previous.span.line
    }
    comments.leading += leading
    attach(takeComments(startingUpTo: line), to: &comments)
  }

  /// Reports unexpected tokens between an entry and its comma, and recovers.
  private mutating func expectEntryEnd() {
    switch current.kind {
    case .comma, .rightParenthesis, .semicolon, .end: return
    default: if startsStatement() { return }
    }
    let isNewLine = current.span.line > previous.span.line
    let next = token(at: 1)
    let looksLikeEntry =
      (current.kind == .word || current.kind == .quoted)
      && (keyword(of: next)?.startsType == true || (isGrant() && isNewLine))
    if looksLikeEntry || (isNewLine && current.kind == .quoted) {
      diagnostics.error(
        .missingComma, "expected ',' before \(describe(current))", at: justBehind(previous.span),
        expected: [","], hint: "entries of a record type are separated by commas")
      return
    }
    reportUnknownOption()
    skipToEntryEnd()
  }

  private mutating func reportUnknownOption() {
    let found = text(of: current)
    if let hint = SchemaHints.afterType(found) {
      error(
        hint.code, "\(describe(current)) cannot follow the data type",
        expected: ["QUERYABLE", "SEARCHABLE", "SORTABLE", ",", ")"], hint: hint.text)
      return
    }
    error(
      current.kind == .word ? .unknownOption : .unexpectedToken,
      "expected ',', ')' or a field option, found \(describe(current))",
      expected: ["QUERYABLE", "SEARCHABLE", "SORTABLE", ",", ")"],
      hint: SchemaHints.option(similarTo: found))
  }

  /// Skips to the comma, parenthesis or semicolon that ends the entry. Nested parentheses
  /// (`VARCHAR(255)`) are skipped.
  private mutating func skipToEntryEnd() {
    var depth = 0
    while true {
      switch current.kind {
      case .end, .semicolon: return
      case .comma where depth == 0: return
      case .rightParenthesis where depth == 0: return
      case .rightParenthesis: depth -= 1
      case .leftParenthesis: depth += 1
      default: if startsStatement() { return }
      }
      advance()
    }
  }

  // MARK: - Fields

  private mutating func parseField() -> CloudSchema.Field? {
    guard let name = parseName("a field name or GRANT") else { return nil }
    let typeStart = current.span
    guard let type = parseType(of: name.text) else { return nil }
    var origin = name.origin
    origin.detail = SourceSpan(
      offset: typeStart.offset, length: previous.span.endOffset - typeStart.offset,
      line: typeStart.line, column: typeStart.column)
    var options: CloudSchema.IndexOptions = []
    // An option on a new line that is followed by a type is the next field's name.
    while let option = keyword?.option, !isNextField() {
      if options.contains(option) { origin.repeated.append(current.span) }
      options.insert(option)
      advanceKeyword()
    }
    return CloudSchema.Field(name.text, type, options, origin: origin)
  }

  private func isNextField() -> Bool {
    current.span.line > previous.span.line && keyword(of: token(at: 1))?.startsType == true
  }

  // MARK: - Grants

  /// Whether a grant begins here. `GRANT` followed by a data type is a field of that name without
  /// quotation marks.
  private func isGrant() -> Bool {
    isKeyword(.grant) && keyword(of: token(at: 1))?.startsType != true
  }

  private mutating func parseGrant() -> CloudSchema.Grant {
    let start = current.span
    advanceKeyword()
    var permissions: CloudSchema.Permissions = []
    var repeated: [SourceSpan] = []
    repeat {
      guard let permission = keyword?.permission else {
        reportUnknownPermission()
        break
      }
      if permissions.contains(permission) { repeated.append(current.span) }
      permissions.insert(permission)
      advanceKeyword()
    } while takeCommaInGrant()
    guard isKeyword(.to) else {
      if !permissions.isEmpty {
        error(
          .unexpectedToken, "expected TO or ',' after the permission, found \(describe(current))",
          expected: ["TO", ","])
      }
      skipToEntryEnd()
      return CloudSchema.Grant([], to: "")
    }
    advanceKeyword()
    guard let role = parseName("a role name") else {
      skipToEntryEnd()
      return CloudSchema.Grant([], to: "")
    }
    var origin = role.origin
    origin.detail = start
    origin.repeated = repeated
    return CloudSchema.Grant(permissions, to: role.text, origin: origin)
  }

  private mutating func takeCommaInGrant() -> Bool {
    guard current.kind == .comma else { return false }
    advance()
    return true
  }

  private mutating func reportUnknownPermission() {
    let found = text(of: current)
    error(
      current.kind == .word ? .unknownPermission : .unexpectedToken,
      "expected a permission, found \(describe(current))",
      expected: ["READ", "CREATE", "WRITE"], hint: SchemaHints.permission(similarTo: found))
    while current.kind == .word, !isKeyword(.to), !isKeyword(.grant), !startsStatement() {
      advance()
      if current.kind == .comma, keyword(of: token(at: 1))?.permission != nil { advance() }
    }
  }

  /// Reports further roles: in `GRANT READ TO "_world", "_icloud"`, a name without a type after a
  /// grant is a second role.
  private mutating func reportFurtherRoles() {
    while previous.kind == .comma, current.kind == .quoted || current.kind == .word {
      let next = token(at: 1).kind
      guard next == .comma || next == .rightParenthesis else { return }
      error(
        .severalRoles, "a GRANT names one role; \(describe(current)) is a second one",
        hint: "write a separate GRANT for each role")
      advance()
      guard current.kind == .comma else { return }
      advance()
    }
  }
}
