import Foundation
import RecordModel

/// The look of the values of a field.
struct FieldSample {
  /// The rule of a field in a draft, its reason and its alternatives.
  struct Choice {
    var rule: PolicyRule
    /// Why.
    var note: String?
    /// The rules that it can have instead, with what speaks against each.
    var proposals: [(rule: PolicyRule, note: String)] = []
  }

  private let type: ValueType
  private var isEncrypted: Bool
  /// Whether there are values of several types.
  private var isMixed = false
  private var texts = 0
  private var emails = 0
  private var phones = 0
  private var urls = 0
  private var identifiers = 0
  private var words = 0
  private var mentions = 0
  private var numbers = 0
  private var personalNumbers = 0
  private var forms = TextForms()
  /// The classes of keyed archives; an empty name for other bytes.
  private var archives: Set<String> = []
  /// The persons who have each value, and the number of its records, up to a number of values.
  private var values: [RecordValue: (persons: Set<Int>, records: Int)] = [:]
  private var hasMore = false

  /// A field with more values is no list of cases.
  private static let maxDistinct = 24
  /// Persons are counted exactly up to this number.
  private static let maxPersons = 1000
  /// Values that fewer persons have could tell whose they are.
  static let smallestGroup = 5

  init(_ type: ValueType, isEncrypted: Bool) {
    self.type = type
    self.isEncrypted = isEncrypted
  }

  /// References always refer to pseudonyms, so they need no rule.
  var isOfReferences: Bool { type == .reference || type == .referenceList }

  /// Whether most values are names of users or records, or UUIDs.
  var isOfIdentifiers: Bool { isMost(identifiers) }

  /// - Parameters:
  ///   - names: The names of records, as hashes.
  ///   - person: The person of the record, as a hash.
  mutating func add(_ field: Field, _ names: Set<Int>, person: Int) {
    isEncrypted = isEncrypted || field.isEncrypted
    isMixed = isMixed || field.value.type != type
    switch field.value {
    case .string(let text): add(text, names, person)
    case .stringList(let list): for text in list { add(text, names, person) }
    case .int64(let number): add(field.value, Double(number), PersonalKind.all(in: number), person)
    case .double(let number): add(field.value, number, PersonalKind.all(in: number), person)
    // A list of numbers is a fingerprint.
    case .int64List, .doubleList: hasMore = true
    case .bytes(let data): add(data, person)
    default: break
    }
  }

  private mutating func add(
    _ value: RecordValue, _ number: Double, _ kinds: Set<PersonalKind>, _ person: Int
  ) {
    numbers += 1
    if !kinds.isEmpty { personalNumbers += 1 }
    forms.add(number)
    count(value, person)
  }

  private mutating func count(_ value: RecordValue, _ person: Int) {
    guard !hasMore else { return }
    guard values.count < Self.maxDistinct || values[value] != nil else {
      hasMore = true
      values = [:]
      return
    }
    values[value, default: ([], 0)].records += 1
    guard values[value]?.persons.count ?? 0 < Self.maxPersons else { return }
    values[value]?.persons.insert(person)
  }

  private mutating func add(_ text: String, _ names: Set<Int>, _ person: Int) {
    guard !text.isEmpty else { return }
    texts += 1
    forms.add(text, person)
    if EmailAddress.matches(text) {
      emails += 1
    } else if PhoneNumber.matches(text) {
      phones += 1
    } else if text.contains("://"), !text.contains(" ") {
      urls += 1
    } else if Self.isIdentifier(text) || names.contains(text.hashValue) {
      identifiers += 1
    } else if Self.isWord(text) {
      words += 1
    }
    // Only fields with few values are proposed to stay.
    if !hasMore, values[.string(text)] == nil, !PersonalKind.all(in: text).isEmpty { mentions += 1 }
    count(.string(text), person)
  }

  private mutating func add(_ data: Data, _ person: Int) {
    forms.add(String(decoding: data, as: UTF8.self), person)
    guard archives.count < 2 else { return }
    archives.insert(MadeUpArchive.rootClass(of: data) ?? "")
  }

  private static func isIdentifier(_ text: String) -> Bool {
    switch CompactName(text) {
    case .upperUUID, .lowerUUID, .user: true
    case .text:
      text.utf8.count == 33 && text.hasPrefix("_")
        && text.dropFirst().allSatisfy { $0.isHexDigit }
    }
  }

  /// Whether a text looks like the name of a case in code.
  static func isWord(_ text: String) -> Bool {
    text.utf8.count <= 24
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_-.".contains($0)) }
  }

  private func isMost(_ count: Int) -> Bool { texts > 0 && count * 10 >= texts * 9 }

  // MARK: The rule

  /// Returns a rule that keeps nothing, and what it can be instead.
  ///
  /// - Parameters:
  ///   - fields: The names of all fields of the type.
  ///   - persons: The number of persons in the source.
  func choice(
    for name: String, of recordType: String, among fields: Set<String>, persons: Int
  ) -> Choice {
    if isMixed {
      return Choice(rule: PolicyRule(.cover(type)), note: "values of several types")
    }
    let word = FieldWord.find(in: name)
    let isFew = persons < Self.smallestGroup
    let form = forms.textRule(isFew: isFew)
    var (rule, note) = replacement(word, name, hasForm: form != nil)
    if type == .string, rule == .text,
      let found = AnonymisationPolicy.coreDataRule(for: name, of: recordType, among: fields)
    {
      (rule, note) = (found, "a relationship or UUID of Core Data")
    }
    if isEncrypted { note = ["encrypted", note].compactMap(\.self).joined(separator: "; ") }
    var choice = Choice(rule: PolicyRule(rule), note: note)
    guard word?.isPersonal != true, ![.identifier, .email, .phone].contains(rule) else {
      return choice
    }
    choice.proposals = classProposals(rule, form)
    if !isEncrypted { choice.proposals += keepProposals(word, persons, isFew: isFew) }
    return choice
  }

