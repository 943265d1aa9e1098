import Yams

/// A value in YAML that people write, such as plans, recipes and configurations, with its place.
package struct YAMLNode {
  package let node: Node
  /// The display name of the file.
  package let file: String

  package init(node: Node, file: String) {
    self.node = node
    self.file = file
  }

  /// Parses a document.
  ///
  /// - Parameters:
  ///   - yaml: The text.
  ///   - file: The name of the file in messages.
  ///   - maxSize: The most bytes that the text may have.
  ///   - noun: The kind of document in messages, such as `plan`.
  ///   - tagHint: An addition to the message about tags.
  /// - Returns: The root, or `nil` if there are only comments.
  /// - Throws: ``YAMLError``.
  package static func root(
    of yaml: String, file: String, maxSize: Int, noun: String, tagHint: String = ""
  ) throws -> YAMLNode? {
    let document = BoundedYAML(yaml: yaml, file: file, noun: noun, tagHint: tagHint)
    return try document.root(maxSize: maxSize).map { YAMLNode(node: $0, file: file) }
  }

  /// The line, from 1.
  package var line: Int { node.mark?.line ?? 1 }
  /// The column, from 1.
  package var column: Int { node.mark?.column ?? 1 }

  /// Returns an error at the place of the value.
  package func error(_ message: String) -> YAMLError {
    YAMLError(file: file, line: line, column: column, message)
  }

  /// Whether this is a plain scalar that YAML reads as null.
  package var isNull: Bool {
    node.scalar.map { $0.style == .plain && ["", "~", "null", "Null", "NULL"].contains($0.string) }
      ?? false
  }

  /// The value as shown in messages.
  package var kind: String {
    if node.sequence != nil { return "a list" }
    if node.mapping != nil { return "a mapping" }
    return node.scalar.map { "'\(String($0.string.prefix(40)).printable)'" } ?? "something else"
  }

  package func text(_ what: String) throws -> String {
    let text = try anyText(what)
    guard !text.isEmpty else { throw error("\(what) is empty") }
    return text
  }

  /// Returns a string that may be empty, such as a separator.
  package func anyText(_ what: String) throws -> String {
    guard let text = node.scalar?.string else { throw error("\(what) is a string, not \(kind)") }
    return text
  }

  package func bool(_ what: String) throws -> Bool {
    switch node.scalar?.string {
    case "true": return true
    case "false": return false
    default: throw error("\(what) is true or false, not \(kind)")
    }
  }

  package func elements(_ what: String, each: String = "[a, b]") throws -> [YAMLNode] {
    guard let sequence = node.sequence else {
      throw error("\(what) is a list, not \(kind): \(each)")
    }
    return sequence.map { YAMLNode(node: $0, file: file) }
  }

  package func texts(_ what: String) throws -> [String] {
    if node.scalar != nil { return [try text(what)] }
    return try elements(what).map { try $0.text("an element of '\(what)'") }
  }

  /// Returns the case of an enumeration that the text names.
  package func one<Word: CaseIterable & RawRepresentable<String>>(_ what: String) throws -> Word {
    try word(text(what), what)
  }

  /// Returns the cases of an enumeration that the list names.
  package func several<Word: CaseIterable & RawRepresentable<String>>(
    _ what: String
  ) throws -> [Word] {
    try texts(what).map { try word($0, what) }
  }

  private func word<Word: CaseIterable & RawRepresentable<String>>(
    _ text: String, _ what: String
  ) throws -> Word {
    guard let word = Word(rawValue: text) else {
      let known = Word.allCases.map(\.rawValue)
      throw error(
        "there is no \(what) '\(text.printable)'" + NearNames.advice(text, among: known))
    }
    return word
  }

  package func members(_ what: String) throws -> YAMLMembers {
    guard let mapping = node.mapping else {
      throw error("\(what) is a mapping of keys to values, not \(kind)")
    }
    return try YAMLMembers(
      mapping.map { (YAMLNode(node: $0.key, file: file), YAMLNode(node: $0.value, file: file)) },
      of: self)
  }
}

/// The members of a mapping.
package struct YAMLMembers {
  /// All members, for mappings whose keys are data.
  package let pairs: [(key: YAMLNode, value: YAMLNode)]
  package let mapping: YAMLNode

  fileprivate init(_ pairs: [(YAMLNode, YAMLNode)], of mapping: YAMLNode) throws {
    self.pairs = pairs.map { (key: $0, value: $1) }
    self.mapping = mapping
    var seen: Set<String> = []
    for (key, _) in pairs {
      guard let name = key.node.scalar?.string else { throw key.error("a key must be a word") }
      guard seen.insert(name).inserted else {
        throw key.error("'\(name.printable)' is repeated")
      }
    }
  }

  package subscript(_ name: String) -> YAMLNode? {
    pairs.first { $0.key.node.scalar?.string == name }?.value
  }

  package func required(_ name: String, _ purpose: String) throws -> YAMLNode {
    guard let value = self[name] else { throw error("'\(name)' is missing: \(purpose)") }
    return value
  }

  /// Returns an error at the place of the mapping.
  package func error(_ message: String) -> YAMLError { mapping.error(message) }

  /// Returns a key that looks like a misspelling of a word.
  package func key(near word: String) -> YAMLNode? {
    pairs.map(\.key).first { key in
      key.node.scalar.map { !NearNames.hint($0.string, among: [word]).isEmpty } ?? false
    }
  }

  package var names: [String] { pairs.compactMap { $0.key.node.scalar?.string } }

  /// Throws if there are other keys than these.
  package func allow(_ known: [String], in what: String) throws {
    for (key, _) in pairs {
      let name = key.node.scalar?.string ?? ""
      guard known.contains(name) else {
        throw key.error("\(what) has no '\(name.printable)'" + NearNames.advice(name, among: known))
      }
    }
  }
}
