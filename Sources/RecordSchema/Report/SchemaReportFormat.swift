/// The forms in which a report can be written.
public enum SchemaReportFormat: String, Sendable, Hashable, CaseIterable {
  /// For people at a terminal.
  case text
  /// For programs; versioned and stable.
  case json
  /// For a comment on a pull request.
  case markdown
  /// Annotations of GitHub Actions.
  case github
  /// SARIF 2.1.0, for code scanning.
  case sarif
  /// JUnit XML, for test reports.
  case junit
}

extension SchemaReport {
  /// The report in a format, with a final line break.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - colored: Whether `text` uses terminal colours; the caller knows the terminal and NO_COLOR.
  ///   - failOn: From which severity on a finding is a failure, for `junit`.
  public func text(
    as format: SchemaReportFormat, colored: Bool = false, failOn: SchemaSeverity = .error
  ) -> String {
    switch format {
    case .text: TextReport(isColored: colored).render(self)
    case .json: JSONReport.render(self)
    case .markdown: MarkdownReport.render(self)
    case .github: GitHubReport.render(self)
    case .sarif: SARIFReport.render(self)
    case .junit: JUnitReport.render(self, failOn: failOn)
    }
  }
}

extension String {
  /// The text without control characters: names in schemas are anybody's text.
  var printable: String { SourceExcerpt.printable(Array(utf8)[...]) }
}
