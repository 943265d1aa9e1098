import Foundation

/// The result of a check: the findings of the rules, and the findings that were suppressed.
public struct SchemaReport: Sendable, Hashable {
  /// A finding that was suppressed.
  public struct Suppressed: Sendable, Hashable {
    /// The finding.
    public var finding: SchemaFinding
    /// The suppression of it.
    public var suppression: Suppression
  }

  /// The stored records that were part of a check.
  package struct CheckedRecords: Sendable, Hashable {
    /// The display name of the records, such as the bundle's path.
    package var source: String
    /// The number of records.
    package var records: Int
    /// The number of subscriptions.
    package var subscriptions: Int

    init(_ census: RecordCensus) {
      source = census.source
      records = census.recordCount
      subscriptions = census.subscriptions.count
    }
  }

  /// The source code that was part of a check.
  package struct CheckedSource: Sendable, Hashable {
    /// The display name of the source code, such as the folder's path.
    package var source: String
    /// The number of files.
    package var files: Int
    /// The number of uses of record types and fields.
    package var uses: Int
    /// The places of names that are computed and could not be checked.
    package var computed: [SchemaLocation]

    init(_ uses: SourceUses) {
      source = uses.source
      files = uses.files
      self.uses = uses.uses.count
      computed = uses.computed
    }
  }

  /// The app's model that was part of a check.
  package struct CheckedModel: Sendable, Hashable {
    /// The name of the library.
    package var library: String
    /// The containers to which the app mirrors the model, as far as they are known.
    package var containers: [MirroredModel.Container]
    package var notes: [String]

    init(_ model: MirroredModel) {
      (library, notes) = (model.kind.title, model.notes)
      containers = model.isUnmirrored ? [] : model.containers
    }

    /// The containers and the notes, a sentence each.
    package var lines: [String] {
      let names = containers.map { "\($0.name) (\($0.location))" }
      return (names.isEmpty ? [] : ["\(library) mirrors the model to " + Phrase.list(names)])
        + notes
    }
  }

  /// The maximum number of findings, and of suppressed findings, listed per rule: 1,000.
  package static let maxFindings = 1000

  /// The kind of the check.
  public var kind: SchemaCheckKind
  /// The name of the schema that was compared with, or `nil` for `validate`.
  public var from: String?
  /// The name of the checked schema.
  public var to: String
  /// The findings by category, the one with the most severe finding first, in it by severity and subject.
  /// At most the first 1,000 per rule.
  public var findings: [SchemaFinding]
  /// The suppressed findings, in the same order.
  public var suppressed: [Suppressed]
  /// The rules with more findings than are listed.
  package var limitedRules: [SchemaRule.ID]
  /// The stored records that were part of the check, if any.
  package var records: CheckedRecords?
  /// The source code that was part of the check, if any.
  package var source: CheckedSource?
  /// The app's model that was part of the check, if any.
  package var model: CheckedModel?
  /// For the development environment, the changes that the records made to the schema before they
  /// were checked.
  package var extendedSchema: ExtendedSchema?

  var allFindings: [SchemaFinding] { findings + suppressed.map(\.finding) }

  /// Returns the number of listed findings with a severity.
  public func count(of severity: SchemaSeverity) -> Int {
    findings.count { $0.severity == severity }
  }

  /// The findings as people read them: one for each decision.
  var merged: [SchemaFinding] { SchemaFinding.merged(findings, of: kind) }

  /// A line that names the rules with more findings than are listed, if there are any.
  package var limitNote: String? {
    if limitedRules.isEmpty { return nil }
    return "more than \(Self.maxFindings) findings, of which the others are not listed: "
      + Phrase.list(limitedRules.map(\.rawValue))
  }

  /// Returns whether a finding has at least the given severity. Reliable even if not all
  /// findings are listed, because every rule lists its first ones.
  public func fails(at severity: SchemaSeverity) -> Bool {
    severity != .off && findings.contains { $0.severity >= severity }
  }

