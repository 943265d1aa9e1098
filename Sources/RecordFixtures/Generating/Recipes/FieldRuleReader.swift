import Foundation
import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema

/// Reads how the values of a field are made.
struct FieldRuleReader {
  private let node: YAMLNode
  private let location: PlanLocation

  /// - Parameter location: The location of the field's name.
  init(_ node: YAMLNode, at location: PlanLocation) {
    self.node = node
    self.location = location
  }

  /// The names that need nothing behind them.
  private static let words = [
    "guess", "none", "ancestors", "created", "modified", "position", "latitude", "longitude",
  ]

  /// The members that say what values are; a rule has one of them at most.
  private static let sources =
    [
      "value", "choice", "range", "pattern", "sequence", "date", "created", "bytes",
      "location", "reference", "ancestors", "asset", "expression", "kind",
    ] + ["weights"] + TextForm.allCases.map(\.rawValue)

  private static let modifiers =
    [
      "null-rate", "list", "unique", "locale", "decimals", "step", "action", "any", "size",
      "variants",
    ]

  func rule() throws -> FieldRule {
    var rule = FieldRule(location: location)
    guard node.node.mapping != nil else {
      rule.value = try node.isNull ? .guess : Self.word(node)
      return rule
    }
    let members = try node.members("a field")
    try members.allow(Self.sources + Self.modifiers, in: "a field")
    for name in members.names { rule.locations[name] = members[name]?.location }
    let given = Self.sources.filter { members[$0] != nil }
    if given.count > 1 {
      throw members[given[1]]!.error("a field has '\(given[0])' or '\(given[1])', not both")
    }
    if let name = given.first, let source = members[name] {
      rule.value = try value(name, source, members)
    }
    try refuseStrays(members, given.first)
    if let null = members["null-rate"] { rule.nullRate = try null.rate("null-rate") }
    if let list = members["list"] {
      rule.length = try list.count("list", in: 0...FieldRule.maxLength)
    }
    rule.isUnique = try members["unique"]?.flag("unique") ?? false
    if let locale = members["locale"] { rule.locale = try locale.one("locale") }
    return rule
  }

  /// Refuses members that say something about another kind of values.
  private func refuseStrays(_ members: YAMLMembers, _ source: String?) throws {
    let owners: [(String, [String])] = [
      ("decimals", ["range"]), ("step", ["sequence"]), ("action", ["reference", "ancestors"]),
      ("any", ["reference"]), ("size", ["asset"]), ("variants", ["asset"]),
    ]
    for (name, owners) in owners {
      guard let stray = members[name], !owners.contains(source ?? "") else { continue }
      throw stray.error(
        "'\(name)' belongs to " + owners.map { "'\($0)'" }.joined(separator: " or "))
    }
  }

  private static func word(_ node: YAMLNode) throws -> ValueRule {
    let text = try node.text("a field")
    switch text {
    case "guess": return .guess
    case "none": return .none
    case "ancestors": return .ancestors(.none)
    case "created": return .created(0...0)
    case "modified": return .modified
    case "position": return .position
    case "latitude": return .coordinate(.latitude)
    case "longitude": return .coordinate(.longitude)
    default: break
    }
    if let kind = TextKind(rawValue: text) { return .known(kind) }
    let known = words + TextKind.allCases.map(\.rawValue)
    throw node.error(
      "there is no kind of values '\(text.prefix(40))'" + NearNames.advice(text, among: known)
        + "; for a constant, write {value: …}")
  }

  private func value(
    _ name: String, _ node: YAMLNode, _ members: YAMLMembers
  ) throws -> ValueRule {
    switch name {
    case "value": return .constant(try Self.constant(node))
    case "choice": return .choice(try choices(node))
    case "kind": return try Self.word(node)
    case "pattern":
      let pattern = try node.word("pattern")
      guard pattern.utf8.count <= 1000 else { throw node.error("a pattern has up to 1000 bytes") }
      return .pattern(pattern)
    case "expression": return .expression(try node.expression("expression"))
    case "date": return .date(try node.dates("date"))
    case "created": return .created(try node.durations("created"))
    case "bytes":
      return .bytes(try node.count("bytes", in: 0...RecordLimits.cloudKit.recordSize))
    case "location": return .location(try box(node))
    case "reference":
      let type = try node.word("reference")
      let isAny = try members["any"]?.flag("any") ?? false
      return isAny
        ? .anyReference(type, try action(members)) : .reference(type, try action(members))
    case "ancestors":
      guard try node.flag("ancestors") else { throw node.error("ancestors is true, or not there") }
      return .ancestors(try action(members))
    case "asset": return .asset(try asset(node, members))
    case "range": return try range(node, members)
    case "sequence":
      let start = try node.integer("sequence", in: -1 << 60...1 << 60)
      let step = try members["step"]?.integer("step", in: -1 << 30...1 << 30) ?? 1
      return .sequence(from: start, step: step)
    default:
      if let form = TextForm(rawValue: name) {
        return .text(form, try node.count(name, in: 0...RecordLimits.cloudKit.recordSize))
      }
      return .integer(try node.weights("a field", in: .min ... .max))
    }
  }

