import RecordModel

/// The words of the persons in a source, the names of its records and users, and what of it can be in the texts that
/// stay, as hashes.
struct PersonalWords: Sendable {
  private var names: Set<Int> = []
  private var identifiers: Set<Int> = []
  private var kept: [AnonymisationReport.Key: Set<Int>] = [:]
  private var keptNames: [AnonymisationReport.Key: Set<Int>] = [:]
  private var keptCount = 0
  /// Whether there were more words than can be compared.
  private(set) var isFull = false

  private static let maxCount = 1 << 20
  /// Shorter words are words of a language too often, but where a letter is a syllable or more.
  private static func isLong(_ word: some StringProtocol) -> Bool {
    word.count >= 4 || word.count >= 2 && word.unicodeScalars.allSatisfy { $0.value >= 0x3041 }
  }

  /// Notes the words of a person's name or address.
  mutating func learn(_ text: String) {
    // Everybody has the domain of an email address.
    let text = text.prefix { $0 != "@" }
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
    if let email = identity.lookupInfo?.emailAddress { learn(email) }
  }

  /// Notes the name of a record, user or zone that does not stay.
  mutating func learn(name: String) {
    guard name.utf8.count >= Self.shortestName else { return }
    guard identifiers.count < Self.maxCount else { return isFull = true }
    identifiers.insert(name.hashValue)
  }

  /// Shorter names are found by chance too often.
  private static let shortestName = 4

  /// Notes the words of a text that stays, and its parts that can be names of records or users.
  mutating func keep(_ text: String, _ key: AnonymisationReport.Key) {
    Self.forEachWord(of: text) { insert($0, key, \.kept) }
    if text.utf8.count <= 255 { insert(text.hashValue, key, \.keptNames) }
    for run in text.split(whereSeparator: { $0.isWhitespace || ",;!()[]{}<>\"'`".contains($0) }) {
      forEachPart(of: run) { insert($0.hashValue, key, \.keptNames) }
    }
  }

  private mutating func insert(
    _ hash: Int, _ key: AnonymisationReport.Key,
    _ sets: WritableKeyPath<Self, [AnonymisationReport.Key: Set<Int>]>
  ) {
    guard keptCount < Self.maxCount else { return isFull = true }
    if self[keyPath: sets][key, default: []].insert(hash).inserted { keptCount += 1 }
  }

  /// Calls `body` with each part of a word that begins and ends at its punctuation, up to six pieces long: an address
  /// such as `config-_bfc6` has `config` and `_bfc6`.
  private func forEachPart(of word: Substring, _ body: (Substring) -> Void) {
    let isBetween = { (letter: Character) in "-.:/@=?&#+|~".contains(letter) }
    var starts = [word.startIndex]
    var ends: [Substring.Index] = []
    for index in word.indices where isBetween(word[index]) {
      ends.append(index)
      starts.append(word.index(after: index))
    }
    ends.append(word.endIndex)
    for first in starts.indices {
      for last in first..<min(first + 6, ends.count) {
        let part = word[starts[first]..<ends[last]]
        if 4...255 ~= part.utf8.count { body(part) }
      }
    }
  }

  private static func forEachWord(of text: some StringProtocol, _ body: (Int) -> Void) {
    for word in text.split(whereSeparator: { !$0.isLetter }) where isLong(word) {
      body(word.lowercased().hashValue)
    }
  }

  mutating func add(_ other: PersonalWords) {
    names.formUnion(other.names)
    identifiers.formUnion(other.identifiers)
    kept.merge(other.kept) { $0.union($1) }
    keptNames.merge(other.keptNames) { $0.union($1) }
    isFull = isFull || other.isFull
  }

  /// Calls `body` with each field that keeps words of names, or names of records or users, and their number.
  func forEachMatch(_ body: (AnonymisationReport.Key, PersonalKind, Int) -> Void) {
    for (key, words) in kept {
      let count = words.count { names.contains($0) }
      if count > 0 { body(key, .name, count) }
    }
    for (key, parts) in keptNames {
      let count = parts.count { identifiers.contains($0) }
      if count > 0 { body(key, .identifier, count) }
    }
  }
}
