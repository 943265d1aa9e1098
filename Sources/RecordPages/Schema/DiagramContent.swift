import RecordModel
import RecordSchema
import RecordText

/// The boxes and edges of a diagram, before they are laid out.
struct DiagramContent {
  struct Row {
    var name: String
    var type: String
    var options: CloudSchema.IndexOptions = []
    var isEncrypted = false
    var change: DiagramChanges.Change?
    var title: String
    /// Whether it is not a field but the parent or the share.
    var isSystem = false
    /// Whether an edge leaves from it.
    var refers = false

    /// Whether Core Data adds the field to others: for large values, and for moves to shared zones.
    var isCompanion: Bool {
      name == CoreDataNames.moveReceiptField || CoreDataNames.valueField(of: name) != nil
    }

    var place: SchemaReference.Place {
      isSystem ? name == "share" ? .share : .parent : .field(ExactString(name))
    }
  }

  struct Box {
    var name: String
    var rows: [Row]
    /// The number of fields for which there is no row, and of companions without one.
    var hidden = 0
    var companions = 0
    var count: Int?
    var change: DiagramChanges.Change?
    var title: String

    /// Whether a row is shown however many there are. In a type that was added or removed, all fields
    /// are.
    fileprivate func keeps(_ row: Row) -> Bool {
      row.refers || row.isSystem || change == .changed && row.change != nil
    }
  }

  struct Edge {
    /// The box and row that refer, and the box that is referred to.
    var source: Int
    var row: Int
    var target: Int
    /// The row of the inverse, if it has one.
    var targetRow: Int?
    var isList: Bool
    var reference: SchemaReference
    var change: DiagramChanges.Change?

    var isGuess: Bool { reference.isGuess }
    var isCounted: Bool { if case .records = reference.basis { true } else { false } }
    /// Whether it leads back in the same way.
    var isMutual: Bool { reference.inverse != nil }
    /// The names of the relationship and of its inverse.
    var label: String {
      reference.placeName + (reference.inverse.map { " / " + $0.string } ?? "")
    }
    var title: String { reference.text }
  }

  /// The number of fields of a type that are shown, if it has many more.
  static let maxRows = 40
  /// The same in a diagram of changes.
  static let maxRowsOfChanges = 20

  private(set) var boxes: [Box] = []
  private(set) var edges: [Edge] = []
  private let references: SchemaReferences
  private let changes: DiagramChanges?

  /// - Parameter chosen: The types to show; nil for all.
  init(
    _ schema: CloudSchema, _ references: SchemaReferences, changes: DiagramChanges? = nil,
    only chosen: Set<ExactString>? = nil
  ) {
    self.references = references
    self.changes = changes
    let involved = Set(references.all.flatMap { [$0.recordType, $0.target] })
    var types: [ExactString: CloudSchema.RecordType] = [:]
    for type in schema.recordTypes.reversed() { types[ExactString(type.name)] = type }
    // Records may have types that the schema lacks.
    for name in involved where types[name] == nil {
      types[name] = CloudSchema.RecordType(name.string)
    }
    var numbers: [ExactString: Int] = [:]
    var places = Dictionary(grouping: references.all, by: \.recordType)
    for reference in references.all {
      guard let end = reference.otherEnd else { continue }
      var inverse = reference
      (inverse.recordType, inverse.place) = (end.recordType, end.place)
      places[end.recordType, default: []].append(inverse)
    }
    for (name, type) in types.sorted(by: { $0.key < $1.key }) {
      let isShown =
        chosen?.contains(name)
        ?? (involved.contains(name) || !type.isBuiltIn
          || changes?.types[name] != nil)
      guard isShown else { continue }
      numbers[name] = boxes.count
      boxes.append(box(type, places[name] ?? []))
    }
    addEdges(numbers)
    shorten()
  }

