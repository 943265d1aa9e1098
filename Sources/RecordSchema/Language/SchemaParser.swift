/// Parses a schema, collects all diagnostics, and always continues to the end of the file.
///
/// A hand-written parser with one token of lookahead. It is not recursive: anything nested deeper
/// than the grammar allows is an error that is skipped in a loop.
struct SchemaParser {
  private var lexer: SchemaLexer
  let bytes: [UInt8]
  var current: SchemaToken
  /// The token before `current`.
  var previous: SchemaToken
  /// The comments that are not yet attached to an element, in file order.
  var pendingComments: [RawComment] = []
  var diagnostics: DiagnosticCollector
  var schema = CloudSchema()
  /// The number of record types encountered, including those that were rejected as a whole.
  var recordTypesSeen = 0
  /// The offset of the next byte that is not valid UTF-8, or `nil` if there is none.
  private var nextBrokenByte: Int?
  /// Whether a comment contains invalid UTF-8, which cannot be printed.
  private(set) var hasBrokenComment = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    diagnostics = DiagnosticCollector(bytes)
    lexer = SchemaLexer(bytes, from: Self.startOfText(bytes))
    current = SchemaToken(kind: .end, span: .start)
    previous = current
  }

  mutating func error(
    _ code: SchemaDiagnostic.Code, _ message: String, expected: [String] = [], hint: String? = nil
  ) {
    diagnostics.error(code, message, at: current.span, expected: expected, hint: hint)
  }

  // MARK: - The file

  mutating func parseFile() {
    guard checkEncoding() else { return }
    nextBrokenByte = UTF8Check.firstBrokenByte(in: bytes, from: 0)
    advance()
    guard current.kind != .end else {
      error(
        .emptyInput,
        pendingComments.isEmpty
          ? "the file is empty" : "the file contains only comments", expected: ["DEFINE SCHEMA"],
        hint: "an export of any container defines at least the record type Users; "
          + "is the download incomplete?")
      return
    }
    parseHeader()
    while current.kind != .end { parseStatement() }
    schema.comments.closing = takeClosingComments()
    schema.endsInBlankLine = Self.endsInBlankLine(bytes)
    if recordTypesSeen == 0, !diagnostics.hasErrors {
      error(
        .noRecordType, "the schema defines no record type", expected: ["RECORD TYPE"],
        hint: "an export of any container defines at least the record type Users; "
          + "is the file truncated after its first line?")
    }
  }

  private mutating func parseHeader() {
    schema.comments.leading = takeLeadingComments()
    guard isKeyword(.define), !isKeyword(.record, at: 1) else {
      return reportMissingHeader()
    }
    advanceKeyword()
    schema.origin = CloudSchema.Origin(name: previous.span)
    if isKeyword(.schema) {
      advanceKeyword()
    } else {
      error(
        .missingHeader, "expected SCHEMA after DEFINE, found \(describe(current))",
        expected: ["SCHEMA"])
    }
    let inner = takeComments(startingUpTo: previous.span.line)
    attach(inner, to: &schema.comments)
    if current.kind == .semicolon {
      diagnostics.warn(
        .emptyStatement, "a semicolon after DEFINE SCHEMA", at: current.span,
        hint: "exports have none here; remove it")
      advance()
    }
  }

  private mutating func reportMissingHeader() {
    // Without a header, the comments belong to the first statement.
    let startsLikeSchema = startsStatement() || isKeyword(.create) || isKeyword(.define)
    if startsLikeSchema {
      error(
        .missingHeader, "the file does not begin with DEFINE SCHEMA",
        expected: ["DEFINE SCHEMA"], hint: "write DEFINE SCHEMA on a line before this one")
    } else {
      error(
        .notASchema, "this is not a CloudKit schema: it begins with \(describe(current))",
        expected: ["DEFINE SCHEMA"], hint: SchemaHints.foreignFile(beginningWith: text(of: current))
      )
      skipToStatement()
    }
  }

  // MARK: - Tokens

  mutating func advance() {
    previous = current
    var faults: [SourceSpan] = []
    let known = pendingComments.count
    current = lexer.next(comments: &pendingComments, faults: &faults)
    if nextBrokenByte != nil { reportBrokenText(commentsFrom: known) }
    for fault in faults {
      diagnostics.error(
        .unterminatedComment, "this comment is not closed", at: fault,
        expected: ["*/"], hint: "everything after it was read as a comment")
    }
  }

  /// The current token as a keyword in any case, without reporting a diagnostic.
  var keyword: SchemaKeyword? { keyword(of: current) }

  func keyword(of token: SchemaToken) -> SchemaKeyword? {
    guard token.kind == .word else { return nil }
    return SchemaKeyword.match(bytes[token.span.offset..<token.span.endOffset])?.keyword
  }

  func isKeyword(_ wanted: SchemaKeyword) -> Bool { keyword == wanted }

  /// Whether the token `distance` tokens after the current one is a keyword.
  func isKeyword(_ wanted: SchemaKeyword, at distance: Int) -> Bool {
    keyword(of: token(at: distance)) == wanted
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

  /// Advances past the current keyword, and warns if it is not in upper case.
  mutating func advanceKeyword() {
    let match = SchemaKeyword.match(bytes[current.span.offset..<current.span.endOffset])
    if let match, !match.isExact {
      diagnostics.warnOnce(
        .keywordCase, "keyword \(describe(current)) is not in upper case", at: current.span,
        hint: "every known schema has \(match.keyword.rawValue); the server may not accept other "
          + "cases (recordpack schema print --write fixes it)")
    }
    advance()
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

  // MARK: - Recovery

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

  mutating func skipToStatement() {
    while current.kind != .end, !startsStatement() { advance() }
    pendingComments.removeAll()
  }

  // MARK: - Encoding

  private static func startOfText(_ bytes: [UInt8]) -> Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  private mutating func checkEncoding() -> Bool {
    if bytes.count > SchemaDocument.maxSize {
      diagnostics.error(
        .tooLarge, "the file has \(bytes.count) bytes; the maximum is \(SchemaDocument.maxSize)",
        at: .start)
      return false
    }
    if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
      diagnostics.error(.encoding, "the file is UTF-16 text", at: .start, hint: "save it as UTF-8")
      return false
    }
    if let zero = bytes.firstIndex(of: 0) {
      diagnostics.error(
        .encoding, "the file is not text: byte \(zero) is zero", at: .start,
        hint: "if this is a bundle, pass it as a bundle, not as a schema file")
      return false
    }
    if Self.startOfText(bytes) > 0 {
      diagnostics.warn(
        .doubtfulText, "the file begins with a byte order mark", at: .start,
        hint: "the server may not accept it; save as UTF-8 without it")
    }
    return true
  }

  /// Reports invalid UTF-8: a warning in a comment, because the server drops comments, and an error
  /// in a token.
  private mutating func reportBrokenText(commentsFrom first: Int) {
    for comment in pendingComments[first...] {
      guard let byte = nextBrokenByte, byte < comment.span.endOffset else { continue }
      hasBrokenComment = true
      diagnostics.warnOnce(
        .doubtfulText, "a comment contains invalid UTF-8",
        at: UTF8Check.place(of: byte, in: bytes, behind: comment.span),
        hint: "save the file as UTF-8; until then it cannot be printed")
      nextBrokenByte = UTF8Check.firstBrokenByte(in: bytes, from: comment.span.endOffset)
    }
    guard let byte = nextBrokenByte, byte < current.span.endOffset else { return }
    error(.encoding, "\(describe(current)) contains invalid UTF-8", hint: "save the file as UTF-8")
    nextBrokenByte = UTF8Check.firstBrokenByte(in: bytes, from: current.span.endOffset)
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
