import Yams

/// Converts errors of the YAML library to messages for authors of plans.
enum YamlFault {
  static func error(from error: any Error, file: String, yaml: String) -> PlanError {
    switch error {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      return fault(context, problem, mark, file, yaml)
    case YamlError.duplicatedKeysInMapping(let duplicates, let context):
      let names = duplicates.sorted().map { "'\($0)'" }.joined(separator: ", ")
      return PlanError(place(context.mark, file), "\(names) stands here twice")
    case YamlError.reader(let problem, let offset, let value, _):
      let before = yaml.prefix(offset ?? 0)
      let line = before.count(where: \.isNewline) + 1
      let column = before.reversed().prefix { !$0.isNewline }.count + 1
      let sign = value > 0 ? " (U+" + hexadecimal(value) + ")" : ""
      return PlanError(PlanPlace(file: file, line: line, column: column), problem + sign)
    default:
      let text = "\(error)".split(separator: "\n").first.map(String.init) ?? "this is no YAML"
      return PlanError(PlanPlace(file: file, line: 1, column: 1), text)
    }
  }

  private static func hexadecimal(_ value: Int32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  private static func place(_ mark: Mark, _ file: String) -> PlanPlace {
    PlanPlace(file: file, line: mark.line, column: mark.column)
  }

  private static func fault(
    _ context: YamlError.Context?, _ problem: String, _ mark: Mark, _ file: String, _ yaml: String
  ) -> PlanError {
    let here = place(mark, file)
    /// The start of the incomplete element.
    let start = context.map { place($0.mark, file) } ?? here
    switch problem {
    case "mapping values are not allowed in this context":
      return PlanError(
        here,
        "a ':' too many: the line above lacks one (or the blank behind it), this line is indented "
          + "wrongly, or the whole value needs quotation marks")
    case "did not find expected key":
      return PlanError(
        here,
        "here should be 'key: value'; keys that belong together are indented alike, and a value "
          + "that begins with a quotation mark ends with it")
    case "did not find expected '-' indicator":
      return PlanError(
        here, "here should be '- ', an item of the list; keys of a step are indented alike")
    case "could not find expected ':'":
      return PlanError(start, "this line has no ':' with a blank behind it")
    case "did not find expected ',' or '}'", "did not find expected ',' or ']'":
      let sign = problem.dropLast().last.map(String.init) ?? ""
      return PlanError(
        mark.line == start.line ? here : start,
        mark.line == start.line ? "a ',' or '\(sign)' is missing here" : "no '\(sign)' closes this")
    case "found unexpected end of stream", "found unexpected document indicator":
      return PlanError(start, "no quotation mark closes this text")
    case "found character that cannot start any token":
      let sign = character(at: mark, in: yaml)
      if sign == "\t" { return PlanError(here, "a tab: lines are indented with blanks") }
      return PlanError(here, "a value that begins with '\(sign)' stands in quotation marks")
    case "did not find expected alphabetic or numeric character":
      let sign = character(at: context?.mark ?? mark, in: yaml)
      return PlanError(start, "a value that begins with '\(sign)' stands in quotation marks")
    case "but found another document":
      return PlanError(here, "here a second document begins; each plan is a file of its own")
    case "found unknown escape character":
      return PlanError(
        here, "this '\\' means nothing in \"…\"; in '…' it is a character like others")
    case _ where problem.contains("a tab character"):
      return PlanError(here, "a tab: lines are indented with blanks")
    default:
      let situation = (context?.text).map { $0 + ": " } ?? ""
      return PlanError(here, situation + problem)
    }
  }

  private static func character(at mark: Mark, in yaml: String) -> String {
    let lines = yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.indices.contains(mark.line - 1) else { return "" }
    return lines[mark.line - 1].unicodeScalars.dropFirst(mark.column - 1).first.map { String($0) }
      ?? ""
  }
}
