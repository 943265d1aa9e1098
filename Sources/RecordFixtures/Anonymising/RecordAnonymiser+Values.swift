import Foundation
import RecordCoding
import RecordModel
import RecordPlatform
import RecordSchema

extension RecordAnonymiser {
  /// The input of the replacements of a record's values, beside the values.
  struct Context {
    private let anonymiser: RecordAnonymiser
    /// The creator of the record, or the owner of its zone.
    private let userName: String
    let seed: UInt64
    /// Chooses the values of the current field.
    var values: MadeUpValues
    /// The type of the record, as a part of the roles of its references; nil outside records.
    let type: Int?
    /// The sum of the type and the roles of the references.
    var own: Int
    private var dates: OrderedDates?

    init(_ anonymiser: RecordAnonymiser, owner: String, seed: UInt64, type: Int? = nil) {
      (self.anonymiser, self.seed, userName) = (anonymiser, seed, owner)
      (self.type, own) = (type, type ?? 0)
      values = MadeUpValues(seed: seed)
    }

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
    _ type: ValueType, by rule: AnonymisationRule, _ state: FieldState, _ context: inout Context,
    _ value: () -> RecordValue
  ) -> RecordValue {
    let element = type.elementType ?? type
    let isList = type.isList
    switch rule {
    case .keep: return kept(value())
    case .redact: return Self.constant(element, isList)
    case .name, .nameConsistent, .email, .emailConsistent:
      value().all(String.self).forEach { personal.learn($0) }
    default: break
    }
    switch element {
    case .string:
      return make(rule, isList, &context, value, RecordValue.string, RecordValue.stringList, "") {
        string($0, rule, state, &$1)
      }
    case .int64:
      return make(rule, isList, &context, value, RecordValue.int64, RecordValue.int64List, 0) {
        integer($0, rule, &$1)
      }
    case .double:
      return make(rule, isList, &context, value, RecordValue.double, RecordValue.doubleList, 0) {
        double($0, rule, &$1)
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
        .map { bytes($0, rule) }
      return isList ? .bytesList(new) : .bytes(new.first ?? Data())
    case .asset:
      let rule = AnonymisationRule(rawValue: settings.policy.assets.rawValue) ?? .content
      let new = likeFirst(value().assets, rule, isList, &context, blank: nil)
        .map { asset($0, rule) }
      return isList ? .assetList(new) : .asset(new.first ?? Asset())
    case .reference:
      let new = value().references.map { reference($0, state.role, &context) }
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
    _ text: String, _ rule: AnonymisationRule, _ state: FieldState, _ context: inout Context
  ) -> String {
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
    case .url: return context.values.url()
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
    _ number: Int64, _ rule: AnonymisationRule, _ context: inout Context
  ) -> Int64 {
    switch rule {
    case .numberConsistent: consistentInteger(number)
    case .numberDigits: context.values.integer(digits: number)
    default: context.values.integer()
    }
  }

  private func double(
    _ number: Double, _ rule: AnonymisationRule, _ context: inout Context
  ) -> Double {
    switch rule {
    case .numberConsistent:
      Double(
        Int64(exactly: number).map { consistentInteger($0) }
          ?? consistentInteger(Int64(bitPattern: number.bitPattern), "fraction"))
    case .numberDigits: context.values.double(digits: number)
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

  private func bytes(_ data: Data, _ rule: AnonymisationRule) -> Data {
    data.withUnsafeBytes { bytes in
      // The kind of a few bytes would tell which they are.
      let beginning = bytes.count < 64 ? 0 : ReplacementContent.beginningSize
      return ReplacementContent(
        replacing: UnsafeRawBufferPointer(rebasing: bytes.prefix(beginning)),
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
