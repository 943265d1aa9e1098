import Foundation
import RecordModel

/// The traces that remain of one record, beside its links.
struct RecordTrace {
  /// The node of the record in the graph.
  let node: UInt64
  /// The record type, as a hash.
  let kind: UInt64
  /// The fields that it has.
  private var shape = Hasher()
  private var values = Hasher()
  private var stamps = Hasher()
  /// The traces of the fields.
  private(set) var parts: [(trace: Int, hash: UInt64)] = []

  init(node: UInt64, type: UInt64) {
    (self.node, kind) = (node, type)
    shape.combine(type)
  }

  /// Notes that the record has something.
  mutating func note(_ has: some Hashable) { shape.combine(has) }

  /// Notes what remains of a field.
  mutating func add(_ trace: Int, _ hash: Int) {
    values.combine(trace)
    values.combine(hash)
    parts.append((trace, UInt64(truncatingIfNeeded: hash)))
  }

  /// Notes dates that remain, or their distances.
  mutating func add(date: Date?) { stamps.combine(date) }

  var presence: UInt64 { UInt64(truncatingIfNeeded: shape.finalize()) }
  var dates: UInt64 { UInt64(truncatingIfNeeded: stamps.finalize()) }
  var all: UInt64 {
    var values = values
    values.combine(presence)
    values.combine(dates)
    return UInt64(truncatingIfNeeded: values.finalize())
  }
}

extension RecordAnonymiser {
  /// Notes what somebody without the key sees of a value, by its rule.
  ///
  /// - Parameters:
  ///   - new: The replacement.
  ///   - old: Returns the value; called if something of it remains.
  func note(
    _ new: RecordValue, by fieldRule: PolicyRule, _ type: ValueType, _ state: FieldState,
    _ context: inout Context, _ old: () -> RecordValue
  ) {
    context.trace?.note(state.role)
    context.trace?.note(type)
    let rule = fieldRule.rule
    func add(_ hash: Int) { context.trace?.add(state.trace(in: traces), hash) }
    switch rule {
    case _ where type == .emptyList: return
    case .keep, .keepIf, .round, .json: add(rule == .json ? Self.skeletons(of: new) : new.hashValue)
    case .textLength, .textShape, .textScript, .numberDigits, .numberOrder, .dateOrder, .shift,
      .move, .contentSize:
      let old = old()
      var hasher = Hasher()
      for element in old.elements ?? [old] {
        hasher.combine(Self.look(of: element, rule, context))
      }
      add(hasher.finalize())
    case .content, .contentConsistent: noteContent(new, rule, state, &context, old())
    case _ where rule.isConsistent:
      let value = old()
      for (index, element) in (value.elements ?? [value]).enumerated() {
        link(element, rule, state, context, UInt64(index))
      }
    default: break
    }
  }

  /// Links a record to the node of a value that stays equal to others.
  private func link(
    _ element: RecordValue, _ rule: AnonymisationRule, _ state: FieldState, _ context: Context,
    _ index: UInt64
  ) {
    let role = state.role &+ index
    switch element {
    case .string(let text) where rule == .identifier:
      let scalars = text.unicodeScalars
      let names =
        state.isOfLinks ? scalars.split(separator: CoreDataNames.linkSeparator) : [scalars[...]]
      for (half, name) in names.enumerated() {
        let place = settings.pseudonyms.place(CompactName(String(name)), .record)
        guard let trace = context.trace else { return }
        batch.hold(place.node, by: trace.node, role &+ UInt64(half))
      }
    case .string(let text): refer(to: Self.node(rule.rawValue, text), role, context)
    case .double(let number) where Int64(exactly: number) != nil:
      // It gets the number that an equal integer gets.
      refer(to: Self.node(rule.rawValue, RecordValue.int64(Int64(number))), role, context)
    default: refer(to: Self.node(rule.rawValue, element), role, context)
    }
  }

  /// The kinds and sizes of files remain.
  private func noteContent(
    _ new: RecordValue, _ rule: AnonymisationRule, _ state: FieldState, _ context: inout Context,
    _ old: RecordValue
  ) {
    var kinds = Hasher()
    let isConsistent = rule == .contentConsistent || settings.policy.assets == .contentConsistent
    for (index, data) in ((old.elements ?? [old]).enumerated()) {
      let role = state.role &+ UInt64(index)
      switch data {
      case .bytes(let bytes):
        kinds.combine(ReplacementContent.kindHash(of: bytes))
        if rule == .contentConsistent { refer(to: Self.node("content", bytes), role, context) }
      case .asset(let asset):
        kinds.combine([
          asset.sha256 == nil, asset.size == nil, asset.fileChecksum == nil,
          asset.referenceChecksum == nil,
        ])
        let sha256 = asset.sha256.map { assets[$0] ?? "" } ?? ""
        kinds.combine(traces.assetKind(of: sha256))
        if settings.policy.assets == .contentSize { kinds.combine(asset.size) }
        if isConsistent, settings.policy.assets == .contentConsistent {
          refer(to: Self.node("content", asset.sha256 ?? asset.fileChecksum), role, context)
        }
      default: break
      }
    }
    // A constant length says nothing; a list that keeps its elements does.
    context.trace?.add(
      state.trace(in: traces), isConsistent ? kinds.finalize() : new.firstKind(kinds))
  }

  /// The part of an element that a rule with a price keeps.
  private static func look(
    of value: RecordValue, _ rule: AnonymisationRule, _ context: Context
  ) -> Int {
    switch (rule, value) {
    case (.textLength, .string(let text)): return text.count
    case (.textShape, .string(let text)):
      var values = MadeUpValues(seed: 0)
      return ExactString(values.text(shape: text)).hashValue
    case (.textScript, .string(let text)): return MadeUpValues.script(of: text) ?? -1
    case (.numberDigits, .int64(let number)):
      return number == 0 ? 0 : String(number.magnitude).utf8.count * Int(number.signum())
    case (.numberDigits, .double(let number)):
      return [Int(number.sign == .minus ? 1 : 0), number.isNormal ? number.exponentInTen : 999]
        .hashValue
    case (.dateOrder, .timestamp(let date)): return context.rank(of: date)
    case (.contentSize, .bytes(let data)):
      return [data.count, Int(truncatingIfNeeded: ReplacementContent.kindHash(of: data))].hashValue
    default: return value.hashValue
    }
  }

  /// The keys and kinds of values in JSON.
  private static func skeletons(of value: RecordValue) -> Int {
    var hasher = Hasher()
    for element in value.elements ?? [value] {
      switch element {
      case .string(let text): hasher.combine(MadeUpJSON.skeleton(of: text))
      case .bytes(let data):
        hasher.combine(MadeUpJSON.skeleton(of: String(decoding: data, as: UTF8.self)))
      default: break
      }
    }
    return hasher.finalize()
  }
}

extension RecordValue {
  /// The kind of the first content, if the replacements do not keep their number.
  fileprivate func firstKind(_ kinds: Hasher) -> Int {
    guard case .bytes(let data)? = (elements ?? [self]).first else { return kinds.finalize() }
    return data.prefix(16).hashValue
  }
}
