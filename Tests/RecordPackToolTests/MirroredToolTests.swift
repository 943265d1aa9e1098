import Foundation
import RecordPack
import Testing

@Suite("Records of Core Data")
struct MirroredToolTests {
  private typealias Sample = MirroredSample

  /// Runs a line of the tool on `Notes.recordpack` and `Notes.sqlite`, which give the same.
  private func run(
    _ line: String, in folder: String, code: Int32 = 0,
    _ place: SourceLocation = #_sourceLocation
  ) async throws -> String {
    var results: [ToolProcess.Result] = []
    for source in ["Notes.sqlite", "Notes.recordpack"] {
      let line = "recordpack \(line.replacing("SOURCE", with: source))"
      results.append(try await ToolProcess.shell(line, in: folder))
    }
    for result in results {
      #expect(result.code == code, "\(result.errors)", sourceLocation: place)
    }
    // Some outputs name the source.
    let (first, second) = (results[0].output, results[1].output)
    #expect(
      first.replacing("Notes.sqlite", with: "SOURCE")
        == second.replacing("Notes.recordpack", with: "SOURCE"), sourceLocation: place)
    #expect(!results[0].output.contains(Sample.secret), sourceLocation: place)
    return results[0].output
  }

  private func withSample(
    _ rows: [Sample.Row] = Sample.rows, _ body: (String) async throws -> Void
  ) async throws {
    try await withFolder { folder in
      try Sample.makeContainer(in: folder, rows)
      let result = try await ToolProcess.run(
        "export", "Notes.sqlite", "-o", "Notes.recordpack", in: folder)
      try #require(result.code == 0, "\(result.errors)")
      try await body(folder)
    }
  }

  @Test("A record is shown as its object, with relationships; raw and JSON have it as it is")
  func show() async throws {
    try await withSample { folder in
      let lines = try await run("show SOURCE \(Sample.note)", in: folder)
        .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .map { $0.replacing(/[ ]{2,}/, with: "|") }
      #expect(lines.first == "Note \(Sample.note)")
      #expect(lines.contains("record type|CD_Note"))
      #expect(
        Array(lines.suffix(7)) == [
          "code|ENCRYPTED STRING|<encrypted>", "folder|to Folder|→ \(Sample.folder)",
          "isPinned|INT64|1", "tags|to many Tag|→ \(Sample.red)", "→ \(Sample.blue)",
          "text|ASSET|36 bytes|sha256 "
            + "6efc7a9028ec41c9c0c93d108c3c386ac00e483d7613f69006d9cd23536b378a",
          "title|STRING|Plans",
        ])
      let draft = try await run("show SOURCE \(Sample.draft)", in: folder)
      #expect(draft.hasPrefix("Draft "))
      let tag = try await run("show SOURCE \(Sample.red)", in: folder)
      #expect(tag.contains(/notes +to many Note +→ 1A.*\n +→ 1B/))
      let raw = try await run("show SOURCE \(Sample.note) --raw", in: folder)
      #expect(raw.contains("CD_folder") && raw.contains("CD_entityName"))
      let json = try await run("show SOURCE \(Sample.note) --json", in: folder)
      #expect(json.contains(#""CD_folder":{"type":"STRING""#))
    }
  }

  @Test("Lists name entities, and JSON record types")
  func list() async throws {
    try await withSample { folder in
      let list = try await run(
        "query SOURCE --type Note --fields zoneName --format csv", in: folder)
      #expect(
        list == "recordName,recordType,zoneName\r\n\(Sample.note),Note,\(Sample.zone)\r\n"
          + "\(Sample.draft),Draft,\(Sample.zone)\r\n")
      let json = try await run("query SOURCE --type Note --fields recordName --json", in: folder)
      #expect(json.contains(#""recordType":"CD_Note""#))
      #expect(
        try await run("query SOURCE --type Note --fields recordName --raw", in: folder).contains(
          "  CD_Note"))
    }
  }

  @Test("Queries read and show the names of the model")
  func query() async throws {
    try await withSample { folder in
      #expect(
        try await run(
          "query SOURCE --type Note --where \"title = 'Plans'\" --fields title,folder,tags --format csv",
          in: folder)
          == "recordName,recordType,title,folder,tags\r\n\(Sample.note),Note,Plans,"
          + "\(Sample.folder),\(Self.csvList)\r\n")
      #expect(
        try await run(
          "query SOURCE --where \"recordType = 'Draft'\" --fields reason --format csv", in: folder)
          == "recordName,recordType,reason\r\n\(Sample.draft),Draft,unfinished\r\n")
      #expect(
        try await run(
          "query SOURCE --type Note --sort -title --fields title --format csv", in: folder
        )
        .split(separator: "\r\n").dropFirst().map { $0.suffix(6) } == [",Plans", "Letter"])
      #expect(
        try await run(
          "query SOURCE --type CD_Note --where \"CD_title = 'Plans'\" --raw --count", in: folder)
          == "1\n")
      let json = try await run(
        "query SOURCE --type Note --where \"title = 'Plans'\" --fields title,text --json",
        in: folder)
      #expect(json.contains(#""recordType":"CD_Note""#) && json.contains("CD_text_ckAsset"))
      #expect(!json.contains("CD_folder"))
      let wrong = try await ToolProcess.shell(
        "recordpack query Notes.sqlite --type Note --where \"CD_title = 'Plans'\"", in: folder)
      #expect(wrong.code == 2)
      #expect(wrong.errors.contains("has a field 'CD_title'"))
    }
  }

  private static let csvList = "\"[\"\"\(Sample.red)\"\",\"\"\(Sample.blue)\"\"]\""

  @Test("A report counts entities and attributes, and says both names in JSON")
  func report() async throws {
    try await withSample { folder in
      let page = try await ToolProcess.run("report", "Notes.recordpack", "-o", "r.html", in: folder)
      #expect(page.code == 0, "\(page.errors)")
      let html = try String(contentsOfFile: folder + "/r.html", encoding: .utf8)
      let fields = try #require(
        html.firstMatch(of: /<section id="fields">(.*?)<\/section>/.dotMatchesNewlines())?.1)
      #expect(fields.contains("<strong>Draft</strong>"))
      #expect(fields.contains(/<strong>Note<\/strong>.*record type CD_Note/))
      #expect(fields.contains(/<th scope="row"[^>]*>text<\/th>/))
      #expect(!fields.contains(/<th scope="row"[^>]*>CD_(title|text|entityName|text_ckAsset)</))
      let json = try await ToolProcess.run("report", "Notes.recordpack", "--json", in: folder)
      #expect(json.output.contains(#""recordType":"CD_Note","entity":"Draft","records":1"#))
    }
  }

  @Test("verify and validate report relationships that lead nowhere")
  func dangling() async throws {
    try await withSample { folder in
      #expect(try await run("verify SOURCE --quiet", in: folder).isEmpty)
      _ = try await run("validate SOURCE", in: folder)
    }
    let rows = Sample.rows.map { row in
      var row = row
      if row.name == Sample.draft { row.texts["CD_folder"] = Sample.identifier }
      return row
    }.filter { $0.name != Sample.blue }
    try await withSample(rows) { folder in
      for source in ["Notes.sqlite", "Notes.recordpack"] {
        let verified = try await ToolProcess.run("verify", source, in: folder)
        #expect(verified.code == 1)
        #expect(
          verified.output.contains(
            "the relationship 'folder' of 'Note' leads to objects that are not in the zone, in 1 "
              + "record: \(Sample.zone):\(Sample.draft)"))
        #expect(
          verified.output.contains("many-to-many relationship 'Note.tags' and 'Tag.notes'"))
        #expect(verified.output.contains("intact"))
        let json = try await ToolProcess.run("verify", source, "--json", in: folder)
        #expect(json.code == 1 && json.output.contains(#""intact":true"#))
        let validated = try await ToolProcess.run("validate", source, in: folder)
        #expect(validated.code == 1)
        #expect(validated.output.contains("error: RELATIONSHIP_DANGLING CD_Note.CD_folder"))
        #expect(validated.output.contains("error: RELATIONSHIP_DANGLING CDMR"))
        #expect(validated.output.contains("2 errors"))
      }
    }
  }

  @Test("An extract has what relationships need, and passes; so does an anonymised copy")
  func fixture() async throws {
    try await withSample { folder in
      func run(_ line: String) async throws -> String {
        let result = try await ToolProcess.shell("recordpack \(line)", in: folder)
        #expect(result.code == 0, "\(line): \(result.errors)")
        return result.output
      }
      _ = try await run(
        "fixture extract Notes.recordpack --type Note --where \"title = 'Plans'\" -o part.recordpack --quiet"
      )
      // The second note has a tag of the first, but is not needed.
      #expect(
        try await run(
          "query part.recordpack --fields recordName --format csv | tail -n +2 | cut -d, -f2 | tr -d '\\r'"
        ).split(separator: "\n")
          == ["CDMR", "CDMR", "Folder", "Note", "Tag", "Tag"])
      _ = try await run("verify part.recordpack && recordpack validate part.recordpack")
      _ = try await run(
        "fixture extract Notes.sqlite --type Note --closure nothing -o bare.recordpack --quiet")
      #expect(try await run("query bare.recordpack --count") == "2\n")
      _ = try await run("fixture policy Notes.sqlite -o policy.yml")
      try Samples.write(
        Data("9PMT+2RgqvaaFV1WL2jNPqX4UbQeQgmmmOHAN9Vit9A=".utf8), "key", in: folder)
      _ = try await run(
        "fixture anonymise Notes.sqlite --policy policy.yml --key-file key -o safe.recordpack")
      _ = try await run("verify safe.recordpack && recordpack validate safe.recordpack")
      #expect(
        try await run(
          "query safe.recordpack --fields recordName --format csv | tail -n +2 | cut -d, -f2 | tr -d '\\r' | sort | uniq -c | tr -s ' '"
        )
          == " 3 CDMR\n 1 Draft\n 1 Folder\n 1 Note\n 2 Tag\n")
      let tags = try await run("query safe.recordpack --where \"has(tags)\" --count")
      #expect(tags == "2\n")
    }
  }
}
