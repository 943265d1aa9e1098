import Foundation
import RecordCoding
import RecordMigration
import RecordModel
import RecordSchema

/// The rule of a field with its parameter, and the reason why its findings are accepted.
///
/// ```yaml
/// status: {keep: [open, done]}
/// city: {keep-if: 5, accepted: the towns of our stores}
/// amount: {round: 10}
/// ```
public struct PolicyRule: Sendable, Hashable {
  /// The values that a rule needs beside its name.
  public enum Parameter: Sendable, Hashable {
    /// Nothing.
    case none
    /// The values of ``AnonymisationRule/keep`` and ``AnonymisationRule/enumeration``, the keys of
    /// ``AnonymisationRule/json``, the scheme of ``AnonymisationRule/url``, the class of
    /// ``AnonymisationRule/archive``, the unit of ``AnonymisationRule/round`` and ``AnonymisationRule/date``.
    case words([String])
    /// The range of ``AnonymisationRule/integer`` and ``AnonymisationRule/decimal``.
    case range(ClosedRange<Double>)
    /// The persons of ``AnonymisationRule/keepIf``; the step of ``AnonymisationRule/round``.
    case number(Double)
  }

  /// The rule.
  public var rule: AnonymisationRule
  /// The parameter.
  public var parameter: Parameter
  /// Why the findings in the field are no fault; nil if they are.
  public var accepted: String?

  /// Creates a rule of a field.
  public init(
    _ rule: AnonymisationRule, _ parameter: Parameter = .none, accepted: String? = nil
  ) {
    (self.rule, self.parameter, self.accepted) = (rule, parameter, accepted)
  }

  /// The words of the parameter.
  var words: [String] { if case .words(let words) = parameter { words } else { [] } }

  /// The number of the parameter.
  var number: Double? { if case .number(let number) = parameter { number } else { nil } }

  /// The units that dates are rounded to.
  static let units: [(name: String, component: Calendar.Component)] = [
    ("year", .year), ("month", .month), ("day", .day), ("hour", .hour),
  ]

  // MARK: YAML

  /// Reads a word, or a mapping with one rule and its parameter.
  init(_ node: YAMLNode) throws {
    guard node.node.mapping != nil else {
      let rule: AnonymisationRule = try node.one("rule")
      if let form = Self.requiredForm(rule) {
        throw node.error("'\(rule.rawValue)' needs more than its name: {\(rule.rawValue): \(form)}")
      }
      self.init(rule)
      return
    }
    var found: PolicyRule?
    var accepted: String?
    for (key, value) in try node.members("a rule").pairs {
      if try key.text("a rule") == "accepted" {
        accepted = try value.text("the reason")
        continue
      }
      guard found == nil else {
        throw key.error("a field has one rule, and beside it 'accepted' with a reason")
      }
      let rule: AnonymisationRule = try key.one("rule")
      found = PolicyRule(rule, try Self.parameter(of: rule, value))
    }
    guard var found else { throw node.error("the rule is missing, such as keep: [open, done]") }
    found.accepted = accepted
    self = found
  }

  private static func requiredForm(_ rule: AnonymisationRule) -> String? {
    switch rule {
    case .keepIf: "5"
    case .round: "10"
    case .enumeration: "[open, done]"
    case .archive: "NSURL"
    default: nil
    }
  }

