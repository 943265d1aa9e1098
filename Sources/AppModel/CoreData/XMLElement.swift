import RecordSchema

/// An element of an XML file, with its place.
///
/// Reads what Xcode writes into models and property lists: elements, attributes, text, comments and a
/// document type without declarations of its own. Foundation's parser would link every tool against
/// the libxml2 of one Linux distribution. Any bytes are accepted; depth, size and number are bounded.
struct XMLElement: Sendable {
  var name: String
  var attributes: [String: String] = [:]
  var children: [XMLElement] = []
  /// The text directly in it.
  var text = ""
  /// The span of the name in the start tag.
  var span: SourceSpan

  func children(named name: String) -> [XMLElement] { children.filter { $0.name == name } }

  /// An error at a place.
  struct Failure: Error {
    var message: String
    var span: SourceSpan
  }

  /// The maximum size of a file in bytes: 16 MiB.
  static let maxSize = 16 << 20
  /// How deep elements may be inside each other. A model has five levels.
  static let maxDepth = 64

  /// Reads a file and returns its root element.
  static func read(_ bytes: [UInt8]) throws(Failure) -> XMLElement {
    var parser = XMLReader(bytes)
    return try parser.read()
  }
}

/// Reads one XML file.
private struct XMLReader {
  private typealias Failure = XMLElement.Failure

  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  private var lineStart = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  mutating func read() throws(XMLElement.Failure) -> XMLElement {
    guard bytes.count <= XMLElement.maxSize else { throw failure("the file is too large") }
    var open: [XMLElement] = []
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "<") {
        if let done = try readTag(&open) { return done }
      } else {
        let text = try readText(until: UInt8(ascii: "<"))
        if !open.isEmpty { open[open.count - 1].text += text }
      }
    }
    throw failure(
      open.last.map { "the file ends inside the element '\($0.name)'" } ?? "there is no element")
  }

  private func failure(_ message: String) -> Failure {
    Failure(message: message, span: span(from: min(position, bytes.count)))
  }

  /// The span from a byte in the current line to the position.
  private func span(from start: Int) -> SourceSpan {
    SourceSpan(
      offset: start, length: max(0, position - start), line: line,
      column: max(0, start - lineStart) + 1)
  }

  private func isAt(_ text: StaticString) -> Bool {
    guard position + text.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[position + $0] == text.utf8Start[$0] }
  }

  private mutating func advance() {
    if bytes[position] == 0x0A {
      line += 1
      lineStart = position + 1
    }
    position += 1
  }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] <= 0x20 { advance() }
  }

  private mutating func skip(past end: StaticString, _ what: String) throws(Failure) {
    while position < bytes.count {
      if isAt(end) {
        position += end.utf8CodeUnitCount
        return
      }
      advance()
    }
    throw failure("\(what) has no end")
  }

  /// Reads a tag, a comment or a declaration. Returns the root element when it ends.
  private mutating func readTag(_ open: inout [XMLElement]) throws(Failure) -> XMLElement? {
    if isAt("<?") {
      try skip(past: "?>", "a processing instruction")
      return nil
    }
    if isAt("<!--") {
      position += 4
      try skip(past: "-->", "a comment")
      return nil
    }
    if isAt("<![CDATA[") {
      position += 9
      let start = position
      try skip(past: "]]>", "a CDATA section")
      if !open.isEmpty {
        open[open.count - 1].text += String(decoding: bytes[start..<(position - 3)], as: UTF8.self)
      }
      return nil
    }
    if isAt("<!") {
      try skipDocumentType()
      return nil
    }
    if isAt("</") {
      position += 2
      let name = try readName()
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: ">") else {
        throw failure("the end tag of '\(name)' is malformed")
      }
      guard let element = open.popLast(), element.name == name else {
        throw failure("the end tag of '\(name)' closes another element")
      }
      position += 1
      return finish(element, &open)
    }
    position += 1
    let start = position
    let name = try readName()
    var element = XMLElement(name: name, span: span(from: start))
    let isEmpty = try readAttributes(of: &element)
    if isEmpty { return finish(element, &open) }
    guard open.count < XMLElement.maxDepth else { throw failure("elements are nested too deeply") }
    open.append(element)
    return nil
  }

  private func finish(_ element: XMLElement, _ open: inout [XMLElement]) -> XMLElement? {
    if open.isEmpty { return element }
    open[open.count - 1].children.append(element)
    return nil
  }

  /// Skips `<!DOCTYPE …>`, as property lists have it. Declarations in it could define entities.
  private mutating func skipDocumentType() throws(Failure) {
    while position < bytes.count, bytes[position] != UInt8(ascii: ">") {
      if bytes[position] == UInt8(ascii: "[") { throw failure("the file declares entities") }
      advance()
    }
    guard position < bytes.count else { throw failure("a declaration has no end") }
    position += 1
  }

  private mutating func readName() throws(Failure) -> String {
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80..., UInt8(ascii: "_"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: ":"):
        position += 1
        continue
      default: break
      }
      break
    }
    guard position > start else { throw failure("a name is expected") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Returns whether the tag ends the element.
  private mutating func readAttributes(of element: inout XMLElement) throws(Failure) -> Bool {
    while true {
      skipSpace()
      guard position < bytes.count else { throw failure("the tag '\(element.name)' has no end") }
      if isAt("/>") {
        position += 2
        return true
      }
      if bytes[position] == UInt8(ascii: ">") {
        position += 1
        return false
      }
      let name = try readName()
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
        throw failure("the attribute '\(name)' has no value")
      }
      position += 1
      skipSpace()
      guard position < bytes.count,
        bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
      else { throw failure("the value of '\(name)' is not quoted") }
      let quote = bytes[position]
      position += 1
      let value = try readText(until: quote)
      guard position < bytes.count else { throw failure("the value of '\(name)' has no end") }
      position += 1
      guard element.attributes.updateValue(value, forKey: name) == nil else {
        throw failure("'\(element.name)' has the attribute '\(name)' twice")
      }
    }
  }

  /// Reads text with character references, up to a byte that is not read.
  private mutating func readText(until end: UInt8) throws(Failure) -> String {
    var result: [UInt8] = []
    while position < bytes.count, bytes[position] != end {
      if bytes[position] == UInt8(ascii: "&") {
        result += Array(String(try readReference()).utf8)
      } else {
        result.append(bytes[position])
        advance()
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func readReference() throws(Failure) -> Unicode.Scalar {
    let start = position + 1
    var end = start
    while end < bytes.count, end - start < 10, bytes[end] != UInt8(ascii: ";") { end += 1 }
    guard end < bytes.count, bytes[end] == UInt8(ascii: ";") else {
      throw failure("a character reference is malformed")
    }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    position = end + 1
    let named: [String: Unicode.Scalar] = [
      "lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'",
    ]
    if let scalar = named[name] { return scalar }
    let number =
      name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
    guard name.hasPrefix("#"), let number, let scalar = Unicode.Scalar(number) else {
      throw failure("'&\(name);' is not a character")
    }
    return scalar
  }
}
