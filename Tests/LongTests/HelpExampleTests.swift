import ArgumentParser
import Foundation
import Testing
import ToolTestSupport

@testable import RecordPackTool

@Suite("Examples in the help texts", .serialized)
struct HelpExampleTests {
  /// The lines under EXAMPLES of a command.
  static func examples(_ command: any ParsableCommand.Type) -> [String] {
    command.configuration.discussion.components(separatedBy: "EXAMPLES\n").dropFirst()
      .flatMap { $0.split(separator: "\n") }
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.contains("recordpack ") }
  }

  static let commands = RecordPackCommand.configuration.subcommands.flatMap { command in
    [command] + command.configuration.subcommands
  }

  @Test("Every command has examples, none wider than a terminal")
  func width() {
    for command in Self.commands + [RecordPackCommand.self] {
      let lines = command.configuration.discussion.split(separator: "\n")
      #expect(!Self.examples(command).isEmpty, "\(command)")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(command)")
    }
  }

  @Test("Every example runs")
  func run() async throws {
    try await withFolder { folder in
      let template = folder + "/template"
      try FileManager.default.createDirectory(
        atPath: template, withIntermediateDirectories: false)
      try await prepare(template)
      for (index, command) in Self.commands.enumerated() {
        let copy = folder + "/\(index)"
        try FileManager.default.copyItem(atPath: template, toPath: copy)
        if command == ExportCommand.self {
          // What the examples are about to write.
          _ = try await ToolProcess.shell("rm Tact.recordpack big-*", in: copy)
        }
        if command == FixtureCheckCommand.self {
          try await run(
            ["recordpack fixture anonymise Tact.sqlite --policy p.yml -o test.recordpack"], in: copy
          )
        }
        try await run(Self.examples(command), in: copy)
      }
    }
  }

  /// The key that the examples of an anonymisation take from the environment.
  private static let key = "RECORDPACK_KEY=9PMT+2RgqvaaFV1WL2jNPqX4UbQeQgmmmOHAN9Vit9A="

  private func run(_ examples: [String], in folder: String) async throws {
    for example in examples {
      let isInGit = example.contains("main:")
      let programs =
        ["jq", "zstd"].filter { example.contains(" \($0) ") } + (isInGit ? ["git"] : [])
      guard programs.allSatisfy(Command.exists) else { continue }
      // A server runs until it is told to end, or its command ends.
      let isServer = ["serve", "open"].contains { example.hasPrefix("recordpack \($0) ") }
      let command = isServer && !example.contains(" -- ") ? untilServed(example) : example
      let result = try await ToolProcess.shell("export \(Self.key); " + command, in: folder)
      let mayFind = [
        "diff ", "validate ", "schema print --check", "recover ", "--to ", "fixture check ",
      ]
      let finds = mayFind.contains {
        example.contains("\($0)") && !example.contains("--validate")
      }
      let allowed: ClosedRange<Int32> = finds ? 0...1 : 0...0
      #expect(allowed.contains(result.code), "\(example): \(result.errors)")
    }
  }

  /// A line that starts a server, and ends it as soon as it has told its address.
  private func untilServed(_ example: String) -> String {
    """
    rm -f server.out
    \(example) >server.out 2>&1 & server=$!
    while kill -0 $server && ! grep -qs http:// server.out; do sleep 0.1; done
    kill $server; wait $server; code=$?
    cat server.out >&2; exit $code
    """
  }

  /// Everything that the examples name, but what they write themselves.
  private func prepare(_ folder: String) async throws {
    // The names in the examples are those of the chat app's container.
    let tact = try await ToolProcess.shell(
      "tact Tact.sqlite && recordpack export Tact.sqlite -o Tact.recordpack", in: folder)
    try #require(tact.code == 0, "\(tact.errors)")
    try Samples.copyPlans(to: folder)
    try FileManager.default.copyItem(
      atPath: folder + "/Plans/v1.recordpack", toPath: folder + "/Old.recordpack")
    try Samples.makeContainer(in: folder, name: "After.sqlite", text: "Bye", messages: 5)
    for (container, name) in [("Tact.sqlite", "before"), ("After.sqlite", "after")] {
      _ = try await ToolProcess.run("export", container, "-o", name + ".recordpack", in: folder)
    }
    _ = try await ToolProcess.run(
      "export", "Tact.sqlite", "-o", "big.recordpack", "--split-size", "64KiB", in: folder)
    for name in ["responses", "anna"] {
      try FileManager.default.createDirectory(
        atPath: folder + "/" + name, withIntermediateDirectories: false)
    }
    let script = try await ToolProcess.shell(
      #"printf '#!/bin/sh\n[ -n "$RECORDPACK_ADDRESS" ]\n' > test.sh; chmod +x test.sh"#, in: folder
    )
    try #require(script.code == 0, "\(script.errors)")
    try Samples.write(Samples.response(records: 3), "responses/1.json", in: folder)
    try Samples.write(Samples.response(records: 3), "anna/1.json", in: folder)
    try Samples.write(Samples.response(records: 2), "response.json", in: folder)
    try Samples.write(Samples.recording, "sync.recording", in: folder)
    try Samples.write(
      Data(#"{"records":[{"recordName":"b","recordType":"Book","fields":{}}]}"#.utf8),
      "books.json", in: folder)
    _ = try await ToolProcess.run(
      "export", "Tact.sqlite", "-o", "mocks.json", "--to", "canopy", "--database", "private",
      in: folder)
    try Samples.write(
      Data(#"{"recordName":"n","recordType":"Note","fields":{}}"#.utf8), "records.json", in: folder)
    try Samples.write(Data("bytes".utf8), "photo.bmp", in: folder)
    _ = try await ToolProcess.shell(
      "recordpack query Tact.sqlite --type Message --fields recordName --json | jq -r .recordName | head -3 > n",
      in: folder)
    _ = try await ToolProcess.run("fixture", "policy", "Tact.sqlite", "-o", "p.yml", in: folder)
    try SampleStore.make("default.store", in: folder)
    try SampleStore.make("E.store", in: folder, isEmpty: true)
    try await prepareSchemas(folder)
    // Cut off, but with its first frames whole.
    let bundle = try Samples.read("Tact.recordpack", in: folder)
    try FileManager.default.createDirectory(
      atPath: folder + "/damaged", withIntermediateDirectories: false)
    try Samples.write(bundle.dropLast(20), "damaged/broken.recordpack", in: folder)
  }

  /// A model of Core Data in two versions, and one of SwiftData.
  private func prepareModels(_ folder: String) throws {
    for (name, attribute) in [("V1", "title"), ("App", "text")] {
      let version = "App.xcdatamodeld/\(name).xcdatamodel"
      try FileManager.default.createDirectory(
        atPath: folder + "/" + version, withIntermediateDirectories: true)
      try Samples.write(
        Data(
          """
          <?xml version="1.0" encoding="UTF-8"?>
          <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Note">
          <attribute name="\(attribute)" optional="YES" attributeType="String"/>
          </entity></model>
          """.utf8), version + "/contents", in: folder)
    }
    try Samples.write(
      Data(
        """
        <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
        <string>App.xcdatamodel</string></dict></plist>
        """.utf8), "App.xcdatamodeld/.xccurrentversion", in: folder)
    try FileManager.default.createDirectory(
      atPath: folder + "/App/Models", withIntermediateDirectories: true)
    try Samples.write(
      Data("import SwiftData\n@Model class Note {\n  var title = \"\"\n  init() {}\n}\n".utf8),
      "App/Models/Note.swift", in: folder)
  }

  /// Schemas in files, and one of them on the branch main of a git repository.
  private func prepareSchemas(_ folder: String) async throws {
    try FileManager.default.createDirectory(
      atPath: folder + "/CloudKit", withIntermediateDirectories: false)
    for name in ["CloudKit/schema.ckdb", "production.ckdb", "schema.ckdb", "s.ckdb"] {
      try Samples.write(Data(Samples.schema.utf8), name, in: folder)
    }
    try FileManager.default.createDirectory(
      atPath: folder + "/Sources", withIntermediateDirectories: false)
    try Samples.write(
      Data("func chat(of message: CKRecord) -> Any? { message[\"chat\"] }".utf8),
      "Sources/App.swift", in: folder)
    try prepareModels(folder)
    _ = try await ToolProcess.run("fixture", "recipe", "s.ckdb", "-o", "r.yaml", in: folder)
    let commit = "git -c user.name=t -c user.email=t@example.com commit -q -m schemas"
    _ = try await ToolProcess.shell(
      "command -v git && git init -q -b main . && git add '*.ckdb' && \(commit)", in: folder)
  }
}
