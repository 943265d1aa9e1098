import Foundation
import RecordBundle
import RecordModel
import RecordSchema
import TestSupport

@testable import RecordFixtures

/// Schemas and recipes of tests.
enum GenerationSamples {
  static let chats = """
    DEFINE SCHEMA
      RECORD TYPE Chat (
        title ENCRYPTED STRING, memberNames LIST<STRING>, messageCount INT64, mood DOUBLE,
        icon ASSET, place LOCATION, code STRING
      );
      RECORD TYPE Message (
        chat REFERENCE, text ENCRYPTED STRING, sentAt TIMESTAMP, photo ASSET,
        relatedRecords LIST<REFERENCE>, bytes BYTES, number INT64, email STRING
      );
      RECORD TYPE Reaction (
        message REFERENCE, chat REFERENCE, emoji STRING, relatedRecords LIST<REFERENCE>,
        reply REFERENCE
      );
      RECORD TYPE Users ( roles LIST<INT64>, nickname STRING );
    """

  static let recipe = """
    recordpack-recipe: 1
    container: iCloud.com.example.chats
    reference-date: 2024-05-01T08:00:00Z
    users: 4
    zones:
      Chats: {owners: 3}
    types:
      Chat:
        zone: Chats
        count: 12
        shared: 0.5
        names: uuid
        fields:
          title: {words: 2..5, locale: mixed}
          icon: {asset: png, size: 200..3000, null-rate: 0.5}
          code: {pattern: "C-@@##-%", unique: true}
          messageCount: {weights: {1..5: 5, 6..50: 5}}
      Message:
        parent: Chat
        count: {weights: {1..5: 5, 6..40: 5}}
        created: 1m..30d
        fields:
          text: {sentences: 1..3}
          photo: {asset: jpeg, size: 1kB..5kB, null-rate: 0.8, variants: 8}
          number: {range: 1..100000, unique: true}
          email: {kind: email, unique: true, null-rate: 0.25}
          bytes: none
      Reaction:
        parent: Message
        count: 0..3
        created: 1s..2h
        fields:
          reply: {reference: Message, any: true}
      Users: {database: public}
    """

  static func schema(_ text: String = chats) throws -> CloudSchema {
    try SchemaDocument(parsing: text).validSchema()
  }

  static func generation(
    _ recipe: String? = recipe, schema: String = chats, seed: UInt64 = 42
  ) throws -> Generation {
    try Generation(
      schema: Self.schema(schema), recipe: recipe.map { try FixtureRecipe(yaml: $0) }, seed: seed)
  }

  /// Writes a bundle and opens it.
  static func bundle(
    _ generation: Generation, in folder: TestFolder
  ) throws -> (reader: BundleReader, report: GenerationReport) {
    let path = folder.path("\(UUID().uuidString).recordpack")
    let report = try generation.write(to: path)
    return (try BundleReader(path: path), report)
  }

  /// All records, by type.
  static func records(_ reader: BundleReader) throws -> [String: [ResultRecord]] {
    var records: [String: [ResultRecord]] = [:]
    try reader.forEachRecord { record, _ in
      records[record.recordType, default: []].append(record)
    }
    return records
  }
}
