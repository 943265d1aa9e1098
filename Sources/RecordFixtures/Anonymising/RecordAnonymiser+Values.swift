import Foundation
import RecordModel
import RecordPlatform

extension RecordAnonymiser {
  /// The input of the replacements of a record's values, beside the values.
  struct Context {
    private let anonymiser: RecordAnonymiser
    /// The creator of the record, or the owner of its zone.
    private let userName: String
    let seed: UInt64
    /// Chooses the values of the current field.
    var values: MadeUpValues
    /// The traces that remain of the record; nil outside records.
    var trace: RecordTrace?
    private var dates: OrderedDates?

    init(_ anonymiser: RecordAnonymiser, owner: String, seed: UInt64, trace: RecordTrace? = nil) {
      (self.anonymiser, self.seed, userName) = (anonymiser, seed, owner)
      self.trace = trace
      values = MadeUpValues(seed: seed)
    }

    /// Notes what remains of the system fields.
    mutating func noteStamps(_ created: RecordStamp?, _ modified: RecordStamp?, _ tag: String?) {
      trace?.note([
        created?.date == nil, created?.userRecordName == nil, created?.deviceID == nil,
        modified?.date == nil, modified?.userRecordName == nil, modified?.deviceID == nil,
        tag == nil,
      ])
      if anonymiser.settings.policy.dates != .date {
        trace?.add(date: created?.date)
        trace?.add(date: modified?.date)
      }
    }

    /// The place of a date in the order of the record's dates with the rule ``AnonymisationRule/dateOrder``.
    func rank(of date: Date) -> Int { dates?.rank(of: date) ?? 0 }

    /// How dates and places of the user move.
    var shift: UserShift { anonymiser.user(named: userName).shift }

    /// Chooses the dates of the record with the rule ``AnonymisationRule/dateOrder``.
    mutating func orderDates(_ old: some Sequence<RecordValue>) {
      var values = MadeUpValues(seed: seed)
      dates = OrderedDates(old.flatMap { $0.all(Date.self) }, &values)
    }

    /// Returns a date that replaces one by the rule ``AnonymisationRule/dateOrder``.
    mutating func date(inOrder date: Date) -> Date {
      dates?.replacement(of: date) ?? values.date()
    }

    /// Returns what replaces a creation or deletion date, or the later modification date.
    func systemDate(_ date: Date, isLater: Bool = false) -> Date {
      switch anonymiser.settings.policy.dates {
      case .date:
        var values = MadeUpValues(seed: seed)
        let (one, two) = (values.date(), values.date())
        return isLater ? max(one, two) : min(one, two)
      case .shift: return shift.shift(date)
      case .keep: return date
      }
    }
  }

  // MARK: Values

  /// Returns what replaces a value by a rule that applies to its type.
  ///
  /// - Parameter value: Returns the value; called if the replacement depends on it.
  func replace(
    _ type: ValueType, by fieldRule: PolicyRule, _ state: FieldState, _ context: inout Context,
    _ value: () -> RecordValue
  ) -> RecordValue {
    let rule = fieldRule.rule
    switch rule {
    case .keep, .keepIf, .round:
      let value = value()
      let (new, isKept) = remains(of: value, by: fieldRule, state)
      state.report.note(isKept: isKept)
      return new
    default: state.report.note(isKept: false)
    }
    switch rule {
    case .redact: return Self.constant(type)
    case .name, .nameConsistent, .email, .emailConsistent:
      value().all(String.self).forEach { personal.learn($0) }
    default: break
    }
    let keepsElements = self.rule(fieldRule, for: type.single).keepsElements
    guard type.isList else {
      let old = keepsElements || Self.needsValue(type) ? value() : Self.constant(type)
      return replace(old, by: fieldRule, state, at: 0, &context)
    }
    let old = elements(of: type.single, keepsElements, value, &context)
    let new = old.enumerated().map {
      replace($1, by: fieldRule, state, at: UInt64($0), &context)
    }
    let list = RecordValue(list: new, of: type.single) ?? .emptyList
    guard case .timestampList(let dates) = list, !keepsElements else { return list }
    return .timestampList(dates.sorted())
  }

