extension SchemaParser {
  mutating func parseStatement() {
    // Comments before an empty statement belong to the next statement.
    if current.kind == .semicolon { return parseEmptyStatement() }
    let leading = takeLeadingComments()
    switch keyword {
    case .record: parseRecordType(leading: leading)
    case .create where isKeyword(.role, at: 1): parseRole(leading: leading)
    case .define: parseStrayDefine(leading: leading)
    default: parseUnknownStatement()
    }
  }

  // MARK: - Roles

  private mutating func parseRole(leading: [CloudSchema.Comment]) {
    advanceKeyword()
    advanceKeyword()
    let name = parseName("a role name")
    finishStatement("CREATE ROLE")
    guard let name else { return }
    var role = CloudSchema.Role(name.text, origin: name.origin)
    role.comments.leading = leading
    attach(takeComments(startingUpTo: previous.span.line), to: &role.comments)
    schema.roles.append(role)
  }

  // MARK: - Record types

  private mutating func parseRecordType(leading: [CloudSchema.Comment]) {
    let start = current.span
    advanceKeyword()
    recordTypesSeen += 1
    if isKeyword(.type) {
      advanceKeyword()
    } else {
      error(
        .unexpectedToken, "expected TYPE after RECORD, found \(describe(current))",
        expected: ["TYPE"])
      // After `RECORD X (` the intent is clear, so parsing continues.
      guard current.kind == .word || current.kind == .quoted else {
        advance()
        return skipToStatement()
      }
    }
    let name = parseName("a record type name")
    guard current.kind == .leftParenthesis else {
      reportMissingParenthesis()
      return skipToStatement()
    }
    advance()
    var type = CloudSchema.RecordType(name?.text ?? "", origin: name?.origin)
    type.comments.leading = leading
    attach(takeComments(startingUpTo: previous.span.line), to: &type.comments)
    let isClosed = parseEntries(of: &type, openedAt: start)
    type.comments.closing = takeClosingComments()
    if isClosed {
      let line = previous.span.line
      finishStatement("RECORD TYPE")
      // Comments between `)` and the end of its line.
      let comments = takeComments(startingUpTo: max(line, previous.span.line))
      attach(comments, to: &type.comments, endOfLine: \.ending, others: \.closing)
    }
    if name != nil { schema.recordTypes.append(type) }
  }

  private mutating func reportMissingParenthesis() {
    let isBrace = current.kind == .unknown && text(of: current) == "{"
    error(
      current.kind == .end ? .unexpectedEnd : .unexpectedToken,
      "expected '(' after the name of the record type, found \(describe(current))", expected: ["("],
      hint: isBrace ? "the fields of a record type are in parentheses" : nil)
  }

  // MARK: - Other statements

  private mutating func parseStrayDefine(leading: [CloudSchema.Comment]) {
    let span = current.span
    if isKeyword(.schema, at: 1) {
      diagnostics.error(
        .unexpectedToken, "a second DEFINE SCHEMA", at: span,
        hint: "a file contains one schema; were two files concatenated?")
      advance()
      advance()
      return
    }
    if isKeyword(.record, at: 1) {
      diagnostics.error(
        .unexpectedToken, "DEFINE is only used once, before SCHEMA", at: span,
        expected: ["RECORD TYPE", "CREATE ROLE"], hint: "write RECORD TYPE without DEFINE")
      advance()
      return parseRecordType(leading: leading)
    }
    let what = describe(token(at: 1))
    diagnostics.error(
      .unexpectedToken, "the language has no DEFINE \(what)", at: span,
      expected: ["RECORD TYPE", "CREATE ROLE"],
      hint: "an index is an option after the field's type: QUERYABLE, SEARCHABLE, SORTABLE")
    advance()
    skipToStatement()
  }

  private mutating func parseEmptyStatement() {
    diagnostics.warnOnce(
      .emptyStatement, "a semicolon with no statement before it", at: current.span,
      hint: "remove it; the server may not accept it")
    advance()
  }

  private mutating func parseUnknownStatement() {
    error(
      .unexpectedToken, "expected the next statement, found \(describe(current))",
      expected: ["RECORD TYPE", "CREATE ROLE", "the end of the file"],
      hint: SchemaHints.statement(beginningWith: text(of: current)))
    advance()
    skipToStatement()
  }

  /// Advances past the semicolon after a statement.
  private mutating func finishStatement(_ what: String) {
    if current.kind == .semicolon { return advance() }
    let isEnd = current.kind == .end
    diagnostics.error(
      isEnd ? .unexpectedEnd : .missingSemicolon,
      "expected ';' after \(what), found \(describe(current))",
      at: isEnd || startsStatement() ? justBehind(previous.span) : current.span, expected: [";"],
      hint: isEnd ? "is the file truncated?" : nil)
    if !isEnd, !startsStatement() { skipToStatement() }
  }

  /// Returns an empty span directly after a token, where something is missing.
  func justBehind(_ span: SourceSpan) -> SourceSpan {
    SourceSpan(
      offset: span.endOffset, length: 0, line: span.line, column: span.column + span.length)
  }

  // MARK: - Names

  /// Parses a quoted or unquoted name. Whether it must be quoted is checked by rules.
  mutating func parseName(_ what: String) -> (text: String, origin: CloudSchema.Origin)? {
    let token = current
    switch token.kind {
    case .word:
      advance()
      return (text(of: token), CloudSchema.Origin(name: token.span))
    case .quoted:
      advance()
      let inner = bytes[(token.span.offset + 1)..<(token.span.endOffset - 1)]
      if inner.isEmpty {
        diagnostics.error(.emptyName, "expected \(what), found an empty name", at: token.span)
        return nil
      }
      return (
        String(decoding: inner, as: UTF8.self), CloudSchema.Origin(name: token.span, isQuoted: true)
      )
    case .unterminatedQuoted:
      advance()
      diagnostics.error(
        .unterminatedName, "the name \(describe(token)) is not closed on its line",
        at: token.span, expected: ["\""])
      return nil
    default:
      diagnostics.error(
        token.kind == .end ? .unexpectedEnd : .unexpectedToken,
        "expected \(what), found \(describe(token))", at: token.span, expected: [what])
      return nil
    }
  }
}