  /// Leaves out companions, and rows of types with very many fields, but none that refer or are
  /// changed.
  private mutating func shorten() {
    let maxRows = changes == nil ? Self.maxRows : Self.maxRowsOfChanges
    let numbers = boxes.indices.map { index -> [Int: Int] in
      let box = boxes[index]
      let rows = box.rows.enumerated().filter { !$1.isCompanion || box.keeps($1) }
      boxes[index].companions = box.rows.count - rows.count
      var left = rows.count > maxRows + 4 ? maxRows - box.rows.count(where: box.keeps) : rows.count
      let kept = rows.filter { _, row in
        if box.keeps(row) { return true }
        left -= 1
        return left >= 0
      }
      boxes[index].rows = kept.map(\.element)
      boxes[index].hidden = rows.count - kept.count
      return Dictionary(
        uniqueKeysWithValues: kept.enumerated().map { ($0.element.offset, $0.offset) })
    }
    for index in edges.indices {
      let edge = edges[index]
      edges[index].row = numbers[edge.source][edge.row] ?? 0
      edges[index].targetRow = edge.targetRow.flatMap { numbers[edge.target][$0] }
    }
  }

  private func box(_ type: CloudSchema.RecordType, _ places: [SchemaReference]) -> Box {
    let name = ExactString(type.name)
    var rows: [Row] = []
    var seen: Set<ExactString> = []
    for field in type.fields where seen.insert(ExactString(field.name)).inserted {
      let change = changes?.fields[name]?[ExactString(field.name)]
      let isSystem = SystemField(rawValue: field.name) != nil
      guard !isSystem || change != nil else { continue }
      rows.append(row(field, change, changes?.former[name]?[ExactString(field.name)]))
    }
    // The schema's order, but what was removed belongs to where it was.
    if changes != nil { rows.sort { ExactString($0.name) < ExactString($1.name) } }
    // Fields that records have and the schema lacks.
    let unknown = places.filter {
      if case .field(let field) = $0.place { !seen.contains(field) } else { false }
    }
    for place in Set(unknown.map { ExactString($0.placeName) }).sorted() {
      // Many-to-many relationships of Core Data have no field.
      let isLink = CoreDataNames.isMirrored(type.name)
      rows.append(
        Row(
          name: place.string, type: isLink ? "LIST<\(CoreDataNames.linkType)>" : "REFERENCE",
          title: place.string
            + (isLink ? ": to many, in no field of this type" : ": not in the schema")))
    }
    for place in [SchemaReference.Place.parent, .share] {
      let used = places.filter { $0.place == place }
      guard let first = used.first else { continue }
      rows.append(
        Row(
          name: first.placeName, type: "", title: used.map(\.text).joined(separator: "; "),
          isSystem: true))
    }
    let change = changes?.types[name]
    let count = references.counts.map { $0[name] ?? 0 }
    var title = type.name + (change.map { " (\($0.rawValue))" } ?? "")
    title += ": " + Numbers.count(seen.isEmpty ? 0 : type.userFields.count, "field")
    if let count { title += ", " + Numbers.count(count, "record") }
    return Box(name: type.name, rows: rows, count: count, change: change, title: title)
  }

  private func row(
    _ field: CloudSchema.Field, _ change: DiagramChanges.Change?, _ former: String?
  ) -> Row {
    let type = field.type
    let text = type.isList ? "LIST<\(type.primitive.rawValue)>" : type.primitive.rawValue
    var title = "\(field.name): \(field.diagramText)"
    if let change, change != .changed { title += " (\(change.rawValue))" }
    if change == .changed, let former { title += " (before: \(former))" }
    return Row(
      name: field.name, type: text, options: field.options, isEncrypted: type.isEncrypted,
      change: change, title: title)
  }

  private mutating func addEdges(_ numbers: [ExactString: Int]) {
    let rows = boxes.map { box in
      Dictionary(box.rows.enumerated().map { ($1.place, $0) }) { first, _ in first }
    }
    for reference in references.all {
      guard let source = numbers[reference.recordType], let target = numbers[reference.target],
        let row = rows[source][reference.place]
      else { continue }
      let change = boxes[source].rows[row].change
      boxes[source].rows[row].refers = true
      // A relationship may be its own inverse.
      let targetRow = reference.inverse.flatMap { rows[target][.field($0)] }
        .flatMap { source == target && $0 == row ? nil : $0 }
      if let targetRow { boxes[target].rows[targetRow].refers = true }
      edges.append(
        Edge(
          source: source, row: row, target: target, targetRow: targetRow,
          isList: boxes[source].rows[row].type.hasPrefix("LIST"), reference: reference,
          change: change == .changed ? nil : change))
    }
  }
}