  /// The rule of values: that of all assets is in the policy.
  private func rule(_ fieldRule: PolicyRule, for type: ValueType) -> AnonymisationRule {
    guard type == .asset else { return fieldRule.rule }
    return AnonymisationRule(rawValue: settings.policy.assets.rawValue) ?? .content
  }

  /// Whether what replaces a value depends on it by any rule: on the kind of a file, or on the record that
  /// a reference is to.
  private static func needsValue(_ type: ValueType) -> Bool {
    type == .bytes || type == .asset || type == .reference
  }

  /// Returns the elements of a list that are replaced: all of them; or the first of them, or a constant, a
  /// number of times that does not depend on the list.
  private func elements(
    of type: ValueType, _ keepsElements: Bool, _ value: () -> RecordValue, _ context: inout Context
  ) -> [RecordValue] {
    if keepsElements || type == .reference { return value().elements ?? [] }
    var first: RecordValue? = Self.constant(type)
    if Self.needsValue(type) {
      first = value().elements?.first ?? (type == .bytes ? .bytes(Data()) : nil)
    }
    guard let first else { return [] }
    return [RecordValue](repeating: first, count: context.values.count())
  }

  /// Returns what replaces a single value, or an element of a list at an index.
  private func replace(
    _ value: RecordValue, by fieldRule: PolicyRule, _ state: FieldState, at index: UInt64,
    _ context: inout Context
  ) -> RecordValue {
    switch value {
    case .string(let text): .string(string(text, fieldRule, state, &context))
    case .int64(let number): .int64(integer(number, fieldRule, state, &context))
    case .double(let number): .double(double(number, fieldRule, state, &context))
    case .location(let place):
      .location(fieldRule.rule == .move ? context.shift.move(place) : context.values.place())
    case .timestamp(let date): .timestamp(self.date(date, fieldRule.rule, &context))
    case .bytes(let data): .bytes(bytes(data, fieldRule, &context))
    case .asset(let asset): .asset(self.asset(asset, rule(fieldRule, for: .asset)))
    case .reference(let reference):
      .reference(self.reference(reference, state.role &+ index, &context))
    default: .emptyList
    }
  }

  private func date(_ date: Date, _ rule: AnonymisationRule, _ context: inout Context) -> Date {
    switch rule {
    case .shift: context.shift.shift(date)
    case .dateOrder: context.date(inOrder: date)
    default: context.values.date()
    }
  }

  private func string(
    _ text: String, _ fieldRule: PolicyRule, _ state: FieldState, _ context: inout Context
  ) -> String {
    let rule = fieldRule.rule
    func consistent(_ purpose: StaticString) -> MadeUpValues {
      MadeUpValues(seed: settings.pseudonyms.seed(purpose, of: text))
    }
    switch rule {
    case .textConsistent:
      var values = consistent("text")
      return "\(values.text().dropLast()) \(values.number())."
    case .textLength: return context.values.text(count: text.count)
    case .textShape: return context.values.text(shape: text)
    case .textScript: return context.values.text(script: text)
    case .name: return context.values.name()
    case .nameConsistent:
      var values = consistent("name")
      return "\(values.name()) \(values.number())"
    case .email: return context.values.email()
    case .emailConsistent:
      var values = consistent("email")
      return values.email()
    case .phone: return context.values.phone()
    case .url: return context.values.url(scheme: fieldRule.words.first ?? "https")
    case .uuid: return context.values.uuid()
    case .colour: return context.values.colour()
    case .version: return context.values.version()
    case .locale: return context.values.pick(MadeUpValues.locales)
    case .emoji: return context.values.pick(MadeUpValues.emojis)
    case .base64: return Data(context.values.bytes(24)).base64EncodedString()
    case .json: return MadeUpJSON.text(like: text, keys: Set(fieldRule.words), &context.values)
    case .enumeration: return context.values.pick(fieldRule.words)
    case .flag: return context.values.pick(["false", "true"])
    case .integer: return String(context.values.integer(in: fieldRule.parameter))
    case .decimal: return context.values.decimal(in: fieldRule.parameter).inCents
    case .date:
      let form = fieldRule.words.first.map { DateForm(pattern: $0) } ?? .iso
      return context.values.date(in: form)
    case .urlConsistent:
      var values = consistent("url")
      return values.url()
    case .identifier:
      guard state.isOfLinks else { return name(text, .other) }
      let separator = CoreDataNames.linkSeparator
      return text.unicodeScalars.split(separator: separator, omittingEmptySubsequences: false)
        .map { name(String($0), .record) }.joined(separator: String(separator))
    default: return context.values.text()
    }
  }

