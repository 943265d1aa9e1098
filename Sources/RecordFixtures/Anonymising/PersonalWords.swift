import RecordModel

/// The words of the persons in a source, and the words of the texts that stay, as hashes.
struct PersonalWords: Sendable {
  private var names: Set<Int> = []
  private var kept: [Key: Set<Int>] = [:]
  private var keptCount = 0
  /// Whether there were more words than can be compared.
  private(set) var isFull = false

  private struct Key: Hashable {
    var recordType: String
    var field: String
  }

  private static let maxCount = 1 << 20
  /// Shorter words are words of a language too often, but where a letter is a syllable or more.
  private static func isLong(_ word: Substring) -> Bool {
    word.count >= 4 || word.count >= 2 && word.unicodeScalars.allSatisfy { $0.value >= 0x3041 }
  }

  /// Notes the words of a person's name or address.
  mutating func learn(_ text: String, _ rule: AnonymisationRule = .name) {
    guard rule != .phone else { return }
    // Everybody has the domain of an email address.
    let text = rule == .email ? String(text.prefix { $0 != "@" }) : text
    Self.forEachWord(of: text) { word in
      guard names.count < Self.maxCount else { return isFull = true }
      names.insert(word)
    }
  }

  /// Notes the names of a share's participants.
  mutating func learn(_ share: Share) {
    let people = share.participants + [share.owner, share.currentUserParticipant].compactMap { $0 }
    for identity in people.map(\.userIdentity) { learn(identity) }
  }

  mutating func learn(_ identity: UserIdentity) {
    let name = identity.nameComponents
    for part in [name?.givenName, name?.middleName, name?.familyName, name?.nickname] {
      if let part { learn(part) }
    }
    if let email = identity.lookupInfo?.emailAddress { learn(email, .email) }
  }

  /// Notes the words of a text that stays.
  mutating func keep(_ text: String, _ recordType: String, _ field: String) {
    let key = Key(recordType: recordType, field: field)
    Self.forEachWord(of: text) { word in
      guard keptCount < Self.maxCount else { return isFull = true }
      if kept[key, default: []].insert(word).inserted { keptCount += 1 }
    }
  }

  private static func forEachWord(of text: String, _ body: (Int) -> Void) {
    for word in text.split(whereSeparator: { !$0.isLetter }) where isLong(word) {
      body(word.lowercased().hashValue)
    }
  }

  mutating func add(_ other: PersonalWords) {
    names.formUnion(other.names)
    for (key, words) in other.kept { kept[key, default: []].formUnion(words) }
    isFull = isFull || other.isFull
  }

  /// Calls `body` with each field that keeps words of names, and the number of those words.
  func forEachMatch(_ body: (_ recordType: String, _ field: String, _ words: Int) -> Void) {
    for (key, words) in kept {
      let count = words.count { names.contains($0) }
      if count > 0 { body(key.recordType, key.field, count) }
    }
  }
}
