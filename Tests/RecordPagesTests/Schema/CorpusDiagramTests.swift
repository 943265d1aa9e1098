import Foundation
import RecordSchema
import TestSupport
import Testing

@testable import RecordPages

/// Schemas of real apps, drawn and read by a parser of XML that is not ours.
@Suite struct CorpusDiagramTests {
  private static let schemas: [URL] = {
    guard let folder = Place.corpus("ckdb") else { return [] }
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "ckdb" }
      .filter { !$0.hasDirectoryPath }.sorted { $0.path < $1.path }
  }()

  private static let hasPython = Command.exists("python3")

  /// Reads the files named on standard input, and prints the number of boxes in each.
  private static let script = """
    import sys, xml.etree.ElementTree as tree
    for name in sys.stdin.read().split("\\n"):
      root = tree.parse(name).getroot()
      space = "{http://www.w3.org/2000/svg}"
      assert root.tag == space + "svg", root.tag
      groups = [g for g in root.iter(space + "g") if g.get("class", "").split(" ")[0] == "type"]
      assert all(g[0].tag == space + "title" and g[0].text for g in groups)
      print(len(groups))
    """

  @Test(.enabled(if: hasPython, "no python3"))
  func everySchemaIsWellFormedXML() async throws {
    let folder = try TestFolder()
    var schemas = try Self.schemas.map { url in
      SchemaDocument(parsing: [UInt8](try Data(contentsOf: url)), name: url.lastPathComponent)
        .schema
    }
    schemas += [SchemaDiagramTests.hostileSchema, SchemaDiagramTests.chats, CloudSchema()]
    var (files, counts): ([String], [Int]) = ([], [])
    for (index, schema) in schemas.enumerated() {
      let diagram = SchemaDiagram(schema, title: SchemaDiagramTests.hostile)
      files.append(try folder.write(Array(diagram.standaloneSVG.utf8), as: "\(index).svg"))
      counts.append(diagram.content.boxes.count)
    }
    let output = try await Command(
      "python3", "-c", Self.script, input: Data(files.joined(separator: "\n").utf8)
    ).output
    #expect(output == counts.map { "\($0)\n" }.joined())
  }

  @Test(.enabled(if: !schemas.isEmpty, "no corpus"))
  func noSchemaHasOverlappingBoxes() throws {
    for url in Self.schemas {
      let schema = SchemaDocument(
        parsing: [UInt8](try Data(contentsOf: url)), name: url.lastPathComponent
      ).schema
      let frames = SchemaDiagram(schema).geometry.frames
      for (index, frame) in frames.enumerated() {
        let overlaps = frames[(index + 1)...].contains { frame.overlaps($0) }
        #expect(!overlaps, "\(url.lastPathComponent)")
      }
    }
  }
}
