import RecordSchema

/// The letter of an index.
struct DiagramMark {
  let option: CloudSchema.IndexOptions
  let letter: String
  let meaning: String

  static let all = [
    DiagramMark(option: .queryable, letter: "Q", meaning: "queryable"),
    DiagramMark(option: .sortable, letter: "S", meaning: "sortable"),
    DiagramMark(option: .searchable, letter: "T", meaning: "searchable text"),
  ]
}