  private func integer(
    _ number: Int64, _ rule: PolicyRule, _ state: FieldState, _ context: inout Context
  ) -> Int64 {
    switch rule.rule {
    case .numberConsistent: consistentInteger(number)
    case .numberDigits: context.values.integer(digits: number)
    case .numberOrder: settings.pseudonyms.ordered(number, state.orderName)
    case .enumeration: Int64(context.values.pick(rule.words)) ?? 0
    case .flag: context.values.integer(in: .range(0...1))
    case .integer, .decimal: context.values.integer(in: rule.parameter)
    default: context.values.integer()
    }
  }

  private func double(
    _ number: Double, _ rule: PolicyRule, _ state: FieldState, _ context: inout Context
  ) -> Double {
    switch rule.rule {
    case .numberConsistent:
      Double(
        Int64(exactly: number).map { consistentInteger($0) }
          ?? consistentInteger(Int64(bitPattern: number.bitPattern), "fraction"))
    case .numberDigits: context.values.double(digits: number)
    case .numberOrder: settings.pseudonyms.ordered(number, state.orderName)
    case .enumeration: Double(context.values.pick(rule.words)) ?? 0
    case .flag: Double(context.values.integer(in: .range(0...1)))
    case .integer: Double(context.values.integer(in: rule.parameter))
    case .decimal: context.values.decimal(in: rule.parameter)
    default: context.values.double()
    }
  }

  private func consistentInteger(_ number: Int64, _ purpose: StaticString = "number") -> Int64 {
    let seed = withUnsafeBytes(of: number.littleEndian) {
      settings.pseudonyms.seed(purpose, of: $0)
    }
    var values = MadeUpValues(seed: seed)
    return values.identifyingInteger()
  }

  private func bytes(_ data: Data, _ fieldRule: PolicyRule, _ context: inout Context) -> Data {
    let rule = fieldRule.rule
    if rule == .archive {
      return MadeUpArchive.data(of: fieldRule.words.first ?? "", &context.values)
    }
    if rule == .json {
      let text = String(decoding: data, as: UTF8.self)
      return Data(MadeUpJSON.text(like: text, keys: Set(fieldRule.words), &context.values).utf8)
    }
    return data.withUnsafeBytes { bytes in
      ReplacementContent(
        replacing: ReplacementContent.beginning(of: bytes),
        size: rule == .contentSize ? bytes.count : nil,
        seed: rule == .contentConsistent ? settings.pseudonyms.seed("content", of: bytes) : 0
      ).data
    }
  }

  /// An asset without stored bytes has the digest of none. Receipt, key and address are credentials,
  /// and go.
  private func asset(_ asset: Asset, _ rule: AnonymisationRule) -> Asset {
    func digest(_ text: String) -> String {
      let seed = rule == .contentConsistent ? settings.pseudonyms.seed("content", of: text) : 0
      return withUnsafeBytes(of: seed.littleEndian) { SHA256Digest(of: $0) }.description
    }
    let sha256 = asset.sha256.map { assets[$0] ?? digest($0) }
    if let sha256 { usedAssets.insert(sha256) }
    return Asset(
      sha256: sha256,
      size: rule == .contentSize
        ? asset.size : asset.size.map { _ in Int64(ReplacementContent.usualSize) },
      fileChecksum: asset.fileChecksum.map { String(digest($0).prefix(28)) },
      referenceChecksum: asset.referenceChecksum.map { String(digest($0).prefix(28)) })
  }

  // MARK: Constants and values that stay

