import Foundation
import Testing

@testable import RecordMigration

@Suite("A plan with a mistake")
struct PlanMistakeTests {
  private static let schema = """
    DEFINE SCHEMA
    RECORD TYPE Chat (title STRING, photo ASSET, GRANT WRITE TO "_creator");
    RECORD TYPE Message (
      chat REFERENCE, count STRING, place LOCATION, sentAt TIMESTAMP, tags LIST<STRING>,
      text STRING, size INT64, secret ENCRYPTED STRING, GRANT WRITE TO "_creator"
    );
    """
  private static let head = "recordpack-migration: 1\nfrom: v1\nto: v2\nsteps:\n"
  private static let rename = """
      - do: rename-field
        type: Message
        field: text
        to: body

    """

  /// A plan, and what the error must be.
  struct Mistake: CustomTestStringConvertible {
    let place: String
    let part: String
    let plan: String
    var testDescription: String { "\(place) \(part)" }
  }

  private static func mistakes(_ table: String, after head: String) -> [Mistake] {
    ("\n" + table).components(separatedBy: "\n== ").dropFirst().map { entry in
      let lines = entry.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let words = lines[0].split(separator: " ", maxSplits: 1).map(String.init)
      return Mistake(
        place: words[0], part: words[1], plan: head + (lines.count > 1 ? lines[1] : "") + "\n")
    }
  }

  private static let all =
    mistakes(PlanMistakes.steps, after: head)
    + mistakes(PlanMistakes.laterSteps, after: head + rename)
    + mistakes(PlanMistakes.plans, after: "")

  private func withSchemas<R>(_ body: (String) throws -> R) throws -> R {
    try withFolder { folder in
      for (name, text) in [
        "v1": Self.schema,
        "v2": Self.schema.replacingOccurrences(of: "text STRING", with: "body STRING"),
        "bad": "DEFINE SCHEMA\nRECORD TYPE Chat (\n  title STRNG\n);\n",
      ] {
        try text.write(toFile: "\(folder)/\(name).ckdb", atomically: true, encoding: .utf8)
      }
      return try body(folder)
    }
  }

  /// What is wrong with a plan, without the folder's name.
  private func message(_ plan: Data, in folder: String) throws -> String {
    let path = folder + "/p.yml"
    try plan.write(to: URL(fileURLWithPath: path))
    do {
      _ = try MigrationPlan(path: path)
      return ""
    } catch {
      return "\(error)".replacingOccurrences(of: folder + "/", with: "")
    }
  }

  @Test("gets an error with the line and what was meant", arguments: all)
  func mistake(_ mistake: Mistake) throws {
    try withSchemas { folder in
      let text = try message(Data(mistake.plan.utf8), in: folder)
      #expect(text.hasPrefix("p.yml:\(mistake.place): error: "), "\(text)\n\(mistake.plan)")
      #expect(text.contains(mistake.part), "\(text)\n\(mistake.plan)")
    }
  }

  @Test("is none where it is right: the plans that the mistakes are made of")
  func right() throws {
    #expect(Self.all.count >= 80)
    try withSchemas { folder in
      let plan = Self.head + Self.rename
      #expect(try message(Data(plan.utf8), in: folder) == "")
      for right in [
        "where: count == '3' and size > 3", "where: size", "where: has(chat) and name(chat) != 'x'",
        "where: contains(tags, text(size))", "where: sentAt > date('2024-01-01')",
        "where: if(size > 3, count == 'x', false)",
        "where: \"length(tags) * 2 >= size - 1\"",
        "where: number(count) > 3.5", "where: 'not (at(tags, 0) == count)'", "where: count == null",
        "where: coalesce(count, 'x') == first(tags)", "where: parent == chat", "where: -size < 0",
        "note: '!important & more, *all* of it'", "note: R&D # &x *y", "misfit: null",
      ] {
        let step = "  - do: encrypt\n    type: Message\n    field: body\n    \(right)\n"
        // The field is put back, as the target has it.
        let back = "  - do: decrypt\n    type: Message\n    field: body\n"
        let text = try message(Data((plan + step + back).utf8), in: folder)
        #expect(text == "", "\(right)")
      }
      // The same as JSON, with the line ends and the mark of other systems.
      let json = """
        {"recordpack-migration": 1, "from": "v1", "to": "v2", "steps":
          [{"do": "rename-field", "type": "Message", "field": "text", "to": "body"}]}
        """
      #expect(try message(Data(json.utf8), in: folder) == "")
      let windows = plan.replacingOccurrences(of: "\n", with: "\r\n")
      #expect(try message(Data("\u{FEFF}\(windows)".utf8), in: folder) == "")
      let numbers = plan.replacingOccurrences(of: "v1", with: "1").replacingOccurrences(
        of: "v2", with: "2.0")
      #expect(try message(Data(numbers.utf8), in: folder) == "")
    }
  }

