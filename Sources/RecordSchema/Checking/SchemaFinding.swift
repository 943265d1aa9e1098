import RecordModel

/// A finding of a rule.
public struct SchemaFinding: Sendable, Hashable {
  /// The rule's identifier.
  public var rule: SchemaRule.ID
  /// The rule's category.
  public var category: SchemaCategory
  /// The severity, according to the configuration.
  public var severity: SchemaSeverity
  /// The subject.
  public var subject: SchemaSubject
  /// A description of the finding.
  public var message: String
  /// A suggested fix.
  public var hint: String?
  /// The location in the checked schema: of the element, or of what would contain it.
  public var location: SchemaLocation?
  /// The location of the element in the schema that is compared with.
  public var formerLocation: SchemaLocation?
  /// The stored records that the finding is about.
  package var records: RecordSample?
  /// In a report for people, the findings about other subjects or places that the same decision settles.
  var others: [SchemaFinding] = []

  /// The message with the records that it is about, and with the other subjects or places.
  package var fullMessage: String {
    message + (records.map { " (" + $0.phrase + ")" } ?? "")
      + (othersPhrase.map { "; " + $0 } ?? "")
  }

  /// Sorts findings for a report: the category with the most severe finding first, in it the most severe
  /// findings first, then by subject, rule and location.
  static func sorted(_ findings: [SchemaFinding]) -> [SchemaFinding] {
    let worst = Dictionary(findings.map { ($0.category, $0.severity) }, uniquingKeysWith: max)
    return findings.sorted { lhs, rhs in
      let (first, second) = (worst[lhs.category], worst[rhs.category])
      if let first, let second, first != second { return first > second }
      return precedes(lhs, rhs)
    }
  }

  /// Returns whether a finding precedes another: by category, severity, subject, rule and location.
  static func precedes(_ lhs: SchemaFinding, _ rhs: SchemaFinding) -> Bool {
    if lhs.category != rhs.category { return lhs.category < rhs.category }
    if lhs.severity != rhs.severity { return lhs.severity > rhs.severity }
    if lhs.subject != rhs.subject { return lhs.subject < rhs.subject }
    if lhs.rule != rhs.rule { return lhs.rule.rawValue < rhs.rule.rawValue }
    let (file, otherFile) = (lhs.location?.file ?? "", rhs.location?.file ?? "")
    if file != otherFile { return compareUTF8(file, otherFile) < 0 }
    let (offset, other) = (lhs.location?.span.offset ?? 0, rhs.location?.span.offset ?? 0)
    return offset != other ? offset < other : compareUTF8(lhs.message, rhs.message) < 0
  }
}

/// The subject of a finding: the schema, a role, a record type, a field or a grant.
public struct SchemaSubject: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The record type, if the subject is one or part of one.
  @ExactText public var recordType: String?
  /// The field, if the subject is one.
  @ExactText public var field: String?
  /// The role, if the subject is one or a grant to it.
  @ExactText public var role: String?

  /// Creates a subject. Without arguments, it is the schema as a whole.
  package init(recordType: String? = nil, field: String? = nil, role: String? = nil) {
    _recordType = ExactText(wrappedValue: recordType)
    _field = ExactText(wrappedValue: field)
    _role = ExactText(wrappedValue: role)
  }

  static let schema = SchemaSubject()
  static func type(_ name: String) -> SchemaSubject { SchemaSubject(recordType: name) }
  static func field(_ name: String, of type: String) -> SchemaSubject {
    SchemaSubject(recordType: type, field: name)
  }
  static func grant(to role: String, on type: String) -> SchemaSubject {
    SchemaSubject(recordType: type, role: role)
  }
  static func role(_ name: String) -> SchemaSubject { SchemaSubject(role: name) }

  /// `Todo`, `Todo.order`, `*.order` if the record type is not known, `Todo@_world` for a grant,
  /// `@moderator` for a role, or `schema`.
  public var description: String {
    if recordType == nil, field == nil, role == nil { return "schema" }
    return (recordType ?? (field == nil ? "" : "*")) + (field.map { "." + $0 } ?? "")
      + (role.map { "@" + $0 } ?? "")
  }

  /// Orders by record type, field and role. The schema itself comes first.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.names.lexicographicallyPrecedes(rhs.names)
  }

  private var names: [ExactString] { [recordType, field, role].map { ExactString($0 ?? "") } }

  /// Returns whether a pattern matches the subject's description. `*` stands for any number of
  /// characters, and a record type's name matches everything in it.
  func matches(_ pattern: String) -> Bool {
    patternTexts.contains(where: NamePattern(stars: pattern).matches)
  }

  /// The texts that a pattern may match: the description and, for parts of a record type, its name.
  var patternTexts: [String] {
    guard let recordType, field != nil || role != nil else { return [description] }
    return [description, recordType]
  }
}

/// The category of a rule.
public enum SchemaCategory: String, Sendable, Hashable, CaseIterable, Comparable {
  /// The library that mirrors an app's model rejects it, or it was not read as a whole.
  case model = "MODEL"
  /// Production would reject the schema.
  case deploy = "DEPLOY"
  /// Existing or future apps fail.
  case client = "CLIENT"
  /// More users get more permissions.
  case security = "SECURITY"
  /// Stored records do not fit the schema.
  case data = "DATA"
  /// The schema itself violates the rules of the language or of CloudKit.
  case validate = "VALIDATE"
  /// Advice.
  case lint = "LINT"
  /// Other changes, most of which are permanent once deployed.
  case info = "INFO"

  /// The heading of a group of findings.
  package var heading: String {
    switch self {
    case .model: "The app's model"
    case .deploy: "Deployment to production"
    case .client: "Client compatibility"
    case .security: "Security"
    case .data: "Stored records"
    case .validate: "Validity"
    case .lint: "Advice"
    case .info: "Other differences"
    }
  }

  /// Orders categories as in reports.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.position < rhs.position }
}

/// The severity of a finding, from least to most severe.
public enum SchemaSeverity: String, Sendable, Hashable, CaseIterable, Comparable {
  /// The rule does not run.
  case off
  /// For information.
  case info
  /// Probably a mistake, worth a look.
  case note
  /// May harm some users or apps.
  case warning
  /// The server rejects it, or clients fail.
  case error

  /// Orders from least to most severe.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.position < rhs.position }
}

extension CaseIterable where Self: Equatable, AllCases == [Self] {
  var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// A location in a named file, or a file or folder as a whole.
public struct SchemaLocation: Sendable, Hashable, CustomStringConvertible {
  /// The display name of the file.
  public var file: String
  /// The range in the file.
  public var span: SourceSpan

  /// Creates a location.
  package init(file: String, span: SourceSpan) {
    self.file = file
    self.span = span
  }

  /// Creates the location of a file or folder as a whole.
  package init(file: String) {
    self.init(file: file, span: SourceSpan(offset: 0, length: 0, line: 0, column: 0))
  }

  /// Whether it is that of a file or folder as a whole, which has no line.
  package var isWhole: Bool { span.line == 0 }

  /// `file:line:column`, or the file alone.
  public var description: String { isWhole ? file : "\(file):\(span.line):\(span.column)" }
}

/// The kind of a check: the question that it decides.
public enum SchemaCheckKind: String, Sendable, Hashable, CaseIterable {
  /// Does the schema follow the rules of the language and CloudKit's limits?
  case validate
  /// Can the schema be deployed over the production schema, and what becomes permanent?
  case deploy
  /// Does production have everything that the app's schema needs?
  case drift
  /// Would production accept the stored records?
  case records
  /// Does production have everything that the app's source code uses?
  case source
}
