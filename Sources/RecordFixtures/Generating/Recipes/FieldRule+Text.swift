import Foundation
import RecordCoding
import RecordMigration
import RecordModel

extension FieldRule {
  /// The rule as recipes have it.
  var yaml: String {
    var members = value.members
    if let length { members.append(("list", length.yaml)) }
    if nullRate > 0 { members.append(("null-rate", CountRule.text(nullRate))) }
    if isUnique { members.append(("unique", "true")) }
    if let locale { members.append(("locale", locale.rawValue)) }
    // One word is enough where there is nothing else to say.
    if members.count == 1, members[0].0 == "kind" { return members[0].1 }
    return "{" + members.map { "\($0): \($1)" }.joined(separator: ", ") + "}"
  }
}

extension ValueRule {
  fileprivate var members: [(String, String)] {
    switch self {
    case .guess: [("kind", "guess")]
    case .none: [("kind", "none")]
    case .constant(let value): [("value", value.yaml)]
    case .choice(let choices):
      choices.allSatisfy { $0.weight == 1 }
        ? [("choice", "[" + choices.map(\.value.yaml).joined(separator: ", ") + "]")]
        : [
          (
            "choice",
            "{"
              + choices.map { "\($0.value.yaml): \(CountRule.text($0.weight))" }
              .joined(separator: ", ") + "}"
          )
        ]
    case .integer(let rule): rule.members
    case .decimal(let range, let places):
      [
        ("range", "\(CountRule.text(range.lowerBound))..\(CountRule.text(range.upperBound))"),
        ("decimals", "\(places)"),
      ]
    case .coordinate(let coordinate): [("kind", coordinate.rawValue)]
    case .text(let form, let count): [(form.rawValue, count.yaml)]
    case .known(let kind): [("kind", kind.rawValue)]
    case .pattern(let pattern): [("pattern", PlanText.string(pattern))]
    case .sequence(let start, let step):
      [("sequence", "\(start)")] + (step == 1 ? [] : [("step", "\(step)")])
    case .position: [("kind", "position")]
    case .date(let range):
      [("date", "\(Self.date(range.lowerBound))..\(Self.date(range.upperBound))")]
    case .created(let range):
      range == 0...0 ? [("kind", "created")] : [("created", range.durationYAML)]
    case .modified: [("kind", "modified")]
    case .bytes(let count): [("bytes", count.yaml)]
    case .location(nil): [("location", "city")]
    case .location(let box?):
      [
        (
          "location",
          "{latitude: \(box.latitude.lowerBound)..\(box.latitude.upperBound), "
            + "longitude: \(box.longitude.lowerBound)..\(box.longitude.upperBound)}"
        )
      ]
    case .reference(let type, let action):
      [("reference", PlanText.quoted(type))] + action.members
    case .anyReference(let type, let action):
      [("reference", PlanText.quoted(type)), ("any", "true")] + action.members
    case .ancestors(let action):
      action == .none ? [("kind", "ancestors")] : [("ancestors", "true")] + action.members
    case .asset(let rule):
      [("asset", rule.kind.rawValue), ("size", rule.size.yaml)]
        + (rule.variants == AssetRule.defaultVariants ? [] : [("variants", "\(rule.variants)")])
    case .expression(let expression): [("expression", PlanText.string(expression.source))]
    }
  }

  private static func date(_ milliseconds: Int) -> String {
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    return ISODate.text(of: date)?.text ?? "2025-01-01"
  }
}

extension CountRule {
  fileprivate var members: [(String, String)] {
    switch self {
    case .fixed, .range: [("range", yaml)]
    case .poisson(let mean, let range):
      [
        ("poisson", Self.text(mean)), ("from", "\(range.lowerBound)"),
        ("to", "\(range.upperBound)"),
      ]
    case .zipf(let range, let exponent):
      [("zipf", CountRule.range(range).yaml), ("exponent", Self.text(exponent))]
    case .weights: [("weights", String(yaml.dropFirst("{weights: ".count).dropLast()))]
    }
  }
}

extension ValueRule.ReferenceAction {
  fileprivate var members: [(String, String)] {
    self == .none ? [] : [("action", rawValue)]
  }
}

extension RecordValue {
  /// A constant as recipes have it.
  fileprivate var yaml: String {
    switch self {
    case .int64(let number): "\(number)"
    case .double(let number): CanonicalNumber.text(of: number) ?? "0"
    case .string(let text): PlanText.string(text)
    default: "''"
    }
  }
}