  @Test("is told of in files that are no text, no plan, or name no schema")
  func files() throws {
    let head = "recordpack-migration: 1\nfrom: "
    let cases: [(Data, String)] = [
      (Data(), "p.yml:1:1: error: the plan is empty"),
      (Data(head.utf8) + [0x63, 0xE9, 0x0A], "p.yml:2:8: error: the file is not UTF-8"),
      (
        try #require("recordpack-migration: 1".data(using: .utf16)),
        "p.yml:1:1: error: the file is not"
      ),
      (Data((head + "v1\ntitle: \u{07}").utf8), "p.yml:3:8: error: control characters"),
      (
        Data((head + "v1\nsteps:\n" + String(repeating: "[", count: 99)).utf8), "p.yml:4:1: error: "
      ),
      (Data((head + "v0.ckdb\nto: v2\nsteps: []").utf8), "p.yml:2:7: error: there is no schema"),
      (Data((head + "bad.ckdb\nto: v2\nsteps: []").utf8), "bad.ckdb:3:9: error: "),
      (Data((head + "v1\nto: v2\nsteps: [*a]").utf8), "p.yml:4:9: error: '&' and '*'"),
    ]
    try withSchemas { folder in
      for (data, expected) in cases {
        let text = try message(data, in: folder)
        #expect(text.hasPrefix(expected), "\(text)")
      }
    }
  }

  @Test(
    "cannot make the reader work for ever by aliases",
    arguments: [
      "[&a [x], [*a, *a]]", "{\"k\":&a [x], l: *a}", "!t &a [x]", "\n  - &a x\n  - *a",
      "- - &a [x]", "? &a [x]\n: *a", "--- &a x",
    ])
  func aliases(value: String) {
    let error = #expect(throws: MigrationError.self) {
      try MigrationPlan(yaml: "recordpack-migration: 1\nsteps: \(value)\n")
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("a plan cannot have"))
  }

  @Test("two plans between the same versions are one too many")
  func twins() throws {
    try withSchemas { folder in
      for name in ["a", "b"] {
        try (Self.head + Self.rename).write(
          toFile: "\(folder)/\(name).yml", atomically: true, encoding: .utf8)
      }
      try FileManager.default.removeItem(atPath: folder + "/bad.ckdb")
      let error = #expect(throws: MigrationError.self) { try MigrationDirectory(path: folder) }
      #expect("\(try #require(error))".contains("b.yml:2:7: error: "))
    }
  }

  @Test("what is no regular file is named, and a pipe does not wait", arguments: [true, false])
  func irregularFiles(_ isPipe: Bool) throws {
    try withFolder { folder in
      for name in ["v2.yml", "v1.ckdb"] {
        let path = "\(folder)/\(name)"
        if isPipe {
          try #require(mkfifo(path, 0o600) == 0)
        } else {
          try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        }
        let error = #expect(throws: MigrationError.self) { try MigrationDirectory(path: folder) }
        #expect(error?.description.contains("'\(path)': not a regular file") == true, "\(error)")
        try FileManager.default.removeItem(atPath: path)
      }
    }
  }
}
