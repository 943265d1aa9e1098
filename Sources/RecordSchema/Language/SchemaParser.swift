/// Parses a schema up to its first error, and notes what not every server may accept.
///
/// A hand-written parser with one token of lookahead. It is not recursive, because the grammar does
/// not nest.
struct SchemaParser {
  /// The first error of a file, which ends the parsing.
  struct Failure: Error {
    let diagnostic: SchemaDiagnostic
  }

  /// An unusual form, which is reported once, because it is often repeated throughout a file.
  enum Warning {
    case keywordCase, trailingComma, emptyStatement, brokenComment
  }

  private var lexer: SchemaLexer
  let bytes: [UInt8]
  var current: SchemaToken
  /// The token before `current`.
  var previous: SchemaToken
  /// The comments that are not yet attached to an element, in file order.
  var pendingComments: [RawComment] = []
  /// The warnings, and the error if there is one.
  private(set) var diagnostics: [SchemaDiagnostic] = []
  private var reported: Set<Warning> = []
  private(set) var schema = CloudSchema()
  /// The offset of the next byte that is not valid UTF-8, or `nil` if there is none.
  private var nextBrokenByte: Int?
  /// Whether a comment contains invalid UTF-8, which cannot be printed.
  private(set) var hasBrokenComment = false

  /// The number of warnings that are kept.
  private static let maxWarnings = 100

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lexer = SchemaLexer(bytes, from: Self.startOfText(bytes))
    current = SchemaToken(kind: .end, span: .start, end: .start)
    previous = current
  }

  // MARK: - Diagnostics

  /// Returns an error, at the current token unless a span is given.
  func error(
    _ message: String, _ code: SchemaDiagnostic.Code = .syntax, at span: SourceSpan? = nil,
    expected: [String] = [], hint: String? = nil
  ) -> Failure {
    Failure(
      diagnostic: SchemaDiagnostic(
        .error, code, message, at: span ?? current.span, in: bytes, expected: expected, hint: hint))
  }

  mutating func warn(
    _ message: String, at span: SourceSpan, hint: String, once warning: Warning? = nil
  ) {
    if let warning, !reported.insert(warning).inserted { return }
    guard diagnostics.count < Self.maxWarnings else { return }
    diagnostics.append(
      SchemaDiagnostic(.warning, .unusual, message, at: span, in: bytes, hint: hint))
  }

  // MARK: - The file

  mutating func parseFile() {
    do {
      try parseSchema()
    } catch let failure as Failure {
      diagnostics.append(failure.diagnostic)
    } catch {}
  }

  private mutating func parseSchema() throws {
    try checkEncoding()
    nextBrokenByte = UTF8Check.firstBrokenByte(in: bytes, from: 0)
    try advance()
    guard current.kind != .end else {
      throw error(
        pendingComments.isEmpty ? "the file is empty" : "the file contains only comments",
        .notASchema, expected: ["DEFINE SCHEMA"],
        hint: "an export of any container defines at least the record type Users; "
          + "is the download incomplete?")
    }
    try parseHeader()
    while current.kind != .end { try parseStatement() }
    schema.comments.closing = takeClosingComments()
    schema.endsInBlankLine = Self.endsInBlankLine(bytes)
    if schema.recordTypes.isEmpty {
      throw error(
        "the schema defines no record type", .notASchema, expected: ["RECORD TYPE"],
        hint: "an export of any container defines at least the record type Users; "
          + "is the file truncated after its first line?")
    }
  }

  private mutating func parseHeader() throws {
    schema.comments.leading = takeLeadingComments()
    guard isKeyword(.define), !isKeyword(.record, at: 1) else { throw missingHeader }
    try advanceKeyword()
    schema.origin = CloudSchema.Origin(name: previous.span)
    guard isKeyword(.schema) else {
      throw error(
        "expected SCHEMA after DEFINE, found \(describe(current))", .notASchema,
        expected: ["SCHEMA"])
    }
    try advanceKeyword()
    attach(takeComments(startingUpTo: previous.span.line), to: &schema.comments)
    if current.kind == .semicolon {
      warn(
        "a semicolon after DEFINE SCHEMA", at: current.span,
        hint: "exports have none here; remove it")
      try advance()
    }
  }

  private var missingHeader: Failure {
    if startsStatement() || isKeyword(.create) || isKeyword(.define) {
      return error(
        "the file does not begin with DEFINE SCHEMA", .notASchema, expected: ["DEFINE SCHEMA"],
        hint: "write DEFINE SCHEMA on a line before this one")
    }
    return error(
      "this is not a CloudKit schema: it begins with \(describe(current))", .notASchema,
      expected: ["DEFINE SCHEMA"], hint: SchemaHints.foreignFile(beginningWith: text(of: current)))
  }

  // MARK: - Statements

  private mutating func parseStatement() throws {
    // Comments before an empty statement belong to the next statement.
    if current.kind == .semicolon {
      warn(
        "a semicolon with no statement before it", at: current.span,
        hint: "remove it; the server may not accept it", once: .emptyStatement)
      return try advance()
    }
    let leading = takeLeadingComments()
    switch keyword {
    case .record: schema.recordTypes.append(try parseRecordType(leading: leading))
    case .create where isKeyword(.role, at: 1): try parseRole(leading: leading)
    default:
      throw error(
        "expected the next statement, found \(describe(current))",
        expected: ["RECORD TYPE", "CREATE ROLE", "the end of the file"],
        hint: SchemaHints.statement(
          beginningWith: text(of: current), text(of: token(at: 1))))
    }
  }

  private mutating func parseRole(leading: [CloudSchema.Comment]) throws {
    try advanceKeyword()
    try advanceKeyword()
    let name = try parseName("a role name")
    try finishStatement("CREATE ROLE")
    var role = CloudSchema.Role(name.text)
    role.origin = name.origin
    role.comments.leading = leading
    attach(takeComments(startingUpTo: previous.span.line), to: &role.comments)
    schema.roles.append(role)
  }

  /// Advances past the semicolon after a statement.
  mutating func finishStatement(_ what: String) throws {
    if current.kind == .semicolon { return try advance() }
    let isEnd = current.kind == .end
    throw error(
      "expected ';' after \(what), found \(describe(current))",
      at: isEnd || startsStatement() ? previous.end : current.span, expected: [";"],
      hint: isEnd ? "is the file truncated?" : nil)
  }

  /// Parses a quoted or unquoted name. Whether it must be quoted is checked by rules.
  mutating func parseName(_ what: String) throws -> (text: String, origin: CloudSchema.Origin) {
    let token = current
    var name = bytes[token.span.offset..<token.span.endOffset]
    switch token.kind {
    case .word: break
    case .quoted: name = name.dropFirst().dropLast()
    case .unterminatedQuoted:
      throw error("the name \(describe(token)) is not closed on its line", expected: ["\""])
    default: throw error("expected \(what), found \(describe(token))", expected: [what])
    }
    guard !name.isEmpty else { throw error("expected \(what), found an empty name") }
    guard name.count <= SchemaNames.maxParsedLength else {
      throw error("the name \(describe(token)) has more than \(SchemaNames.maxParsedLength) bytes")
    }
    try advance()
    let origin = CloudSchema.Origin(name: token.span, isQuoted: token.kind == .quoted)
    return (String(decoding: name, as: UTF8.self), origin)
  }

  // MARK: - Tokens

  mutating func advance() throws {
    previous = current
    var faults: [SourceSpan] = []
    let known = pendingComments.count
    current = lexer.next(comments: &pendingComments, faults: &faults)
    if nextBrokenByte != nil { try reportBrokenText(commentsFrom: known) }
    if let fault = faults.first {
      throw error(
        "this comment is not closed", at: fault, expected: ["*/"],
        hint: "everything after it was read as a comment")
    }
  }

  /// The current token as a keyword in any case.
  var keyword: SchemaKeyword? { current.keyword }

  func isKeyword(_ wanted: SchemaKeyword) -> Bool { keyword == wanted }

  /// Whether the token `distance` tokens after the current one is a keyword.
  func isKeyword(_ wanted: SchemaKeyword, at distance: Int) -> Bool {
    token(at: distance).keyword == wanted
  }

  /// Returns the token `distance` tokens after the current one, by advancing a copy of the lexer.
  func token(at distance: Int) -> SchemaToken {
    var probe = lexer
    var token = current
    var comments: [RawComment] = []
    var faults: [SourceSpan] = []
    for _ in 0..<distance {
      token = probe.next(comments: &comments, faults: &faults)
      comments.removeAll(keepingCapacity: true)
    }
    return token
  }

  /// Whether a statement begins here: `RECORD TYPE`, `CREATE ROLE`, or `DEFINE` with `SCHEMA` or
  /// `RECORD`. Both words are required, because each alone may be a name.
  func startsStatement() -> Bool {
    switch keyword {
    case .record: isKeyword(.type, at: 1)
    case .create: isKeyword(.role, at: 1)
    case .define: isKeyword(.schema, at: 1) || isKeyword(.record, at: 1)
    default: false
    }
  }

  /// Advances past the current keyword, and warns if it is not in upper case.
  mutating func advanceKeyword() throws {
    if let keyword, keyword.rawValue != text(of: current) {
      warn(
        "keyword \(describe(current)) is not in upper case", at: current.span,
        hint: "every known schema has \(keyword.rawValue); the server may not accept other cases "
          + "(recordpack schema print --write fixes it)", once: .keywordCase)
    }
    try advance()
  }

  func text(of token: SchemaToken) -> String {
    String(decoding: bytes[token.span.offset..<token.span.endOffset], as: UTF8.self)
  }

  func describe(_ token: SchemaToken) -> String {
    if token.kind == .end { return "the end of the file" }
    let end = min(token.span.endOffset, token.span.offset + 40)
    let text = SourceExcerpt.printable(bytes[token.span.offset..<end])
    return "'" + text + (end < token.span.endOffset ? "…" : "") + "'"
  }

  // MARK: - Encoding

  private static func startOfText(_ bytes: [UInt8]) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  private mutating func checkEncoding() throws {
    if bytes.count > SchemaDocument.maxSize {
      throw error(
        "the file has more than \(SchemaDocument.maxSize) bytes", .unreadable)
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      throw error("the file is UTF-16 text", .unreadable, hint: "save it as UTF-8")
    }
    if let zero = bytes.firstIndex(of: 0) {
      throw error(
        "the file is not text: byte \(zero) is zero", .unreadable,
        hint: "if this is a bundle, pass it as a bundle, not as a schema file")
    }
    if Self.startOfText(bytes) > 0 {
      warn(
        "the file begins with a byte order mark", at: .start,
        hint: "the server may not accept it; save as UTF-8 without it")
    }
  }

  /// Reports invalid UTF-8: a warning in a comment, because the server drops comments, and an error
  /// in a token.
  private mutating func reportBrokenText(commentsFrom first: Int) throws {
    for comment in pendingComments[first...] {
      guard let byte = nextBrokenByte, byte < comment.span.endOffset else { continue }
      hasBrokenComment = true
      warn(
        "a comment contains invalid UTF-8",
        at: UTF8Check.place(of: byte, in: bytes, behind: comment.span),
        hint: "save the file as UTF-8; until then it cannot be printed", once: .brokenComment)
      nextBrokenByte = UTF8Check.firstBrokenByte(in: bytes, from: comment.span.endOffset)
    }
    if let byte = nextBrokenByte, byte < current.span.endOffset {
      throw error(
        "\(describe(current)) contains invalid UTF-8", .unreadable, hint: "save the file as UTF-8")
    }
  }

  private static func endsInBlankLine(_ bytes: [UInt8]) -> Bool {
    var breaks = 0
    for byte in bytes.reversed() {
      if byte == 0x0A {
        breaks += 1
        if breaks == 2 { return true }
      } else if byte != 0x0D {
        return false
      }
    }
    return false
  }
}
