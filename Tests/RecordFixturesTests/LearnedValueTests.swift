import Foundation
import RecordModel
import RecordSchema
import TestSupport
import Testing

@testable import RecordFixtures

@Suite("A recipe like a source, in its values")
struct LearnedValueTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// - Parameter lines: The lines of the recipe from the second on.
  private func circle(_ lines: String, schema: String) throws -> LearnedCircle {
    try circle(GenerationSamples.generation("recordpack-recipe: 1\n\(lines)", schema: schema))
  }

  private func circle(_ generation: Generation) throws -> LearnedCircle {
    try LearnedCircle(generation, in: folder)
  }

  private func circle(fields: String, schema: String, count: Int = 60) throws -> LearnedCircle {
    try circle(
      "types: {T: {count: \(count), fields: {\(fields)}}}",
      schema: "DEFINE SCHEMA RECORD TYPE T (\(schema));")
  }

  // MARK: References

  @Test("has references whatever the names of their fields")
  func references() throws {
    let schema = """
      DEFINE SCHEMA
        RECORD TYPE Person ( name STRING );
        RECORD TYPE Task (
          assignee REFERENCE, watchers LIST<REFERENCE>, next REFERENCE, ancestors LIST<REFERENCE>
        );
      """
    let found = try circle(
      """
      types:
        Person: {count: 5}
        Task:
          count: 200
          fields:
            assignee: {reference: Person, null-rate: 0.25}
            watchers: {reference: Person, list: 2..4}
            next: {reference: Task}
            ancestors: {reference: Person, list: 1}
      """, schema: schema)
    let assignee = try #require(found.rule("assignee", of: "Task"))
    #expect(assignee.kind?.yaml == "reference: Person")
    #expect((0.15...0.35).contains(assignee.nullRate))
    let watchers = try #require(found.rule("watchers", of: "Task"))
    #expect(watchers.kind?.yaml == "reference: Person")
    #expect(watchers.length?.bounds == 2...4)
    #expect(found.kind("next", of: "Task") == "reference: Task")
    #expect(found.kind("ancestors", of: "Task") == "reference: Person")
    #expect(found.new["Task"]?.allSatisfy { $0["next"] as Reference? != nil } == true)
  }

  @Test("refers to any record where the source does not refer to the parent")
  func otherReferences() throws {
    let found = try circle(
      """
      types:
        Chat: {count: 20}
        Message: {parent: Chat, count: 3}
        Reaction:
          parent: Message
          count: 2
          fields: {reply: {reference: Message, any: true}, relatedRecords: ancestors}
      """, schema: GenerationSamples.chats)
    #expect(found.kind("reply", of: "Reaction") == "reference: Message, any: true")
    #expect(found.kind("message", of: "Reaction") == "reference: Message")
    #expect(found.kind("relatedRecords", of: "Reaction") == "kind: ancestors")
  }

  // MARK: Zones

  @Test("has zones whose names differ, and as many owners of the default zone")
  func zones() throws {
    let zones = try circle(
      "users: 3\nzones: {Z: {owners: 3}, Y: {}}\ntypes: {A: {zone: Z, count: 2}, B: {zone: Y, count: 4}}",
      schema: GenerationSamples.shortNames)
    #expect(zones.new["A"]?.count == 6 && zones.new["B"]?.count == 4)
    #expect(Set((zones.new["A"] ?? []).map(\.recordID.zoneID)).count == 3)
    let owners = try circle(
      """
      users: 3
      zones: {_defaultZone: {owners: 3}}
      types: {A: {count: 5, zone: _defaultZone}, B: {database: public, count: 2}}
      """, schema: GenerationSamples.shortNames)
    #expect(owners.new["A"]?.count == 15 && owners.new["B"]?.count == 2)
    #expect(Set((owners.new["A"] ?? []).map(\.recordID.zoneID.ownerName)).count == 3)
  }

  @Test("shares zones as a whole where the source does")
  func shares() throws {
    let found = try circle(
      """
      users: 3
      zones: {Z: {owners: 2, shared: true}, Y: {}}
      types: {A: {zone: Z, count: 2}, B: {zone: Y, count: 10, shared: 0.5}}
      """, schema: GenerationSamples.shortNames)
    #expect(found.recipe.zones.map(\.isShared) == [true, false])
    let shares = found.new[Share.recordType] ?? []
    #expect(shares.count { $0.recordID.recordName == Share.zoneWideRecordName } == 2)
    #expect(shares.count > 3)
  }

  // MARK: Sizes

  @Test(
    "is accepted, however large the records of the source",
    arguments: [
      "li: {range: 0..9, list: 9000}", "li: {range: 0..9, list: 10000}, s: {characters: 900000}",
      "lr: {reference: A, list: 700}", "by: {bytes: 800000}, lb: {bytes: 3..30, list: 6000}",
      "s: {characters: 280000, locale: ja}, s2: {characters: 70000}",
      "ls: {characters: {weights: {50: 100, 800..900: 1}}, list: 900}",
    ])
  func sizes(fields: String) throws {
    let found = try circle(
      "types: {A: {count: 2, fields: {\(fields)}}}", schema: GenerationSamples.shortNames)
    #expect(found.new["A"]?.count == 2)
  }

  @Test("has several long texts in a record, and keeps within its size")
  func longTexts() throws {
    let names = (10..<23).map { "s\($0)" }
    let found = try circle(
      fields: names.map { "\($0): {characters: 70000}" }.joined(separator: ", "),
      schema: names.map { "\($0) STRING" }.joined(separator: ", "), count: 2)
    for name in names {
      #expect(found.kind(name) == "characters: 65537..98304")
    }
    // Thirteen such texts do not fit always; the longest is left out.
    for record in found.new["T"] ?? [] { #expect((10...13).contains(record.fields.count)) }
  }

  @Test("is accepted for the recipes of other tests, and for real schemas")
  func others() throws {
    _ = try circle(GenerationSamples.generation())
    _ = try circle(
      GenerationSamples.generation(
        GenerationSamples.everyValue, schema: GenerationSamples.everyType))
    guard let corpus = Place.corpus("ckdb") else { return }
    let found = FileManager.default.enumerator(at: corpus, includingPropertiesForKeys: nil)
    let files = (found?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "ckdb" }
      .sorted { $0.path < $1.path }
    // Each takes a quarter of a second, unoptimised.
    for file in files.indices.filter({ $0.isMultiple(of: 4) }).map({ files[$0] }) {
      guard let bytes = try? Data(contentsOf: file) else { continue }
      let document = SchemaDocument(parsing: Array(bytes), name: file.path)
      guard !document.hasErrors else { continue }
      var recipe = FixtureRecipe(for: document.schema, records: 1)
      recipe.hasEdgeCases = true
      _ = try circle(Generation(schema: document.schema, recipe: recipe))
    }
  }

  // MARK: Values

  @Test("follows the values of text where they contradict the name of the field")
  func texts() throws {
    let found = try circle(
      fields: """
        name: {characters: 100..200}, id: {pattern: "####"}, status: {sentences: 2}, email: {words: 1},
        latitude: {words: 2}, itemCount: {characters: 40}, bodyJSON: {words: 9}, dueDate: {words: 2},
        userName: username, itemID: uuid, state: {choice: [open, closed]}, url: url, dataJSON: {value: "{}"}
        """,
      schema: """
        name STRING, id STRING, status STRING, email STRING, latitude STRING, itemCount STRING,
        bodyJSON STRING, dueDate STRING, userName STRING, itemID STRING, state STRING, url STRING,
        dataJSON STRING
        """)
    for name in ["name", "id", "status", "email", "latitude", "itemCount", "bodyJSON", "dueDate"] {
      let text = try #require(found.rule(name)?.kind as? WordText, "\(name)")
      #expect(text.unit == .characters, "\(name)")
      let length = text.length
      let lengths = found.old["T"]?.compactMap { ($0[name] as String?)?.unicodeScalars.count } ?? []
      #expect(lengths.allSatisfy(length.bounds.contains), "\(name)")
      #expect(length.bounds.upperBound <= 2 * (lengths.max() ?? 0), "\(name)")
    }
    #expect(found.kind("userName") == "kind: username")
    #expect(found.kind("itemID") == "kind: uuid")
    #expect(found.kind("url") == "kind: url")
    #expect(found.kind("dataJSON") == "value: \"{}\"")
    #expect(found.rule("state")?.kind is ChoiceValues)
  }

  @Test("has numbers as large as those of the source")
  func numbers() throws {
    let found = try circle(
      fields: """
        d: {range: 0..1, decimals: 3}, i: {range: 5000000000..6000000000}, latitude: {range: 500..900},
        longitude: longitude, sortOrder: {range: 5000..9000}, rank: position, big: {range: 3..1e12},
        date: {range: 1735689600..1745689600}, m: {range: -0.9..0.5, decimals: 2}, n: {value: -1}
        """,
      schema: """
        d DOUBLE, i INT64, latitude DOUBLE, longitude DOUBLE, sortOrder INT64, rank INT64, big DOUBLE,
        date INT64, m DOUBLE, n INT64
        """)
    #expect(found.kind("d") == "range: 0..1, decimals: 2")
    #expect(found.kind("i") == "range: 0..10000000000")
    #expect(found.kind("latitude") == "range: 0..1000, decimals: 2")
    #expect(found.kind("longitude") == "kind: longitude")
    #expect(found.kind("sortOrder") == "range: 0..10000")
    #expect(found.kind("rank") == "kind: position")
    #expect(found.kind("big") == "range: 0..1000000000000, decimals: 2")
    #expect(found.kind("date") == "range: 1735689600..1767225599")
    #expect(found.kind("m") == "range: -1..1, decimals: 2")
    #expect(found.kind("n") == "range: -1..1")
  }

  @Test("has files of the same kinds and sizes")
  func files() throws {
    let found = try circle(
      fields: """
        pic: {asset: png, size: 500..900}, icon: {asset: jpeg, size: 300..400}, a: {asset: text, size: 99},
        photo: {asset: bytes, size: 100}, large: {asset: bytes, size: 11MB, variants: 1}
        """,
      schema: "pic ASSET, icon ASSET, a ASSET, photo ASSET, large ASSET", count: 3)
    func asset(_ name: String) -> AssetValues? { found.rule(name)?.kind as? AssetValues }
    #expect(asset("pic")?.kind == .png)
    #expect(asset("icon")?.kind == .jpeg)
    #expect(asset("a")?.kind == .text)
    #expect(asset("photo")?.kind == .bytes)
    #expect(asset("large")?.size.bounds == 8_388_609...12_582_912)
  }
}
