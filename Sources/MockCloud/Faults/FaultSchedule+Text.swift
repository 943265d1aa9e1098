import RecordCoding
import RecordModel

extension FaultSchedule: CustomStringConvertible {
  /// The schedule as JSON lines: a header with the seed and probabilities, or the listed faults.
  ///
  /// Errors have the members of errors in recordings.
  public var description: String {
    let lines: [JSONValue?]
    switch content {
    case .listed(let faults):
      lines = [header([])] + faults.map { try? $0.jsonValue() }
    case .seeded(let seed, let probabilities, let actions):
      let kinds = FaultKind.allCases.filter { probabilities[$0] > 0 }
      let names = actions.keys.sorted { ExactString($0) < ExactString($1) }
      lines = [
        header([
          .init("seed", .integer(seed)),
          .init(
            "probabilities",
            .object(kinds.map { .init($0.rawValue, Self.number(probabilities[$0])) })),
          .init("actions", .object(names.map { .init($0, Self.number(actions[$0] ?? 0)) })),
        ])
      ]
    }
    return lines.compactMap { $0?.compactText }.joined(separator: "\n")
  }

  private func header(_ members: [JSONValue.Member]) -> JSONValue {
    .object(
      [.init("kind", .string(Self.kind)), .init("version", .integer(Self.version))] + members)
  }

  private static let kind = "faultSchedule"
  private static let version = 1

  private static func number(_ value: Double) -> JSONValue {
    (try? value.jsonValue()) ?? .integer(0)
  }

  /// Reads a schedule from its text, or from that of a log.
  ///
  /// The closures of actions are not part of the text: add them (``addAction(_:probability:_:)``).
  ///
  /// - Throws: `RecordCodingError` with the number of the line.
  public init(_ text: String) throws {
    // Other line separators may be in the strings of JSON.
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .enumerated().filter { !$0.element.allSatisfy(\.isWhitespace) }
    guard let first = lines.first else {
      throw RecordCodingError(found: "an empty text", expected: "a fault schedule")
    }
    let content = try Self.inLine(first.offset) {
      try Self.header(JSONParser.parse(String(first.element)))
    }
    if let content {
      guard lines.count == 1 else {
        throw RecordCodingError(
          found: "a fault after a seed", expected: "either a seed or a list of faults")
      }
      self.init(content)
    } else {
      self.init(
        .listed(
          try lines.dropFirst().map { line in
            try Self.inLine(line.offset) {
              try InjectedFault(json: JSONParser.parse(String(line.element)))
            }
          }))
    }
  }

  /// Reads the first line; nil for one after which faults are listed.
  private static func header(_ json: JSONValue) throws -> Content? {
    var members = try MemberReader(json, "the header of a fault schedule")
    let kind = try members.required("kind", String.self)
    guard kind == Self.kind else {
      throw json.error(found: "the kind \"\(kind)\"", expected: "\"\(Self.kind)\"")
    }
    let version = try members.required("version", Int64.self)
    guard version == Self.version else {
      throw json.error(found: "version \(version)", expected: "version \(Self.version)")
    }
    let seed = try members.read("seed") { json in
      guard let seed = json.numberText.flatMap(UInt64.init) else {
        throw json.error(expected: "an integer from 0 to \(UInt64.max)")
      }
      return seed
    }
    guard let seed else { return nil }
    var probabilities: FaultProbabilities = [:]
    for member in members.take("probabilities")?.members ?? [] {
      guard let kind = FaultKind(rawValue: member.name) else {
        throw member.value.error(
          found: "the kind of fault \(RecordCodingError.quoted(member.name))",
          expected: "one of \(FaultKind.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      probabilities[kind] = try Double(json: member.value)
    }
    var actions: [String: Double] = [:]
    for member in members.take("actions")?.members ?? [] {
      actions[member.name] = try Double(json: member.value)
    }
    return .seeded(seed, probabilities, actions: actions)
  }

  private static func inLine<T>(_ index: Int, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch var error as RecordCodingError {
      error.path = "line \(index + 1)" + (error.path.isEmpty ? "" : ", \(error.path)")
      throw error
    }
  }
}
