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
    var shift: UserShift { anonymiser.shift(ofUser: userName) }

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
    let element = type.elementType ?? type
    let isList = type.isList
    let rule = fieldRule.rule
    switch rule {
    case .keep where fieldRule.words.isEmpty: return kept(value())
    case .keep: return kept(value(), only: Set(fieldRule.words))
    case .keepIf:
      let value = value()
      return settings.frequent.contains(value, state.key)
        ? kept(value) : Self.constant(element, isList)
    case .round: return Self.rounded(value(), fieldRule)
    case .redact: return Self.constant(element, isList)
    case .name, .nameConsistent, .email, .emailConsistent:
      value().all(String.self).forEach { personal.learn($0) }
    default: break
    }
    switch element {
    case .string:
      return make(rule, isList, &context, value, RecordValue.string, RecordValue.stringList, "") {
        string($0, fieldRule, state, &$1)
      }
    case .int64:
      return make(rule, isList, &context, value, RecordValue.int64, RecordValue.int64List, 0) {
        integer($0, fieldRule, state, &$1)
      }
    case .double:
      return make(rule, isList, &context, value, RecordValue.double, RecordValue.doubleList, 0) {
        double($0, fieldRule, state, &$1)
      }
    case .location:
      return make(
        rule, isList, &context, value, RecordValue.location, RecordValue.locationList,
        Location(latitude: 0, longitude: 0)
      ) { rule == .move ? $1.shift.move($0) : $1.values.place() }
    case .timestamp:
      let new: [Date] =
        if rule.keepsElements {
          value().all(Date.self).map {
            rule == .shift ? context.shift.shift($0) : context.date(inOrder: $0)
          }
        } else {
          (0..<(isList ? context.values.count() : 1)).map { _ in context.values.date() }.sorted()
        }
      return isList ? .timestampList(new) : .timestamp(new.first ?? context.values.date())
    case .bytes:
      let new = likeFirst(value().all(Data.self), rule, isList, &context, blank: Data())
        .map { bytes($0, fieldRule, &context) }
      return isList ? .bytesList(new) : .bytes(new.first ?? Data())
    case .asset:
      let rule = AnonymisationRule(rawValue: settings.policy.assets.rawValue) ?? .content
      let new = likeFirst(value().assets, rule, isList, &context, blank: nil)
        .map { asset($0, rule) }
      return isList ? .assetList(new) : .asset(new.first ?? Asset())
    case .reference:
      let new = value().references.enumerated().map {
        reference($1, state.role &+ UInt64($0), &context)
      }
      guard !isList, let one = new.first else { return .referenceList(new) }
      return .reference(one)
    default: return .emptyList
    }
  }

  /// Replaces a value or each element of a list, or makes up a value, or a list whose length does not
  /// depend on the value.
  private func make<T: RecordValueConvertible>(
    _ rule: AnonymisationRule, _ isList: Bool, _ context: inout Context,
    _ value: () -> RecordValue, _ one: (T) -> RecordValue, _ list: ([T]) -> RecordValue, _ blank: T,
    _ element: (T, inout Context) -> T
  ) -> RecordValue {
    guard isList else {
      let old = rule.keepsElements ? T(recordValue: value()) ?? blank : blank
      return one(element(old, &context))
    }
    let old =
      rule.keepsElements
      ? value().all(T.self) : [T](repeating: blank, count: context.values.count())
    return list(old.map { element($0, &context) })
  }

  /// Returns the contents of a list, or the first of them, or `blank`, a number of times that does not
  /// depend on the list.
  private func likeFirst<T>(
    _ old: [T], _ rule: AnonymisationRule, _ isList: Bool, _ context: inout Context, blank: T?
  ) -> [T] {
    guard isList, !rule.keepsElements, let first = old.first ?? blank else { return old }
    return [T](repeating: first, count: context.values.count())
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
      return text.split(separator: separator, omittingEmptySubsequences: false)
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
    case .numberOrder:
      Int64(exactly: ordered(Double(number), state).rounded()) ?? (number > 0 ? .max : .min)
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
    case .numberOrder: ordered(number, state)
    case .enumeration: Double(context.values.pick(rule.words)) ?? 0
    case .flag: Double(context.values.integer(in: .range(0...1)))
    case .integer: Double(context.values.integer(in: rule.parameter))
    case .decimal: context.values.decimal(in: rule.parameter)
    default: context.values.double()
    }
  }

  private func ordered(_ number: Double, _ state: FieldState) -> Double {
    settings.pseudonyms.ordered(number, "\(state.recordType)\0\(state.name.string)")
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
  private static func constant(_ element: ValueType, _ isList: Bool) -> RecordValue {
    let date = Date(timeIntervalSinceReferenceDate: 0)
    let place = Location(latitude: 0, longitude: 0)
    let zeros = Data(count: ReplacementContent.usualSize)
    return switch element {
    case .string: isList ? .stringList(["redacted"]) : .string("redacted")
    case .int64: isList ? .int64List([0]) : .int64(0)
    case .double: isList ? .doubleList([0]) : .double(0)
    case .timestamp: isList ? .timestampList([date]) : .timestamp(date)
    case .location: isList ? .locationList([place]) : .location(place)
    case .bytes: isList ? .bytesList([zeros]) : .bytes(zeros)
    default: .emptyList
    }
  }

  /// Returns a value whose elements that are not listed are redacted.
  private func kept(_ value: RecordValue, only words: Set<String>) -> RecordValue {
    func text(_ text: String) -> String { words.contains(text) ? text : "redacted" }
    // 1 and 1.0 are one value.
    let numbers = Set(words.compactMap(Double.init))
    func double(_ number: Double) -> Double { numbers.contains(number) ? number : 0 }
    func integer(_ number: Int64) -> Int64 { words.contains(String(number)) ? number : 0 }
    return switch value {
    case .string(let one): .string(text(one))
    case .stringList(let list): .stringList(list.map(text))
    case .int64(let one): .int64(integer(one))
    case .int64List(let list): .int64List(list.map(integer))
    case .double(let one): .double(double(one))
    case .doubleList(let list): .doubleList(list.map(double))
    default: value
    }
  }

  /// Returns a number or date, or each of a list, at the nearest step or the start of its unit.
  private static func rounded(_ value: RecordValue, _ rule: PolicyRule) -> RecordValue {
    let step = rule.number ?? 1
    func number(_ number: Double) -> Double {
      let rounded = (number / step).rounded() * step
      return rounded.isFinite ? rounded : number
    }
    func integer(_ one: Int64) -> Int64 { Int64(exactly: number(Double(one)).rounded()) ?? one }
    func date(_ date: Date) -> Date { date.start(of: rule.words.first ?? "year") }
    return switch value {
    case .int64(let one): .int64(integer(one))
    case .int64List(let list): .int64List(list.map(integer))
    case .double(let one): .double(number(one))
    case .doubleList(let list): .doubleList(list.map(number))
    case .timestamp(let one): .timestamp(date(one))
    case .timestampList(let list): .timestampList(list.map(date))
    default: value
    }
  }

  /// Returns a value without members that this version does not know.
  private func kept(_ value: RecordValue) -> RecordValue {
    func known(_ place: Location) -> Location {
      var place = place
      place.otherMembers = []
      return place
    }
    return switch value {
    case .location(let place): .location(known(place))
    case .locationList(let list): .locationList(list.map(known))
    default: value
    }
  }
}

extension RecordValue {
  /// Returns the elements of a list, or the value itself; nothing for a value of another type.
  fileprivate func all<T: RecordValueConvertible>(_: T.Type) -> [T] {
    [T](recordValue: self) ?? T(recordValue: self).map { [$0] } ?? []
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
