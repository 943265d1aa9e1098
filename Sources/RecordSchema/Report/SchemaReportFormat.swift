import Foundation

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

extension SchemaReport {
  /// Returns the report in a format, with a trailing newline.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - colored: Whether `text` uses terminal colors. The caller must consider the terminal and
  ///     `NO_COLOR`.
  ///   - failOn: The minimum severity of a failure, for `junit`.
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
