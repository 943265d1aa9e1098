import RecordModel

/// A suppression of known findings, in a comment or in a configuration.
public struct Suppression: Sendable, Hashable {
  /// The origin of a suppression.
  public enum Source: Sendable, Hashable {
    /// A comment in the checked schema or source code.
    case comment(SchemaLocation)
    /// An entry in a configuration's allow list: the file, and the line from 1.
    case configuration(file: String, line: Int)
  }

  /// The rule whose findings are suppressed.
  public var rule: SchemaRule.ID
  /// A pattern for the description of a ``SchemaSubject``. `*` stands for any number of characters,
  /// and a record type's name matches everything in it. `nil` for what is in the lines of a comment
  /// in source code.
  public var subject: String?
  /// The reason for the suppression. Never empty.
  public var reason: String
  /// The origin of the suppression.
  public var source: Source

  /// Creates a suppression.
  public init(rule: SchemaRule.ID, subject: String?, reason: String, source: Source) {
    self.rule = rule
    self.subject = subject
    self.reason = reason
    self.source = source
  }
}

/// The suppressions of a check: those of a configuration, and those in comments
/// `recordpack:allow RULE reason`.
///
/// In a schema, a comment applies to its element; on a record type also to everything in it, and
/// before `DEFINE SCHEMA` to the whole schema. `RULE(Todo.order)` names the subject explicitly, such
/// as an element that is no longer in the file. This is required after the last element of the file
/// or of a record type, because no element follows there. In source code, a comment applies to its
/// lines, or with a subject to its file. Several rules are separated by commas. A malformed comment
/// has no effect and is reported.
struct Suppressions {
  static let marker = "recordpack:allow"

  /// A comment that could not be parsed.
  struct Malformed {
    var subject: SchemaSubject
    var message: String
    var hint: String
    var location: SchemaLocation
  }

  /// The maximum number of suppressions per rule with a `*` in their subject, because they are
  /// matched one by one. Those beyond it have no effect.
  static let maxPatterns = 100
  /// The maximum length of a subject with a `*`, in bytes.
  static let maxPatternLength = 1024

  private(set) var malformed: [Malformed] = []
  /// The number of suppressions without effect, by rule.
  private(set) var ignored: [SchemaRule.ID: Int] = [:]
  private var all: [Suppression] = []
  private var exact: [Key: Int] = [:]
  private var patterns: [SchemaRule.ID: [(file: String?, pattern: NamePattern, index: Int)]] = [:]
  /// The suppressions that were used, or cannot be.
  private var settled: Set<Int> = []

  /// A subject, or the number of a line in a file of source code.
  private struct Key: Hashable {
    var rule: SchemaRule.ID
    var file: String?
    var name: ExactString
  }

  /// The place of a comment.
  private struct Place {
    var subject: SchemaSubject
    /// The subject of a comment that names none, or `nil` if a name is required.
    var scope: String?
    var location: SchemaLocation
    /// The lines of source code that a comment without a subject applies to.
    var lines: ClosedRange<Int>?
  }

  init(_ suppressions: [Suppression] = []) {
    for suppression in suppressions { add(suppression) }
  }

  private mutating func add(
    _ suppression: Suppression, file: String? = nil, lines: ClosedRange<Int>? = nil
  ) {
    let (index, rule) = (all.count, suppression.rule)
    all.append(suppression)
    guard let subject = suppression.subject else {
      for line in lines ?? 0...0 {
        exact[Key(rule: rule, file: file, name: Self.name(ofLine: line))] = index
      }
      return
    }
    guard subject.utf8.contains(UInt8(ascii: "*")) else {
      let key = Key(rule: rule, file: file, name: ExactString(subject))
      if exact[key] == nil { exact[key] = index }
      return
    }
    if subject.utf8.count <= Self.maxPatternLength,
      patterns[rule, default: []].count < Self.maxPatterns
    {
      patterns[rule, default: []].append((file, NamePattern(stars: subject), index))
    } else {
      settled.insert(index)
      ignored[rule, default: 0] += 1
    }
  }

  // No subject begins with a colon.
  private static func name(ofLine line: Int) -> ExactString { ExactString(":\(line)") }

  // MARK: - Matching

  /// Returns the suppression of a finding, which counts as used.
  ///
  /// - Parameter location: The location in source code, if the finding is about it.
  mutating func suppression(
    of rule: SchemaRule.ID, for subject: SchemaSubject, at location: SchemaLocation?
  ) -> Suppression? {
    guard !all.isEmpty else { return nil }
    let texts = subject.patternTexts
    var keys = texts.map { Key(rule: rule, name: ExactString($0)) }
    if let location {
      let names = [Self.name(ofLine: location.span.line)] + texts.map { ExactString($0) }
      keys = names.map { Key(rule: rule, file: location.file, name: $0) } + keys
    }
    let found =
      keys.compactMap { exact[$0] }.first
      ?? patterns[rule]?.first { file, pattern, _ in
        (file == nil || file == location?.file)
          && texts.contains(where: pattern.matches)
      }?.index
    guard let found else { return nil }
    settled.insert(found)
    return all[found]
  }