  private func replacement(
    _ word: FieldWord?, _ name: String, hasForm: Bool
  ) -> (rule: AnonymisationRule, note: String?) {
    let personal = word?.isPersonal == true ? "the name looks personal" : nil
    switch type.elementType ?? type {
    case .string: return textRule(word, personal, name, hasForm)
    case .int64, .double:
      if personal == nil, numbers > 0, 2 * personalNumbers >= numbers {
        return (.number, "the values look like phone numbers, coordinates or dates")
      }
      return (.number, personal)
    case .timestamp: return (.date, personal)
    case .location: return (.place, nil)
    case .bytes, .asset: return (.content, nil)
    default: return (.identifier, nil)
    }
  }

  private func textRule(
    _ word: FieldWord?, _ personal: String?, _ name: String, _ hasForm: Bool
  ) -> (rule: AnonymisationRule, note: String?) {
    if isMost(emails) { return (.email, "email addresses") }
    if isMost(identifiers) { return (.identifier, "UUIDs, or names of records or users") }
    if isMost(phones), word != .code, !hasForm { return (.phone, "phone numbers") }
    if isMost(urls) { return (.url, "URLs") }
    switch word {
    case .email?: return (.email, personal)
    case .phone?: return (.phone, personal)
    case .url?: return (.url, nil)
    case .person?:
      let isNumber = ["id", "ids", "number", "nr", "no", "key", "code", "nummer", "numero"]
        .contains { name.lowercased().hasSuffix($0) }
      return (isNumber ? .identifier : .name, personal)
    case .secret?, .place?, .birth?: return (.text, personal)
    case .code?, nil:
      return (.text, mentions > 0 ? "some values have addresses, numbers, places or dates" : nil)
    }
  }

  // MARK: Proposals

  /// Rules that keep the form of the values, which all of them have.
  private func classProposals(
    _ rule: AnonymisationRule, _ form: PolicyRule?
  ) -> [(rule: PolicyRule, note: String)] {
    let json = "the keys, and which of them a value has"
    let isFlag =
      !hasMore && !values.isEmpty && values.keys.allSatisfy { $0 == .int64(0) || $0 == .int64(1) }
    switch type.elementType ?? type {
    case .int64 where isFlag: return [(PolicyRule(.flag), "all values are 0 or 1")]
    case .int64 where numbers > 0 && 2 * personalNumbers < numbers,
      .double where numbers > 0 && 2 * personalNumbers < numbers:
      let found = forms.numberRule(isWhole: type.single == .int64)
      return found.map { [($0, "the range, which this line shows")] } ?? []
    case .string where rule == .text || rule == .url:
      return form.map { [($0, $0.rule == .json ? json : "the form of all values")] } ?? []
    case .bytes where archives.count == 1 && archives.first != "":
      return archives.map { (PolicyRule(.archive, .words([$0])), "the class of all values") }
    case .bytes where form?.rule == .json: return form.map { [($0, json)] } ?? []
    default: return []
    }
  }

  /// Rules that keep values which enough persons have.
  private func keepProposals(
    _ word: FieldWord?, _ persons: Int, isFew: Bool
  ) -> [(rule: PolicyRule, note: String)] {
    let isText = type.single == .string
    guard !hasMore, !values.isEmpty, mentions == 0, isText ? isMost(words) : numbers > 0,
      2 * personalNumbers <= numbers
    else { return [] }
    // Of fewer persons, only what the name says to be a list of cases.
    guard !isFew || word == .code else { return [] }
    let shown = values.filter { _, count in
      isFew ? count.records >= Self.smallestGroup : count.persons.count >= Self.smallestGroup
    }
    var list: [(text: String, persons: Int)] = shown.compactMap { value, count in
      switch value {
      case .string(let text): Self.isWord(text) ? (text, count.persons.count) : nil
      case .int64(let number): (String(number), count.persons.count)
      case .double(let number): (number.short, count.persons.count)
      default: nil
      }
    }
    list.sort { compareUTF8($0.text, $1.text) < 0 }
    guard !list.isEmpty else { return [] }
    let counts = list.map { "\($0.text) \(Self.number($0.persons))" }.joined(separator: ", ")
    var note = "persons: \(counts) of \(Self.number(persons))"
    let others = values.count - list.count
    if others > 0 { note += "; others, of fewer than \(Self.smallestGroup), are redacted" }
    if isFew { note += "; who knows one of them knows the values" }
    let words = list.map(\.text)
    let random = (PolicyRule(.enumeration, .words(words)), "one of these, whatever the value is")
    return (words.count > 1 ? [random] : []) + [(PolicyRule(.keep, .words(words)), note)]
  }

  private static func number(_ persons: Int) -> String {
    persons >= maxPersons ? "\(maxPersons) or more" : "\(persons)"
  }
}