  private func action(_ members: YAMLMembers) throws -> ValueRule.ReferenceAction {
    try members["action"]?.one("action") ?? .none
  }

  private func range(_ node: YAMLNode, _ members: YAMLMembers) throws -> ValueRule {
    let text = node.node.scalar?.string ?? ""
    if members["decimals"] == nil, !text.replacingDots.contains("."), !text.contains("e") {
      return .integer(CountRule(try node.integers("range", in: .min ... .max)))
    }
    let places = try members["decimals"]?.integer("decimals", in: 0...9) ?? 2
    let range = try node.decimals("range")
    let most = 1e15 / Double(FieldRule.powersOfTen[places])
    guard range.lowerBound >= -most, range.upperBound <= most else {
      throw node.error("with \(places) decimals, a range is within -\(most)..\(most)")
    }
    try node.check(range, hasPlaces: places)
    return .decimal(range, places: places)
  }

  private func box(_ node: YAMLNode) throws -> ValueRule.Box? {
    if node.node.scalar?.string == "city" { return nil }
    let members = try node.members("location")
    try members.allow(["latitude", "longitude"], in: "location")
    func degrees(_ name: String, _ most: Double) throws -> ClosedRange<Double> {
      guard let node = members[name] else { return -most...most }
      let range = try node.decimals(name)
      guard range.lowerBound >= -most, range.upperBound <= most else {
        throw node.error("\(name) is from -\(Int(most)) to \(Int(most)) degrees")
      }
      try node.check(range, hasPlaces: LocationGenerator.places, "\(name): ")
      return range
    }
    return .init(latitude: try degrees("latitude", 90), longitude: try degrees("longitude", 180))
  }

  private func asset(_ node: YAMLNode, _ members: YAMLMembers) throws -> AssetRule {
    let kind: AssetKind = try node.one("asset")
    let most = Int(RecordLimits.cloudKit.assetSize ?? 50_000_000)
    var size = CountRule.range(1000...8000)
    if let node = members["size"] {
      size =
        try node.node.mapping == nil
        ? CountRule(node.sizes("size", atMost: most)) : node.count("size", in: 0...most)
    }
    let variants =
      try members["variants"]?.integer("variants", in: 1...AssetRule.maxVariants)
      ?? AssetRule.defaultVariants
    if size.bounds.upperBound > 1 << 30 / variants {
      throw (members["variants"] ?? node).error(
        "\(variants) files of up to \(size.bounds.upperBound) bytes are more than 1 GiB")
    }
    return AssetRule(kind: kind, size: size, variants: variants)
  }

  // MARK: Constants

  private func choices(_ node: YAMLNode) throws -> [ValueRule.Choice] {
    var choices: [ValueRule.Choice]
    if node.node.mapping != nil {
      choices = try node.members("choice").pairs.map { key, value in
        .init(value: try Self.constant(key), weight: try value.weight())
      }
    } else {
      choices = try node.elements("choice").map {
        .init(value: try Self.constant($0), weight: 1)
      }
    }
    guard choices.contains(where: { $0.weight > 0 }) else {
      throw node.error("choice: there is nothing to choose from")
    }
    guard choices.count <= 10_000 else { throw node.error("choice: there are more than 10000") }
    return choices
  }

  /// Reads text, a number, or true and false, which are stored as 1 and 0.
  private static func constant(_ node: YAMLNode) throws -> RecordValue {
    guard let scalar = node.node.scalar else {
      throw node.error("a value is text or a number, not \(node.kind)")
    }
    guard !node.isNull else {
      throw node.error("null is no value; for no value, write none; for text, use quotes")
    }
    guard scalar.style == .plain else { return .string(scalar.string) }
    switch scalar.string {
    case "true": return .int64(1)
    case "false": return .int64(0)
    default: break
    }
    if let number = Int64(scalar.string) { return .int64(number) }
    if let number = YAMLNode.decimal(scalar.string) { return .double(number) }
    return .string(scalar.string)
  }
}

extension FieldRule {
  /// The maximum length of a list.
  static let maxLength = 10_000
  static let powersOfTen = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
    1_000_000_000,
  ]
}

extension String {
  /// The text without the dots of a range.
  fileprivate var replacingDots: String { replacingOccurrences(of: "..", with: " ") }
}
