/// Collects diagnostics up to a limit, so that the cost of a malicious file is bounded.
struct DiagnosticCollector {
  private let bytes: [UInt8]
  private var collected: [SchemaDiagnostic] = []
  private var onceReported: Set<SchemaDiagnostic.Code> = []
  private(set) var omitted = 0
  private(set) var hasErrors = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The diagnostics in file order, regardless of the order in which they were added.
  var sorted: [SchemaDiagnostic] {
    collected.enumerated().sorted {
      ($0.element.span.offset, $0.offset) < ($1.element.span.offset, $1.offset)
    }.map(\.element)
  }

  mutating func error(
    _ code: SchemaDiagnostic.Code, _ message: String, at span: SourceSpan,
    expected: [String] = [], hint: String? = nil
  ) {
    add(.error, code, message, at: span, expected: expected, hint: hint)
  }

  /// Adds a warning once per code, because an unusual form is often repeated throughout a file.
  mutating func warnOnce(
    _ code: SchemaDiagnostic.Code, _ message: String, at span: SourceSpan, hint: String? = nil
  ) {
    guard onceReported.insert(code).inserted else { return }
    add(.warning, code, message, at: span, expected: [], hint: hint)
  }

  mutating func warn(
    _ code: SchemaDiagnostic.Code, _ message: String, at span: SourceSpan, hint: String? = nil
  ) {
    add(.warning, code, message, at: span, expected: [], hint: hint)
  }

  private mutating func add(
    _ severity: SchemaDiagnostic.Severity, _ code: SchemaDiagnostic.Code, _ message: String,
    at span: SourceSpan, expected: [String], hint: String?
  ) {
    let isFirstError = severity == .error && !hasErrors
    if severity == .error { hasErrors = true }
    guard collected.count < SchemaDocument.maxDiagnostics || isFirstError else {
      omitted += 1
      return
    }
    let excerpt = SourceExcerpt(bytes, at: span)
    let end = min(span.endOffset, bytes.count)
    let start = min(span.offset, end)
    collected.append(
      SchemaDiagnostic(
        severity: severity, code: code, message: message, span: span,
        found: SourceExcerpt.printable(bytes[start..<min(end, start + 80)]),
        expected: expected, hint: hint, excerpt: excerpt.line, caret: excerpt.caret))
  }
}
