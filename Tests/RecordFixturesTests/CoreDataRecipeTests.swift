import RecordModel
import RecordSchema
import TestSupport
import Testing

@testable import RecordFixtures

/// Schemas as Core Data's mirroring makes them.
@Suite("A recipe for the records of Core Data")
struct CoreDataRecipeTests {
  private static let schema = """
    DEFINE SCHEMA
      RECORD TYPE CDMR ( CD_entityNames STRING, CD_recordNames STRING, CD_relationships STRING );
      RECORD TYPE CD_Folder (
        CD_entityName STRING, CD_title STRING, CD_title_ckAsset ASSET, CD_id STRING,
        CD_moveReceipt BYTES, CD_moveReceipt_ckAsset ASSET
      );
      RECORD TYPE CD_Note ( CD_entityName STRING, CD_folder STRING, CD_body STRING );
    """

  @Test("knows the roles of fields")
  func roles() throws {
    let schema = try GenerationSamples.schema(Self.schema)
    func roles(_ name: String) throws -> [String: CoreDataNames.FieldRole] {
      let type = try #require(schema.recordType(named: name))
      let fields = Set(type.fields.map(\.name))
      return type.fields.reduce(into: [:]) {
        $0[$1.name] = CoreDataNames.role(of: $1.name, in: name, type: $1.type, among: fields)
      }
    }
    #expect(
      try roles("CDMR") == [
        "CD_entityNames": .modelNames, "CD_recordNames": .recordNames,
        "CD_relationships": .modelNames,
      ])
    #expect(
      try roles("CD_Folder") == [
        "CD_entityName": .modelNames, "CD_title_ckAsset": .largeValue, "CD_id": .recordNameOrUUID,
        "CD_moveReceipt": .moveReceipt, "CD_moveReceipt_ckAsset": .largeValue,
      ])
    // Without fields of files, a text may be an attribute.
    #expect(try roles("CD_Note") == ["CD_entityName": .modelNames])
    #expect(CoreDataNames.role(of: "CD_x", in: "Note", type: .string, among: []) == nil)
  }

  @Test("makes records that Core Data can read, without links that lead nowhere")
  func records() throws {
    let folder = try TestFolder()
    let (reader, _) = try GenerationSamples.bundle(
      GenerationSamples.generation(nil, schema: Self.schema), in: folder)
    let records = try GenerationSamples.records(reader)
    #expect(records.keys.sorted() == ["CD_Folder", "CD_Note"])
    for record in try #require(records["CD_Folder"]) {
      #expect(record.recordID.zoneID.zoneName == CoreDataNames.zoneName)
      #expect(record.recordID.recordName.count == 36)
      #expect(record["CD_entityName"] == "Folder")
      #expect(record.fields.map(\.name).sorted() == ["CD_entityName", "CD_id", "CD_title"])
    }
    // A relationship is the name of the other record, as text.
    let folders = Set((records["CD_Folder"] ?? []).map(\.recordID.recordName))
    for record in try #require(records["CD_Note"]) {
      #expect(folders.contains(try #require(record["CD_folder"] as String?)))
    }
  }
}
