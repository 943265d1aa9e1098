/// Splits the bytes of a schema into tokens and comments, in one pass without recursion or copying.
struct SchemaLexer {
  let bytes: [UInt8]
  private(set) var position: Int
  private(set) var line = 1
  /// The offset of the first byte of the line.
  private var lineStart: Int
  /// The number of UTF-8 continuation bytes since the start of the line. They do not count as
  /// columns.
  private var continuationBytes = 0

  init(_ bytes: [UInt8], from start: Int = 0) {
    self.bytes = bytes
    position = start
    lineStart = start
  }

  /// Returns the next token. Appends preceding comments to `comments` and the locations of
  /// unterminated comments to `faults`.
  mutating func next(comments: inout [RawComment], faults: inout [SourceSpan]) -> SchemaToken {
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case 0x20, 0x09, 0x0B, 0x0C: position += 1
      case 0x0A, 0x0D: lineBreak()
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"),
        UInt8(ascii: "-") where peek(1) == UInt8(ascii: "-"):
        comments.append(lineComment())
      case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
        comments.append(blockComment(faults: &faults))
      default: return token(startingWith: byte)
      }
    }
    return finish(.end, from: mark())
  }

  // MARK: - Tokens

  private mutating func token(startingWith byte: UInt8) -> SchemaToken {
    if Self.isNameByte(byte) { return word() }
    let start = mark()
    position += 1
    let kind: SchemaToken.Kind =
      switch byte {
      case UInt8(ascii: "("): .leftParenthesis
      case UInt8(ascii: ")"): .rightParenthesis
      case UInt8(ascii: "<"): .leftAngle
      case UInt8(ascii: ">"): .rightAngle
      case UInt8(ascii: ","): .comma
      case UInt8(ascii: ";"): .semicolon
      case UInt8(ascii: "\""): quoted()
      default: .unknown
      }
    return finish(kind, from: start)
  }

  /// Reads a word, including dots, hyphens and non-ASCII letters, so that an invalid name is
  /// reported as one name and not in pieces.
  private mutating func word() -> SchemaToken {
    let start = mark()
    while position < bytes.count {
      let byte = bytes[position]
      if Self.isNameByte(byte) {
        advance(past: byte)
      } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-"),
        let next = peek(1), Self.isNameByte(next)
      {
        position += 1
      } else {
        break
      }
    }
    var token = finish(.word, from: start)
    token.keyword = SchemaKeyword(spelling: bytes[start.offset..<position])
    return token
  }

  private mutating func quoted() -> SchemaToken.Kind {
    while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
      let byte = bytes[position]
      advance(past: byte)
      if byte == UInt8(ascii: "\"") { return .quoted }
    }
    return .unterminatedQuoted
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    SchemaNames.isASCIILetter(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "_")
      || byte >= 0x80
  }

  // MARK: - Comments

  private mutating func lineComment() -> RawComment {
    let start = mark()
    while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D {
      advance(past: bytes[position])
    }
    return RawComment(
      span: span(from: start), isLineComment: true, isFollowedByBlankLine: isFollowedByBlankLine())
  }

  private mutating func blockComment(faults: inout [SourceSpan]) -> RawComment {
    let start = mark()
    position += 2
    var isClosed = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
        position += 2
        isClosed = true
        break
      }
      if byte == 0x0A || byte == 0x0D {
        lineBreak()
      } else {
        advance(past: byte)
      }
    }
    let whole = span(from: start)
    if !isClosed {
      faults.append(
        SourceSpan(offset: whole.offset, length: 2, line: whole.line, column: whole.column))
    }
    return RawComment(
      span: whole, isLineComment: false, isFollowedByBlankLine: isFollowedByBlankLine())
  }

  /// Whether the white space that follows contains two line breaks.
  private func isFollowedByBlankLine() -> Bool {
    var index = position
    var breaks = 0
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x09, 0x0B, 0x0C: break
      case 0x0D where index + 1 < bytes.count && bytes[index + 1] == 0x0A: break
      case 0x0A, 0x0D: breaks += 1
      default: return breaks >= 2
      }
      if breaks >= 2 { return true }
      index += 1
    }
    return false
  }

  // MARK: - Positions

  private struct Mark {
    var offset: Int
    var line: Int
    var column: Int
  }

  private func mark() -> Mark {
    Mark(offset: position, line: line, column: position - lineStart - continuationBytes + 1)
  }

  private func span(from start: Mark) -> SourceSpan {
    SourceSpan(
      offset: start.offset, length: position - start.offset, line: start.line, column: start.column)
  }

  private func finish(_ kind: SchemaToken.Kind, from start: Mark) -> SchemaToken {
    SchemaToken(kind: kind, span: span(from: start), end: span(from: mark()))
  }

  private func peek(_ distance: Int) -> UInt8? {
    let index = position + distance
    return index < bytes.count ? bytes[index] : nil
  }

  private mutating func advance(past byte: UInt8) {
    if byte & 0xC0 == 0x80 { continuationBytes += 1 }
    position += 1
  }

  /// Advances past `\n`, `\r\n` or a single `\r`.
  private mutating func lineBreak() {
    position += bytes[position] == 0x0D && peek(1) == 0x0A ? 2 : 1
    line += 1
    lineStart = position
    continuationBytes = 0
  }
}