  /// The constant of a type; one of them for a list.
  static func constant(_ type: ValueType) -> RecordValue {
    switch type {
    case .string: .string("redacted")
    case .int64: .int64(0)
    case .double: .double(0)
    case .timestamp: .timestamp(Date(timeIntervalSinceReferenceDate: 0))
    case .location: .location(Location(latitude: 0, longitude: 0))
    case .bytes: .bytes(Data(count: ReplacementContent.usualSize))
    case .asset, .reference, .emptyList: .emptyList
    default: RecordValue(list: [constant(type.single)], of: type.single) ?? .emptyList
    }
  }

  /// Returns the value or the part of it that a rule keeps, and whether a part of it stays.
  private func remains(
    of value: RecordValue, by rule: PolicyRule, _ state: FieldState
  ) -> (value: RecordValue, isKept: Bool) {
    switch (rule.rule, rule.parameter) {
    case (.round, _): return (Self.rounded(value, rule), true)
    case (.keep, .words(let words)):
      var isKept = false
      let new = value.mapped { one in
        guard Self.isListed(one, words) else { return Self.constant(one.type ?? .emptyList) }
        isKept = true
        return one
      }
      return (new, isKept)
    case (.keepIf, _) where !settings.frequent.contains(value, state.key):
      return (Self.constant(value.type ?? .emptyList), false)
    default: return (kept(value), true)
    }
  }

  /// Whether a rule lists a text or number. 1 and 1.0 are one number.
  private static func isListed(_ value: RecordValue, _ words: [String]) -> Bool {
    switch value {
    case .string(let text): words.contains { $0.sameScalars(as: text) }
    case .int64(let number): words.contains { Int64($0) == number }
    case .double(let number): words.contains { Double($0) == number }
    default: false
    }
  }

  /// Returns a number or date, or each of a list, at the nearest step or the start of its unit.
  private static func rounded(_ value: RecordValue, _ rule: PolicyRule) -> RecordValue {
    let step = rule.number ?? 1
    func number(_ number: Double) -> Double {
      let count = number / step
      // Next to the greatest number, the nearest multiple is the one below. A number of more steps than doubles
      // can count is a multiple.
      return [count.rounded() * step, count.rounded(.towardZero) * step].first(where: \.isFinite)
        ?? number
    }
    return value.mapped { one in
      switch one {
      case .int64(let whole):
        .int64(Int64(exactly: step).map { whole.nearestMultiple(of: $0) } ?? 0)
      case .double(let fraction): .double(number(fraction))
      case .timestamp(let date): .timestamp(date.start(of: rule.words.first ?? "year"))
      default: one
      }
    }
  }

  /// Returns a value without members that this version does not know.
  private func kept(_ value: RecordValue) -> RecordValue {
    guard value.type?.single == .location else { return value }
    return value.mapped { one in
      guard case .location(var place) = one else { return one }
      place.otherMembers = []
      return .location(place)
    }
  }
}

extension RecordValue {
  /// Returns the value with each element of a list, or itself, changed to one of the same type.
  fileprivate func mapped(_ change: (RecordValue) -> RecordValue) -> RecordValue {
    guard let elements, let type = type?.elementType else { return change(self) }
    return RecordValue(list: elements.map(change), of: type) ?? self
  }

  /// Returns the elements of a list, or the value itself; nothing for a value of another type.
  fileprivate func all<T: RecordValueConvertible>(_: T.Type) -> [T] {
    [T](recordValue: self) ?? T(recordValue: self).map { [$0] } ?? []
  }
}

extension Int64 {
  /// Returns the nearest multiple of a step; of two, the one that is further from zero, if it is no greater than the
  /// greatest number.
  fileprivate func nearestMultiple(of step: Int64) -> Int64 {
    let rest = self % step
    let near = self - rest
    guard rest.magnitude >= step.magnitude - rest.magnitude else { return near }
    let (far, isTooLarge) = near.addingReportingOverflow(self < 0 ? -step : step)
    return isTooLarge ? near : far
  }
}

extension Date {
  /// The start of the date's year, month, day or hour in UTC.
  fileprivate func start(of unit: String) -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "UTC") ?? calendar.timeZone
    let units = PolicyRule.units
    let count = (units.firstIndex { $0.name == unit } ?? 0) + 1
    let parts = calendar.dateComponents(
      Set([.era] + units.prefix(count).map(\.component)), from: self)
    return calendar.date(from: parts) ?? self
  }
}
