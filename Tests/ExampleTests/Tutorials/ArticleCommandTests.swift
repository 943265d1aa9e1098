import Foundation
import Testing

/// The commands of articles run: each block of a shell that has `recordpack`, in the order of the page.
///
/// A line `<!-- not run: REASON -->` before a block leaves it out.
@Suite(
  .enabled("needs bash, git, jq, sqlite3, and the recordpack tool built") {
    ["bash", "git", "jq", "sqlite3"].allSatisfy(Command.exists)
      && Place.program("recordpack") != nil
  })
struct ArticleCommandTests {
  /// The pages whose commands `TutorialTests` and `CurlPageTests` run.
  private static let others =
    TutorialTests.names + TutorialTests.guides + ["Requests", "ServerKeys", "HTTPS", "JavaScript"]

  private static func name(_ article: String) -> String {
    URL(fileURLWithPath: article).deletingPathExtension().lastPathComponent
  }

  /// The blocks to run, without their indentation in a list.
  private static func blocks(_ article: String) throws -> [String] {
    let text = try String(contentsOfFile: article, encoding: .utf8)
    let pattern =
      /(?m)^(?<mark><!-- not run: \S.* -->\n)?(?<indent> *)```(?<kind>sh|console)\n(?<code>(?:.*\n)*?)\k<indent>```$/
    return text.matches(of: pattern).compactMap { block in
      guard block.mark == nil, block.code.contains(#/\brecordpack\s/#) else { return nil }
      #expect(block.kind == "sh", "TutorialTests compares what a console shows: \(article)")
      return block.code.split(separator: "\n", omittingEmptySubsequences: false)
        .map { $0.dropFirst(block.indent.count) }.joined(separator: "\n")
    }
  }

  static let articles = ArticleCodeTests.articles.filter { article in
    !others.contains(name(article)) && !article.contains("/Commands/")
      && !article.contains("/Rules/") && (try? blocks(article).isEmpty) == false
  }

  /// Without CI's variable, the pages with the fastest commands.
  static let chosen = TestAmount.of(
    articles,
    some: articles.filter { ["GettingData", "CIRecipes", "CheckAModel"].contains(name($0)) })

  @Test("every command of an article runs", arguments: chosen)
  func commands(article: String) async throws {
    let folder = try TestFolder()
    let script = [Self.shell, Self.files[Self.name(article)] ?? ""] + (try Self.blocks(article))
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.copyItem(
      atPath: try await Self.template.value.path, toPath: folder.path)
    try await Self.run(script.joined(separator: "\n"), in: folder)
  }

  @Test("most articles are among them")
  func number() {
    #expect(Self.articles.count >= 12)
  }

  private static func run(_ script: String, in folder: TestFolder) async throws {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let environment = [
      "PATH": "\(folder.path)/programs:\(Place.products.path):\(path)", "RECORDPACK_ADDRESS": "",
      "RECORDPACK_KEY": "0123456789abcdef0123456789abcdef",
    ]
    let command = try await Command(
      "bash", "-c", script, in: URL(fileURLWithPath: folder.path), environment: environment)
    #expect(command.code == 0, "\(command.output.suffix(2000))")
    #expect(!command.output.contains("Usage: recordpack"), "\(command.output.suffix(2000))")
  }

  /// The files that the articles name, made once.
  private static let template = Task {
    let folder = try TestFolder()
    try folder.write(Array(SampleStore.emptySQL.utf8), as: "empty.sql")
    try folder.write(Array(SampleStore.objectsSQL.utf8), as: "objects.sql")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("Schemas"), withDestinationPath: Place.inPackage("Schemas"))
    for step in try Tutorial("GateASchema").steps where step.name == "CloudKit/schema.ckdb" {
      try folder.write(Array(step.text.utf8), as: "production.ckdb")
    }
    try await run(prepare, in: folder)
    return folder
  }

  private static let prepare = #"""
    set -e
    sqlite3 Empty.store < empty.sql > /dev/null
    cat empty.sql objects.sql | sqlite3 default.store > /dev/null
    tact Tact.sqlite > /dev/null
    recordpack export Tact.sqlite -o Tact.recordpack
    mkdir -p CloudKit App/Models Sources Tests/Mocks Tests/Fixtures notes responses programs
    cp production.ckdb CloudKit/schema.ckdb
    echo 'func order(of todo: CKRecord) -> Any? { todo["order"] }' > Sources/App.swift
    printf 'import SwiftData\n@Model class Note {\n  var title = ""\n  init() {}\n}\n' > App/Models/Note.swift
    echo '{"records":[{"recordName":"a","recordType":"Todo","fields":{"title":{"value":"Milk"}}}]}' > Todo.json
    recordpack export default.store --to web-services -o CD_Note.json
    cp Todo.json responses/1.json
    cat > programs/xcrun <<'SH'
    #!/bin/sh
    # Apple's tool, as far as articles use it: the records of a type.
    while [ "$#" -gt 0 ] && [ "$1" != --record-type ]; do shift; done
    [ "$#" -eq 0 ] || cat "$2.json"
    SH
    cat > programs/age <<'SH'
    #!/bin/sh
    # Encrypts nothing: age [-d -i KEY FILE] [-r RECIPIENT -o FILE]
    if [ "$1" = -d ]; then cat "$4"; else cat > "$4"; fi
    SH
    chmod +x programs/*
    """#

  /// The files of single articles.
  private static let files = [
    "QuestionsAndErrors": """
    cp Tact.sqlite Notes.sqlite; cp Tact.recordpack Notes.recordpack; cp Tact.sqlite Damaged.sqlite
    sqlite3 Damaged.sqlite "UPDATE record SET json = substr(json, 1, 30) WHERE name = 'chat-1'"
    head -c 20000 Tact.recordpack > Truncated.recordpack
    git init -q .
    """,
    "AnonymisingRecords": "cp Tact.sqlite Customers.sqlite",
    "MoveFromCanopy": """
    recordpack export Tact.sqlite -o Tests/Mocks/mocks.json --to canopy --database private || [ $? = 1 ]
    """,
  ]

  /// Servers end when they are ready, and findings are no failures.
  private static let shell = #"""
    set -e
    served() {
      command recordpack "${@/8080/0}" > served.out 2>&1 & local server=$!
      until grep -qs http:// served.out; do kill -0 $server; sleep 0.1; done
      kill $server; wait $server
    }
    recordpack() {
      case "$*" in
      serve*--ready-file*) exec recordpack "${@/8080/0}" ;;
      serve*|open*) served "$@" ;;
      *schema\ diff*|*validate*|*scan*|verify*|recover*|diff*|*anonymise*|*fixture\ check*)
        command recordpack "$@" || [ $? = 1 ] ;;
      *) command recordpack "$@" ;;
      esac
    }
    """#
}