  private static func parameter(of rule: AnonymisationRule, _ value: YAMLNode) throws -> Parameter {
    if value.isNull, requiredForm(rule) == nil { return .none }
    switch rule {
    case .json: return .words(try value.texts(rule.rawValue))
    case .keep, .enumeration:
      let words = try value.texts(rule.rawValue)
      if words.isEmpty {
        throw value.error(
          "'\(rule.rawValue)' lists no value; name values, such as [open, done], or use 'redact'")
      }
      return .words(words)
    case .keepIf: return .number(Double(try value.integer("keep-if", in: 2...1_000_000)))
    case .round:
      let names = units.map(\.name)
      if let text = value.node.scalar?.string, names.contains(text) { return .words([text]) }
      let step = try value.number("the step of round, or \(names.joined(separator: ", "))")
      guard step > 0 else { throw value.error("the step of round is above 0, not \(value.kind)") }
      return .number(step)
    case .integer:
      let range = try value.integers("the range of integer", in: -(1 << 53)...(1 << 53))
      return .range(Double(range.lowerBound)...Double(range.upperBound))
    case .decimal: return .range(try value.decimals("the range of decimal"))
    case .url:
      let scheme = try value.text("the scheme of url")
      guard scheme.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*/) != nil else {
        throw value.error("the scheme of url is a word such as myapp, not \(value.kind)")
      }
      return .words([scheme])
    case .date:
      let form = try value.text("the form of date")
      guard let found = form == "day" ? DateForm("yyyy-MM-dd") : DateForm(form) else {
        throw value.error("the form of date is such as yyyy-MM-dd or HH:mm, not \(value.kind)")
      }
      return .words([found.pattern])
    case .archive:
      let name = try value.text("the class of archive")
      guard MadeUpArchive.classes.contains(name) else {
        throw value.error(
          "no archive of \(value.kind) can be made; use one of "
            + MadeUpArchive.classes.joined(separator: ", "))
      }
      return .words([name])
    default: throw value.error("'\(rule.rawValue)' has no parameter")
    }
  }

  /// The rule as it stands in a policy.
  var yaml: String {
    func list(_ words: [String]) -> String {
      "[" + words.map { Int64($0) != nil ? $0 : PlanText.quoted($0) }.joined(separator: ", ") + "]"
    }
    let isWord = [.url, .round, .archive].contains(rule)
    return switch parameter {
    case .none: rule.rawValue
    case .words(let words) where rule == .date: "{date: \(PlanText.quoted(words.joined()))}"
    case .words(let words) where isWord: "{\(rule.rawValue): \(words.joined())}"
    case .words(let words): "{\(rule.rawValue): \(list(words))}"
    case .range(let range):
      "{\(rule.rawValue): \(range.lowerBound.short)..\(range.upperBound.short)}"
    case .number(let number): "{\(rule.rawValue): \(number.short)}"
    }
  }

  // MARK: Types

  /// Why the parameter does not fit values of a type; nil if it does.
  func problem(for type: ValueType) -> String? {
    let element = type.elementType ?? type
    let needsNumbers = element == .int64 || element == .double
    switch (rule, parameter) {
    case (.enumeration, .none), (.enumeration, .words([])):
      return "the values are missing: {enumeration: [open, done]}"
    case (.keep, .words(let words)), (.enumeration, .words(let words)):
      if element == .string { return nil }
      guard needsNumbers else { return "a list of values is for texts and numbers" }
      let wrong = words.first {
        element == .int64 ? Int64($0) == nil : YAMLNode.decimal($0) == nil
      }
      return wrong.map { "\(RecordCodingError.quoted($0)) is not a value of \(element.rawValue)" }
    case (.round, .words(let words)):
      return element == .timestamp ? nil : "'\(words.joined())' is for dates; use a number"
    case (.round, .number(let step)) where element == .int64 && step != step.rounded():
      return "INT64 values have no multiples of \(step.short); use a whole number"
    case (.round, .number): return needsNumbers ? nil : "a number is for numbers; use year or month"
    case (.integer, .range(let range)), (.decimal, .range(let range)):
      return problem(range, isWhole: rule == .integer || element == .int64)
    case (.date, .words): return element == .string ? nil : "a form is for dates in texts"
    case (.archive, .none): return "the class is missing: {archive: NSURL}"
    default: return nil
    }
  }

  /// Why no number can be made in a range; nil if numbers can be made.
  private func problem(_ range: ClosedRange<Double>, isWhole: Bool) -> String? {
    let text = "\(range.lowerBound.short)..\(range.upperBound.short)"
    // Doubles have two digits behind the point up to here.
    let most = rule == .integer ? 0x1p53 : 1e13
    guard -most <= range.lowerBound, range.upperBound <= most else {
      return "the range \(text) is too wide; it must be within -\(most.short)..\(most.short)"
    }
    guard isWhole, !range.contains(range.lowerBound.rounded(.up)) else { return nil }
    return "no whole number is in the range \(text); use another range, or 'number'"
  }
}

extension Double {
  /// A whole number without a point.
  var short: String { Int64(exactly: self).map(String.init) ?? "\(self)" }

  /// Two digits behind the point, if it has no more.
  var inCents: String {
    guard let cents = Int64(exactly: (self * 100).rounded()), Double(cents) / 100 == self else {
      return short
    }
    let digits = String(cents.magnitude + 100)
    let whole = cents.magnitude / 100
    return "\(cents < 0 ? "-" : "")\(whole).\(digits.suffix(2))"
  }
}
