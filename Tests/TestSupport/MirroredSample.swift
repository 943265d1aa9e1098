/// Records as Core Data's mirroring makes them, written by hand from Apple's page
/// (<https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data>): folders
/// with notes, a draft, which is a sub-entity of notes, and tags of notes, a many-to-many relationship.
package enum MirroredSample {
  package struct Row: Sendable {
    package var name: String
    package var type: String
    package var texts: [String: String] = [:]
    package var numbers: [String: Int] = [:]
    /// Encrypted texts.
    package var secrets: [String: String] = [:]
    /// The contents of assets.
    package var files: [String: String] = [:]
  }

  package static let zone = "com.apple.coredata.cloudkit.zone"
  package static let folder = "0F000000-0000-4000-8000-00000000000A"
  package static let note = "1A000000-0000-4000-8000-00000000000A"
  package static let draft = "1B000000-0000-4000-8000-00000000000A"
  package static let red = "2A000000-0000-4000-8000-00000000000A"
  package static let blue = "2B000000-0000-4000-8000-00000000000A"
  /// An attribute of the type UUID, which names no record.
  package static let identifier = "3A000000-0000-4000-8000-00000000000A"
  /// The value of an encrypted attribute, which must not be seen.
  package static let secret = "the-hidden-word"
  /// A text that is a file.
  package static let longText = "A text that is longer than a record."

  package static let rows = [
    Row(
      name: folder, type: "CD_Folder",
      texts: ["CD_entityName": "Folder", "CD_name": "Work", "CD_id": identifier]),
    Row(
      name: note, type: "CD_Note",
      texts: ["CD_entityName": "Note", "CD_title": "Plans", "CD_folder": folder],
      numbers: ["CD_isPinned": 1], secrets: ["CD_code": secret],
      files: ["CD_text_ckAsset": longText]),
    Row(
      name: draft, type: "CD_Note",
      texts: [
        "CD_entityName": "Draft", "CD_title": "Letter", "CD_folder": folder, "CD_text": "Dear",
        "CD_reason": "unfinished",
      ], numbers: ["CD_isPinned": 0]),
    Row(name: red, type: "CD_Tag", texts: ["CD_entityName": "Tag", "CD_name": "red"]),
    Row(name: blue, type: "CD_Tag", texts: ["CD_entityName": "Tag", "CD_name": "blue"]),
    link("4A000000-0000-4000-8000-00000000000A", note, red),
    link("4B000000-0000-4000-8000-00000000000A", note, blue),
    link("4C000000-0000-4000-8000-00000000000A", draft, red, entity: "Draft"),
  ]

  /// A link of a note with a tag.
  package static func link(
    _ name: String, _ note: String, _ tag: String, entity: String = "Note"
  ) -> Row {
    Row(
      name: name, type: "CDMR",
      texts: [
        "CD_entityNames": "\(entity):Tag", "CD_recordNames": "\(note):\(tag)",
        "CD_relationships": "tags:notes",
      ])
  }

  package static let schema = """
    DEFINE SCHEMA
      RECORD TYPE CDMR (
        CD_entityNames STRING QUERYABLE SEARCHABLE SORTABLE,
        CD_recordNames STRING QUERYABLE SEARCHABLE SORTABLE,
        CD_relationships STRING QUERYABLE SEARCHABLE SORTABLE,
        GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
      );
      RECORD TYPE CD_Folder (
        CD_entityName STRING QUERYABLE SEARCHABLE SORTABLE,
        CD_id STRING QUERYABLE SEARCHABLE SORTABLE,
        CD_name STRING QUERYABLE SEARCHABLE SORTABLE, CD_name_ckAsset ASSET,
        GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
      );
      RECORD TYPE CD_Note (
        CD_code ENCRYPTED STRING, CD_code_ckAsset ASSET,
        CD_entityName STRING QUERYABLE SEARCHABLE SORTABLE,
        CD_folder STRING QUERYABLE SEARCHABLE SORTABLE,
        CD_isPinned INT64 QUERYABLE SORTABLE,
        CD_reason STRING QUERYABLE SEARCHABLE SORTABLE, CD_reason_ckAsset ASSET,
        CD_text STRING QUERYABLE SEARCHABLE SORTABLE, CD_text_ckAsset ASSET,
        CD_title STRING QUERYABLE SEARCHABLE SORTABLE, CD_title_ckAsset ASSET,
        GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
      );
      RECORD TYPE CD_Tag (
        CD_entityName STRING QUERYABLE SEARCHABLE SORTABLE,
        CD_name STRING QUERYABLE SEARCHABLE SORTABLE, CD_name_ckAsset ASSET,
        GRANT WRITE TO "_creator", GRANT CREATE TO "_icloud", GRANT READ TO "_world"
      );
    """
}