/// A token of the schema language.
struct SchemaToken {
  enum Kind {
    /// A run of name bytes: a keyword or an unquoted name, as the parser decides.
    case word
    /// A name in quotation marks, which the span includes.
    case quoted
    /// A name without a closing quotation mark on its line.
    case unterminatedQuoted
    case leftParenthesis, rightParenthesis, leftAngle, rightAngle, comma, semicolon
    /// A character that is not part of the language.
    case unknown
    /// The end of the file.
    case end
  }

  var kind: Kind
  var span: SourceSpan
  /// The empty span after the token, where something may be missing.
  var end: SourceSpan
  /// The keyword that a word spells, in any case.
  var keyword: SchemaKeyword?
}

/// A comment as found by the lexer.
struct RawComment {
  var span: SourceSpan
  var isLineComment: Bool
  var isFollowedByBlankLine: Bool
}

/// Finds invalid UTF-8.
package enum UTF8Check {
  /// Returns the location of the first byte that does not begin a valid character.
  package static func firstBrokenSpan(in bytes: [UInt8]) -> SourceSpan? {
    firstBrokenByte(in: bytes, from: 0).map { place(of: $0, in: bytes, behind: .start) }
  }

  /// Returns the offset of the first byte that does not begin a valid character, starting from a
  /// character boundary.
  static func firstBrokenByte(in bytes: [UInt8], from start: Int) -> Int? {
    // Most text is valid. The text after a first error is not checked as a whole again.
    if start == 0, String(validating: bytes, as: UTF8.self) != nil { return nil }
    var rest = bytes[start...].makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    var offset = start
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let character): offset += character.count
      case .error: return offset
      case .emptyInput: return nil
      }
    }
  }

  /// Returns the location of a byte, given the location where the enclosing text starts.
  static func place(of offset: Int, in bytes: [UInt8], behind start: SourceSpan) -> SourceSpan {
    var (line, column) = (start.line, start.column)
    for index in start.offset..<offset {
      let byte = bytes[index]
      // In `\r\n`, the second byte ends the line.
      if byte == 0x0A || byte == 0x0D && bytes[index + 1] != 0x0A {
        (line, column) = (line + 1, 1)
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return SourceSpan(offset: offset, length: 1, line: line, column: column)
  }
}

/// The keywords of the schema language.
enum SchemaKeyword: String, CaseIterable {
  case define = "DEFINE"
  case schema = "SCHEMA"
  case create = "CREATE"
  case role = "ROLE"
  case record = "RECORD"
  case type = "TYPE"
  case grant = "GRANT"
  case read = "READ"
  case write = "WRITE"
  case to = "TO"
  case queryable = "QUERYABLE"
  case sortable = "SORTABLE"
  case searchable = "SEARCHABLE"
  case list = "LIST"
  case encrypted = "ENCRYPTED"
  case preferred = "PREFERRED"
  case `as` = "AS"
  case asset = "ASSET"
  case bytes = "BYTES"
  case double = "DOUBLE"
  case int64 = "INT64"
  case location = "LOCATION"
  case number = "NUMBER"
  case reference = "REFERENCE"
  case string = "STRING"
  case timestamp = "TIMESTAMP"

  var primitive: CloudSchema.Primitive? { CloudSchema.Primitive(rawValue: rawValue) }

  var option: CloudSchema.IndexOptions? {
    CloudSchema.IndexOptions.keywords.first { $0.keyword == rawValue }?.option
  }

  var permission: CloudSchema.Permissions? {
    CloudSchema.Permissions.keywords.first { $0.keyword == rawValue }?.permission
  }

  /// Whether a data type can begin with the keyword.
  var startsType: Bool { primitive != nil || self == .list || self == .encrypted }

  private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

  /// Creates the keyword that the bytes spell in any case.
  init?(spelling bytes: ArraySlice<UInt8>) {
    guard bytes.count <= 10,
      let keyword = Self.named[String(decoding: bytes, as: UTF8.self).uppercased()]
    else { return nil }
    self = keyword
  }
}
