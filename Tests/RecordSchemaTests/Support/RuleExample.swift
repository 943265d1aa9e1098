import Foundation

@testable import RecordSchema

/// The example on a rule's page: the files of the rule's first case, and its finding in them.
struct RuleExample {
  let rule: SchemaRule

  /// The section of the page, empty for a rule without a folder of cases.
  var text: String {
    get throws {
      guard let folder, let to = try file("to"), let from = try file("from") else { return "" }
      var lines = ["## Example", ""]
      let records = try Self.text(of: folder.appending(path: "records.jsonl"))
      let production = try Self.text(of: folder.appending(path: "production.ckdb"))
      if let config = try Self.text(of: folder.appending(path: "config.yml")) {
        lines += ["The settings in `.recordpack.yml`:", ""] + Self.block(config, as: "yaml")
      }
      if let production {
        lines += ["The schema of production:", ""] + Self.block(production, as: "sql")
      }
      if let records {
        lines += ["The records:", ""] + Self.block(records, as: "json")
      }
      let (shown, other) =
        to.ending == "ckdb" ? Self.different(to.text, from.text) : (to.text, from.text)
      let isRejected = rule.defaultSeverity == .error
      lines += [
        "\(isRejected ? "Rejected" : "Reported")\(context(records != nil)):", "",
      ]
      lines += Self.block(shown, as: to.language)
      lines += ["The finding:", ""] + Self.block(try finding(in: folder), as: "text")
      if other != shown {
        lines += ["\(isRejected ? "Accepted" : "Not reported"):", ""]
        lines += Self.block(other, as: from.language)
      }
      return lines.joined(separator: "\n")
    }
  }

  /// The schema's part in the check.
  private func context(_ hasRecords: Bool) -> String {
    if hasRecords { return ", with this schema" }
    switch rule.checkKinds.first {
    case .deploy where !rule.checkKinds.contains(.validate):
      return ", if production has the second schema"
    case .drift:
      return rule.needsModel ? "" : ", as the app's schema, if production has the second schema"
    default: return ""
    }
  }

  private var folder: URL? {
    ["Tests/RecordSchemaTests/Rules", "Tests/AppModelTests/Rules"]
      .map { Place.package.appending(path: "\($0)/\(rule.id)") }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }

  private struct File {
    let text: String
    let ending: String
    var language: String { ["swiftcode": "swift", "xml": "xml"][ending] ?? "sql" }
  }

  private func file(_ name: String) throws -> File? {
    guard let folder else { return nil }
    for ending in ["ckdb", "swiftcode", "xml", "sql"] {
      if let text = try Self.text(of: folder.appending(path: "\(name).\(ending)")) {
        return File(text: text, ending: ending)
      }
    }
    return nil
  }

  private static func text(of file: URL) throws -> String? {
    guard FileManager.default.fileExists(atPath: file.path) else { return nil }
    return try String(contentsOf: file, encoding: .utf8)
  }

  /// The first finding of the rule, with the lines that belong to it.
  private func finding(in folder: URL) throws -> String {
    let report = try SchemaCheckKind.allCases.compactMap {
      try Self.text(of: folder.appending(path: "\($0.rawValue).txt"))
    }.first { $0.contains(" \(rule.id) ") }
    let lines = (report ?? "").components(separatedBy: "\n")
    guard let start = lines.firstIndex(where: { $0.contains(": \(rule.id) ") }) else { return "" }
    let rest = lines[(start + 1)...].prefix { $0.hasPrefix("      ") }
    // The page shows a part of the file, in which the line has another number.
    let head = lines[start].replacing(#/^ *[^ ]+:\d+:\d+: /#, with: "")
    return ([head] + rest.filter { !$0.contains(" in from.ckdb:") }.map { String($0.dropFirst(4)) })
      .joined(separator: "\n")
  }

  /// Two schemas without the parts that are the same in both.
  private static func different(_ text: String, _ other: String) -> (String, String) {
    func parts(_ text: String) -> [String] {
      text.trimmingCharacters(in: .newlines).components(separatedBy: "\n\n")
    }
    let (all, others) = (parts(text), parts(other))
    guard all != others else {
      let shown = all.filter { !$0.contains(" Users (") }.joined(separator: "\n\n")
      return (shown, shown)
    }
    func kept(_ parts: [String], _ other: [String]) -> String {
      let kept = parts.enumerated().filter { $0.offset == 0 || !other.contains($0.element) }
      return (kept.count > 1 ? kept.map(\.element) : Array(parts.prefix(2))).joined(
        separator: "\n\n")
    }
    return (kept(all, others), kept(others, all))
  }

  /// A block of code, with long lines and long files cut.
  private static func block(_ text: String, as language: String) -> [String] {
    var lines = text.trimmingCharacters(in: .newlines).components(separatedBy: "\n").map { line in
      line.replacing(/(\w)\1{30,}…?/) { "\($0.output.1)\($0.output.1)\($0.output.1)…" }
    }
    if lines.count > 40 {
      lines.replaceSubrange(8..<(lines.count - 8), with: ["        // … \(lines.count - 16) lines"])
    }
    return ["```\(language)"] + lines + ["```", ""]
  }
}
