import RecordModel

/// The words of a name in `camelCase`, `PascalCase` or `snake_case`, in lower case: `createdAt` has
/// `created` and `at`.
package struct NameWords {
  package let words: [String]

  /// The maximum number of characters that are read.
  private static let maxLength = 255

  package init(_ name: String) {
    var words: [String] = []
    var current: [Character] = []
    let letters = Array(name.prefix(Self.maxLength))
    for (index, letter) in letters.enumerated() {
      let isSeparator = !letter.isLetter && !letter.isNumber
      if isSeparator || Self.startsWord(letters, index), !current.isEmpty {
        words.append(String(current).lowercased())
        current = []
      }
      if !isSeparator { current.append(letter) }
    }
    if !current.isEmpty { words.append(String(current).lowercased()) }
    self.words = words
  }

  private static func startsWord(_ letters: [Character], _ index: Int) -> Bool {
    guard letters[index].isUppercase else { return false }
    if index == 0 || !letters[index - 1].isUppercase { return true }
    // The last letter of an abbreviation begins the next word (URLField), unless its `s` is that of
    // the plural (chatIDs).
    let next = index + 1
    guard next < letters.count, letters[next].isLowercase else { return false }
    let isPlural =
      letters[next] == "s" && (next + 1 == letters.count || !letters[next + 1].isLowercase)
    return !isPlural
  }

  /// The words without anything between them.
  package var joined: String { words.joined() }
  package var first: String { words.first ?? "" }
  package var last: String { words.last ?? "" }

  /// Whether one of the words is among these.
  package func has(_ list: String...) -> Bool { words.contains { list.contains($0) } }

  /// Whether the last word is among these.
  package func ends(_ list: String...) -> Bool { list.contains(last) }

  /// Whether the name contains one of these, across its words.
  package func contains(_ list: String...) -> Bool {
    let joined = joined
    return list.contains { joined.contains($0) }
  }
}

/// Guesses what a field refers to by its name.
///
/// A field counts as a reference to a type if its name ends in the type's name: `chat`, `chatRef`,
/// `parentChat`, and in the plural for lists. A text only counts as a reference if its name says
/// that it is an identifier as well, and nothing else: `chatID`.
package struct ReferenceNames {
  /// The types by the words of their names, the last one in the singular.
  private var types: [[String]: [String]] = [:]
  /// The same by the words without the prefix.
  private var shortTypes: [[String]: [String]] = [:]
  /// The first word of all names, which says nothing: `CD` of Core Data's types.
  private let prefix: String?

  package init(_ schema: CloudSchema) {
    let names = schema.recordTypes.map(\.name)
    let own = names.filter { $0 != SchemaNames.usersType && !SchemaNames.isManaged($0) }
    let all = own.map { NameWords($0).words }
    let first = all.first?.first
    prefix = all.count > 1 && all.allSatisfy { $0.count > 1 && $0.first == first } ? first : nil
    for name in Set(names.map { ExactString($0) }).sorted().map(\.string) {
      let words = NameWords(name).words
      types[Self.singular(words), default: []].append(name)
      shortTypes[Self.singular(stem(words)), default: []].append(name)
    }
  }

  /// Returns the type that a field of a type seems to refer to; nil if its name does not say so.
  package func target(of field: CloudSchema.Field, in recordType: String) -> String? {
    let isReference = field.type.primitive == .reference
    guard isReference || field.type.primitive == .string && !field.type.isEncrypted else {
      return nil
    }
    var words = NameWords(field.name).words
    var isIdentifier = false
    while words.count > 1, let last = words.last {
      let isRecordName = last == "name" && words.dropLast().last == "record"
      guard isRecordName || Self.identifiers.contains(last) else { break }
      words.removeLast()
      isIdentifier = true
    }
    if !isReference {
      // A chat's `chatID` is its own.
      guard isIdentifier, let found = type(called: words), found != recordType,
        found != SchemaNames.usersType, !SchemaNames.isManaged(found)
      else { return nil }
      return found
    }
    for start in words.indices {
      if let found = type(called: Array(words[start...])) { return found }
    }
    return nil
  }

  /// Returns the only type with a name of these words, with or without the common prefix.
  private func type(called words: [String]) -> String? {
    if words.isEmpty { return nil }
    let found =
      types[Self.singular(words)] ?? shortTypes[Self.singular(words)]
      ?? shortTypes[Self.singular(stem(words))] ?? []
    return found.count == 1 ? found[0] : nil
  }

  /// The words without the prefix of Core Data, or of all types.
  private func stem(_ words: [String]) -> [String] {
    guard words.count > 1, let first = words.first, first == "cd" || first == prefix else {
      return words
    }
    return Array(words.dropFirst())
  }

  /// The words after which a name says that a field identifies a record.
  private static let identifiers: Set<String> = [
    "id", "ids", "ref", "refs", "reference", "references", "record", "records", "uuid", "uuids",
  ]

  /// Returns words with the last one in the singular, as far as its ending says what that is.
  private static func singular(_ words: [String]) -> [String] {
    guard let last = words.last else { return words }
    return words.dropLast() + [singular(last)]
  }

  private static func singular(_ word: String) -> String {
    guard word.count > 3, word.hasSuffix("s"), !word.hasSuffix("ss"), !word.hasSuffix("us") else {
      return word
    }
    if word.hasSuffix("ies"), word.count > 4 { return String(word.dropLast(3)) + "y" }
    for ending in ["ches", "shes", "sses", "xes", "zes"] where word.hasSuffix(ending) {
      return String(word.dropLast(2))
    }
    return String(word.dropLast())
  }
}
