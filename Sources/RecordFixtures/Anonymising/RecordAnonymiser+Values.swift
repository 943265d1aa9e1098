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
    /// The references that fields had.
    var references: [(role: Int, recordID: RecordID)] = []
    private var dates: OrderedDates?
    private let record: ResultRecord?

    init(_ anonymiser: RecordAnonymiser, _ record: ResultRecord, seed: UInt64) {
      (self.anonymiser, self.record, self.seed) = (anonymiser, record, seed)
      userName = record.storage.created?.userRecordName ?? record.storage.zoneID.ownerName
      values = MadeUpValues(seed: seed)
    }

    init(_ anonymiser: RecordAnonymiser, owner: String, seed: UInt64) {
      (self.anonymiser, self.record, self.seed, userName) = (anonymiser, nil, seed, owner)
      values = MadeUpValues(seed: seed)
    }

    /// How dates and places of the user move.
    var shift: UserShift { anonymiser.shift(ofUser: userName) }

    /// Chooses the dates of the record, in the order of those that they replace.
    mutating func orderDates(_ indices: some Collection<Int>) {
      guard let record else { return }
      var old = indices.compactMap { index -> Date? in
        if case .timestamp(let date) = record.storage.field(at: index).value { date } else { nil }
      }
      if anonymiser.settings.policy.dates == .date {
        let system = record.systemFields
        old += [system.creationDate, system.modificationDate].compactMap { $0 }
      }
      var values = MadeUpValues(seed: seed)
      if !old.isEmpty { dates = OrderedDates(old, &values) }
    }

    /// Returns a date that replaces one by the rule ``AnonymisationRule/date``.
    mutating func date(_ date: Date) -> Date { dates?.replacement(of: date) ?? values.date() }

    /// Returns what replaces a creation, modification or deletion date.
    mutating func systemDate(_ date: Date) -> Date {
      switch anonymiser.settings.policy.dates {
      case .date: self.date(date)
      case .shift: shift.shift(date)
      case .keep: date
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
      let new = elements(rule, isList, &context, { value().all(String.self) }, "") {
        string($0, rule, state, &$1)
      }
      return isList ? .stringList(new) : .string(new.first ?? "")
    case .int64:
      let new = elements(rule, isList, &context, { value().all(Int64.self) }, 0) {
        integer($0, rule, &$1)
      }
      return isList ? .int64List(new) : .int64(new.first ?? 0)
    case .double:
      let new = elements(rule, isList, &context, { value().all(Double.self) }, 0) {
        double($0, rule, &$1)
      }
      return isList ? .doubleList(new) : .double(new.first ?? 0)
    case .timestamp:
      guard rule == .date else {
        let new = value().all(Date.self).map(context.shift.shift)
        return isList
          ? .timestampList(new) : .timestamp(new.first ?? Date(timeIntervalSince1970: 0))
      }
      guard isList else {
        return .timestamp(
          value().all(Date.self).first.map { context.date($0) } ?? context.values.date())
      }
      return .timestampList(
        (0..<context.values.count()).map { _ in context.values.date() }.sorted())
    case .location:
      let new = elements(
        rule, isList, &context, { value().all(Location.self) },
        Location(latitude: 0, longitude: 0)
      ) { place, context in rule == .move ? context.shift.move(place) : context.values.place() }
      return isList
        ? .locationList(new) : .location(new.first ?? Location(latitude: 0, longitude: 0))
    case .bytes:
      let new = likeFirst(value().all(Data.self), rule, &context).map { bytes($0, rule) }
      return isList ? .bytesList(new) : .bytes(new.first ?? Data())
    case .asset:
      let rule = AnonymisationRule(rawValue: settings.policy.assets.rawValue) ?? .content
      let new = likeFirst(value().assets, rule, &context).map { asset($0, rule) }
      return isList ? .assetList(new) : .asset(new.first ?? Asset())
    case .reference:
      let old = value().references
      context.references += old.map { (state.role, $0.recordID) }
      let new = old.map(reference)
      guard !isList, let one = new.first else { return .referenceList(new) }
      return .reference(one)
    default: return .emptyList
    }
  }

  /// Replaces each element, or makes up a list whose length does not depend on the value.
  private func elements<T>(
    _ rule: AnonymisationRule, _ isList: Bool, _ context: inout Context, _ old: () -> [T],
    _ blank: T,
    _ make: (T, inout Context) -> T
  ) -> [T] {
    if rule.keepsElements { return old().map { make($0, &context) } }
    return (0..<(isList ? context.values.count() : 1)).map { _ in make(blank, &context) }
  }

  /// Returns the contents of a list, or the first of them a number of times that does not depend on the
  /// list.
  private func likeFirst<T>(
    _ old: [T], _ rule: AnonymisationRule, _ context: inout Context
  ) -> [T] {
    guard !rule.keepsElements, old.count > 1, let first = old.first else { return old }
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
    case .numberConsistent: Double(consistentInteger(Int64(bitPattern: number.bitPattern)))
    case .numberDigits: context.values.double(digits: number)
    default: context.values.double()
    }
  }

  private func consistentInteger(_ number: Int64) -> Int64 {
    let seed = withUnsafeBytes(of: number.littleEndian) {
      settings.pseudonyms.seed("number", of: $0)
    }
    var values = MadeUpValues(seed: seed)
    return values.identifyingInteger()
  }

  private func bytes(_ data: Data, _ rule: AnonymisationRule) -> Data {
    data.withUnsafeBytes { bytes in
      ReplacementContent(
        replacing: UnsafeRawBufferPointer(
          rebasing: bytes.prefix(ReplacementContent.beginningSize)),
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
    return Asset(
      sha256: asset.sha256.map { assets[$0] ?? digest($0) },
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