  /// A one-line summary, such as `2 errors, 1 note · 1 allowed to pass`. Findings that one decision settles
  /// count as one.
  public var summary: String {
    let merged = merged
    let parts: [String] = [
      (SchemaSeverity.error, "error"), (.warning, "warning"), (.note, "note"), (.info, "info"),
    ].compactMap { severity, noun in
      let count = merged.count { $0.severity == severity }
      if count == 0 { return nil }
      return severity == .info ? "\(count) info" : Phrase.count(count, noun)
    }
    var text = parts.isEmpty ? "nothing found" : parts.joined(separator: ", ")
    if let records {
      text += " · " + Phrase.count(records.records, "record") + " checked"
      if records.subscriptions > 0 {
        text += ", " + Phrase.count(records.subscriptions, "subscription")
      }
    }
    if let source {
      text += " · " + Phrase.count(source.uses, "use") + " in " + Phrase.count(source.files, "file")
      text += " checked"
      if !source.computed.isEmpty {
        text += ", " + Phrase.count(source.computed.count, "computed name") + " not checked"
      }
    }
    if !suppressed.isEmpty { text += " · \(suppressed.count) suppressed" }
    return limitedRules.isEmpty ? text : text + " · more not listed"
  }

  /// A sentence that says what to do about the errors, else about the warnings, else about what a model
  /// adds; nil without them.
  package var nextStep: String? {
    let errors = findings.filter { $0.severity == .error }
    if errors.isEmpty {
      guard count(of: .warning) > 0 else {
        let adds = findings.contains { ["FIELD_ADDED", "RECORD_TYPE_ADDED"].contains($0.rule) }
        return kind == .deploy && model != nil && adds
          ? "Deploy what the model adds before you release the app." : nil
      }
      switch kind {
      case .deploy: return "You can deploy: read the warnings first, or allow them in comments."
      case .drift, .source:
        return
          "Before you release the app, deploy what the warnings name, or allow them in comments."
      case .validate: return "The schema is valid: change what the warnings name, or allow them."
      case .records: return nil
      }
    }
    if errors.contains(where: { $0.rule == "MODEL_NOT_MIRRORED" }) {
      return "Nothing was checked: name what the app mirrors, or remove the check."
    }
    if errors.contains(where: { $0.rule == "MODEL_NOT_READ" }) {
      return "Not everything was checked: make the model readable first."
    }
    if errors.contains(where: { $0.category == .model }) {
      return "Mend the model first: the library rejects it at launch, so nothing is synced."
    }
    switch kind {
    case .deploy: return "Do not deploy: change the schema, or allow the findings in its comments."
    case .drift, .source:
      return "Do not release the app: deploy to production what it lacks, or change the app."
    case .validate: return "Change the schema: CloudKit rejects it, or the app's records."
    case .records: return nil
    }
  }

  /// The question as a one-line heading.
  package var heading: String {
    switch kind {
    case .validate: "\(to): is the schema valid?"
    case .deploy: "\(from ?? "") → \(to): can it be deployed?"
    case .records:
      "\(records?.source ?? "") → \(to): would "
        + "\(extendedSchema == nil ? "production" : "development") accept the records?"
    case .source:
      "\(source?.source ?? "") → \(to): does production have everything that the code uses?"
    case .drift: "\(from ?? "") → \(to): does production have everything that the app needs?"
    }
  }

  /// Returns the report in a format, with a trailing newline.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - colored: Whether `text` uses terminal colors. The caller must consider the terminal and
  ///     `NO_COLOR`.
  ///   - failOn: The minimum severity of a failure, for `junit` and `markdown`.
  public func text(
    as format: SchemaReportFormat, colored: Bool = false, failOn: SchemaSeverity = .error
  ) -> String {
    switch format {
    case .text: TextReport(isColored: colored).render(self)
    case .json: JSONReport.render(self)
    case .markdown: MarkdownReport.render(self, failOn: failOn)
    case .github: GitHubReport.render(self)
    case .sarif: SARIFReport.render(self)
    case .junit: JUnitReport.render(self, failOn: failOn)
    }
  }
}

/// The output format of a report.
public enum SchemaReportFormat: String, Sendable, Hashable, CaseIterable {
  /// Plain text for a terminal.
  case text
  /// JSON for programs, versioned and stable.
  case json
  /// Markdown for a pull request comment.
  case markdown
  /// GitHub Actions annotations.
  case github
  /// SARIF 2.1.0, for code scanning.
  case sarif
  /// JUnit XML, for test reports.
  case junit
}

extension String {
  /// The text with control characters replaced, because names in schemas are untrusted.
  var printable: String { SourceExcerpt.printable(Array(utf8)[...]) }

  /// The text with a space in `##[`, which starts a command of GitHub's runner anywhere in a line.
  package var separatingCommands: String { replacingLiterally("##[", with: "## [") }

  /// Returns the text with some scalars replaced. `nil` keeps a scalar.
  func replacingScalars(_ replacement: (Unicode.Scalar) -> String?) -> String {
    unicodeScalars.reduce(into: "") { result, scalar in
      if let text = replacement(scalar) {
        result += text
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
  }
}
