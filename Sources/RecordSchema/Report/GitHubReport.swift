extension SchemaDocument {
  /// The diagnostics as GitHub Actions annotations, one per line.
  package var gitHubAnnotations: String { GitHubReport.render(self) }
}

/// A report as GitHub Actions workflow commands: an annotation per finding, followed by lines of
/// plain text.
enum GitHubReport {
  static func render(_ report: SchemaReport) -> String {
    var lines = report.merged.map(annotation)
    lines += ([report.heading] + (report.model?.lines ?? [])).map(plainLine)
    lines += [report.limitNote, report.summary, report.nextStep].compactMap { $0.map(plainLine) }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns a line of plain text. The prefix and the replacement are needed because the runner
  /// treats a line that begins with `::` or contains `##[` as a workflow command.
  private static func plainLine(_ text: String) -> String {
    "RecordPack: " + text.printable.separatingCommands
  }

  private static func annotation(_ finding: SchemaFinding) -> String {
    let command =
      switch finding.severity {
      case .error: "error"
      case .warning: "warning"
      case .note, .info, .off: "notice"
      }
    var properties: [String] = []
    if let location = finding.location {
      properties = ["file=" + property(location.file)]
      if !location.isWhole {
        properties += ["line=\(location.span.line)", "col=\(location.span.column)"]
      }
    }
    properties.append("title=" + property("\(finding.rule) \(finding.subject)"))
    let message = finding.fullMessage + (finding.hint.map { "\n→ " + $0 } ?? "")
    return "::\(command) \(properties.joined(separator: ","))::\(data(message))"
  }

  /// Returns an annotation for each diagnostic of a document.
  static func render(_ document: SchemaDocument) -> String {
    let lines = document.diagnostics.map { diagnostic in
      let place =
        "file=" + property(document.name)
        + ",line=\(diagnostic.span.line),col=\(diagnostic.span.column)"
      let title = property(diagnostic.code.rawValue)
      return "::\(diagnostic.severity.rawValue) \(place),title=\(title)::"
        + data(diagnostic.message + (diagnostic.hint.map { "\n→ " + $0 } ?? ""))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Escapes a message as the runner's toolkit does. A line break would end the command.
  private static func data(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      default: scalar.isControlling ? "\u{FFFD}" : nil
      }
    }
  }

  private static func property(_ text: String) -> String {
    data(text).replacingLiterally(":", with: "%3A").replacingLiterally(",", with: "%2C")
  }
}