extension CloudSchema.RecordType {
  /// Whether the server has made the type, and nobody has added to it.
  fileprivate var isBuiltIn: Bool {
    guard name == SchemaNames.usersType || SchemaNames.isManaged(name) else { return false }
    let known = Self.justInTime(named: name).fields.map(\.name)
    return userFields.allSatisfy { known.contains($0.name) }
  }
}

extension SchemaReference {
  /// `Message.chat → Chat, in 12 records`
  var text: String {
    let way = inverse.map { "↔ \(target.string).\($0.string)" } ?? "→ \(target.string)"
    let start = "\(recordType.string).\(placeName) \(way)"
    return switch basis {
    case .records(let count): start + ", in " + Numbers.count(count, "record")
    case .model: start + ", by the model"
    case .name: start + ", guessed by its name"
    }
  }
}

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

/// The sizes of the parts of a diagram, in pixels, without a font: in a monospaced one, a column is
/// about 0.6 of the size of the letters, wherever it comes from.
enum DiagramMetrics {
  static let nameSize = 13.0
  static let fieldSize = 12.0
  static let typeSize = 10.0
  static let header = 32.0
  static let row = 20.0
  static let bottom = 7.0
  static let padding = 12.0
  static let gap = 16.0
  static let lock = 12.0
  static let mark = 11.0
  static let margin = 20.0
  static let legend = 18.0
  /// The most columns of a name that its box is made wide enough for.
  static let maxName = 34

  static func textWidth(columns: Int, size: Double) -> Double { Double(columns) * size * 0.605 }

  /// The number of columns that a width has room for.
  static func columns(in width: Double, size: Double) -> Int {
    Int(max(0, width) / textWidth(columns: 1, size: size) + 1e-6)
  }

  /// The text in at most a number of columns, with an ellipsis where it is cut.
  static func fitted(_ text: String, columns: Int) -> String {
    let text = text.visible
    return text.columns <= columns ? text : text.prefix(columns: columns - 1) + "…"
  }

  static func width(of box: DiagramContent.Box) -> Double {
    let sign = box.hasSigns ? 12.0 : 0
    var width = 170.0
    var name = textWidth(columns: fitted(box.name, columns: maxName).columns, size: nameSize)
    if let count = box.countText {
      name += gap + textWidth(columns: count.columns, size: typeSize)
    }
    width = max(width, name + 2 * padding)
    for row in box.rows {
      let field = textWidth(columns: fitted(row.name, columns: maxName).columns, size: fieldSize)
      let type = textWidth(columns: row.type.columns, size: typeSize) + (row.isEncrypted ? lock : 0)
      let marks = Double(box.marks.count) * mark
      width = max(width, field + gap + type + marks + (marks > 0 ? 6 : 0) + 2 * padding + sign)
    }
    if let text = box.hiddenText {
      width = max(width, textWidth(columns: text.columns + 2, size: fieldSize) + 2 * padding)
    }
    return width.rounded(.up)
  }

  static func height(of box: DiagramContent.Box) -> Double {
    let rows = box.rows.count + (box.hiddenText == nil ? 0 : 1)
    return header + (rows == 0 ? 0 : Double(rows) * row + bottom)
  }

  /// The middle of a row, below the top of its box.
  static func middle(ofRow index: Int) -> Double { header + 3 + (Double(index) + 0.5) * row }
}

extension DiagramContent.Box {
  /// The marks of indexes that any field has, each with its letter.
  var marks: [DiagramMark] {
    DiagramMark.all.filter { mark in rows.contains { $0.options.contains(mark.option) } }
  }

  /// Whether fields have the signs of changes.
  var hasSigns: Bool { rows.contains { $0.change != nil } }

  /// Whether it has no line below its name.
  var hasHeadOnly: Bool { rows.isEmpty && hiddenText == nil }

  /// The text in place of the fields without a row.
  var hiddenText: String? {
    let texts = [
      hidden > 0 ? Numbers.count(hidden, "more field") : nil,
      companions > 0 ? Numbers.count(companions, "companion") : nil,
    ].compactMap(\.self)
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  var countText: String? { count.map(Numbers.grouped) }
}