  /// The suppressions that suppressed nothing.
  var unused: [Suppression] {
    all.indices.filter { !settled.contains($0) }.map { all[$0] }
  }

  // MARK: - Comments

  /// Adds the suppressions in the comments of a schema.
  mutating func add(commentsOf document: SchemaDocument) {
    let (schema, file) = (document.schema, document.name)
    add(schema.comments, of: .schema, scope: "*", schema.origin, file)
    for role in schema.roles { add(role.comments, of: .role(role.name), role.origin, file) }
    for type in schema.recordTypes {
      add(type.comments, of: .type(type.name), type.origin, file)
      for field in type.fields where !field.comments.isEmpty {
        add(field.comments, of: .field(field.name, of: type.name), field.origin, file)
      }
      for grant in type.grants where !grant.comments.isEmpty {
        add(grant.comments, of: .grant(to: grant.role, on: type.name), grant.origin, file)
      }
    }
  }

  private mutating func add(
    _ comments: CloudSchema.Comments, of subject: SchemaSubject, scope: String? = nil,
    _ origin: CloudSchema.Origin?, _ file: String
  ) {
    guard !comments.isEmpty else { return }
    var place = Place(
      subject: subject, scope: scope ?? subject.description,
      location: SchemaLocation(file: file, span: origin?.name ?? .start))
    let ends = [comments.trailing, comments.ending].compactMap { $0 }
    for comment in comments.leading + ends { add(comment.text, place) }
    place.scope = nil
    for comment in comments.closing { add(comment.text, place) }
  }

  /// Adds the suppressions in comments of source code.
  mutating func add(_ comments: [SourceUses.Comment]) {
    for comment in comments {
      add(
        comment.text,
        Place(subject: .schema, location: comment.location, lines: comment.lines))
    }
  }

  private mutating func add(_ comment: String, _ place: Place) {
    for line in comment.split(whereSeparator: \.isNewline) {
      let text = line.drop { $0 == " " || $0 == "\t" || $0 == "*" }
      let rest = text.dropFirst(Self.marker.count)
      if text.hasPrefix(Self.marker), rest.first.map({ $0 == " " || $0 == "\t" }) ?? true {
        parse(rest, place)
      } else if Self.isNearly(text) {
        report("an allow comment is malformed", place)
      }
    }
  }

  /// Returns whether a line without the marker at its start looks as if it were meant to suppress
  /// something: it has a marker in any spelling, and at its start or with the name of a rule.
  private static func isNearly(_ line: Substring) -> Bool {
    let squeezed = line.filter { $0 != " " }.lowercased()
    guard let start = squeezed.range(of: marker)?.lowerBound else { return false }
    return !squeezed[..<start].contains { $0.isLetter || $0.isNumber }
      || SchemaRule.all.contains { line.contains($0.id.rawValue) }
  }

  /// Parses the text after the marker. Adds all suppressions, or none if there is an error.
  private mutating func parse(_ text: Substring, _ place: Place) {
    var words = text.split { $0 == " " || $0 == "\t" }[...]
    var names = ""
    repeat {
      names += words.popFirst() ?? ""
    } while names.utf8.last == UInt8(ascii: ",") && !words.isEmpty
    guard !names.isEmpty else { return report("an allow comment names no rule", place) }
    guard let reason = words.first else {
      return report("an allow comment for \(names) gives no reason", place)
    }
    guard reason.utf8.first != UInt8(ascii: "(") else {
      return report("an allow comment has a space before the subject '\(reason)'", place)
    }
    var read: [Suppression] = []
    for name in names.split(separator: ",", omittingEmptySubsequences: false) {
      let part = name.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
      let id = SchemaRule.ID(rawValue: String(part[0]))
      guard SchemaRule.named(id) != nil else {
        return report("an allow comment names the unknown rule '\(part[0])'", place)
      }
      var subject = place.scope
      if part.count == 2 {
        subject = part[1].hasSuffix(")") ? String(part[1].dropLast()) : ""
        if subject == "" {
          return report("an allow comment for \(id) has no subject in its parentheses", place)
        }
      } else if subject == nil, place.lines == nil {
        return report(
          "an allow comment for \(id) follows the last element and names no subject", place,
          hint: "write it above its element, or name the subject: \(id)(Todo.order)")
      }
      read.append(
        Suppression(
          rule: id, subject: subject, reason: words.joined(separator: " "),
          source: .comment(place.location)))
    }
    let file = place.lines == nil ? nil : place.location.file
    for suppression in read { add(suppression, file: file, lines: place.lines) }
  }

  private mutating func report(_ message: String, _ place: Place, hint: String? = nil) {
    let usual = "write // \(Self.marker) RULE reason, or RULE(Todo.order) without a space"
    malformed.append(
      Malformed(
        subject: place.subject, message: message, hint: hint ?? usual, location: place.location))
  }
}
