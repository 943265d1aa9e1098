import RecordModel
import RecordPages
import RecordStore
import RecordText

/// The records that refer to a record, by their type and field, with their titles.
struct RelationsView {
  let context: ConsoleRequest
  let record: ResultRecord
  let database: DatabaseScope

  private struct Relations: Sendable {
    /// The records that refer to the record, by their type and field; by the type alone, those whose
    /// parent it is.
    var found: [[String]: (count: Int, first: [ResultRecord])] = [:]
    /// Whether more records refer to the record than were read.
    var isCut = false

    mutating func add(_ record: ResultRecord, _ field: String?) {
      let key = [record.entityName ?? record.recordType] + (field.map { [$0] } ?? [])
      let (count, first) = found[key] ?? (0, [])
      found[key] = (count + 1, count < RelationsView.maxShown ? first + [record] : first)
    }
  }

  /// The number of records of a relation that are shown, and of all that are read.
  fileprivate static let maxShown = 20
  private static let maxRead = 20_000
  static let askedName = "children"

  func html() throws -> HTML {
    let store = context.store
    if let missing = try store.missing([.parent, .reference]),
      try !context.handler.background.make(missing, in: store)
    {
      return """
        <h2>Relations</h2>
        <p class="quiet">An index of all relations is being made. They will be here in a moment.</p>
        """
    }
    guard let relations = try relations() else {
      return "<h2>Relations</h2>\n<p>\(notSearched)</p>"
    }
    guard !relations.found.isEmpty else { return .empty }
    let found = relations.found.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    let sections = found.map { key, relation -> HTML in
      let name = (key.count == 1 ? key + ["parent"] : key).joined(separator: ".")
      let items = relation.first.map { "<li>\(context.titled($0, in: database))</li>" as HTML }
      let rest = relation.count - relation.first.count
      return """
        <section><h3><bdi>\(name)</bdi> <span class="quiet">(\(Numbers.grouped(relation.count)))</span></h3>
        <ul>\(items)\(when: rest > 0, "<li class=\"quiet\">\(Numbers.grouped(rest)) more</li>")</ul></section>
        """
    }
    return """
      <h2>Relations</h2>
      <div class="relations">
      \(sections)
      </div>
      \(when: relations.isCut, "<p class=\"quiet\">The first \(Numbers.grouped(Self.maxRead)) were read.</p>")
      """
  }

  /// Returns the relationships of Core Data's records, and whether all links were read.
  func relationships() throws -> (
    found: [RecordLocation: MirroredObject.Relationships], isWhole: Bool
  ) {
    let limit = isAsked ? Int.max : Self.maxRead
    let place = RecordLocation(database, record.recordID)
    return try context.result("relationships \(limit) \(context.name.path) \(place)") {
      try context.source.relationships(of: [(database, record)], maxLinks: limit)
    }
  }

  /// The sentence for what is found only when somebody asks.
  var notSearched: HTML {
    let link = context.link("Search for them", setting: Self.askedName, to: "shown")
    return "Not searched for among so many records. \(link)"
  }

  private var isAsked: Bool { context.value(Self.askedName) == "shown" }

  /// Returns the relations; nil if they are not known. An index has them, except in a container that
  /// is open for reading only.
  private func relations() throws -> Relations? {
    let store = context.store
    if store.isReadOnly, !isAsked {
      let zone = RecordFilter(databases: [database], zoneIDs: [record.recordID.zoneID])
      let count = try context.source.sections(zone).reduce(0) { $0 + $1.records }
      if count > Self.maxRead { return nil }
    }
    let place = RecordLocation(database, record.recordID)
    return try context.result("relations \(context.name.path) \(place)") {
      store.isReadOnly ? try scanned() : try indexed(store)
    }
  }

  private func indexed(_ store: ContainerStore) throws -> Relations {
    try store.snapshot { snapshot in
      var relations = Relations()
      for kind in [RecordIndex.Kind.parent, .reference] {
        let names = try snapshot.records(referringTo: record.recordID, as: kind, in: database)
        relations.isCut = relations.isCut || names.count > Self.maxRead
        for recordID in names.prefix(Self.maxRead) {
          guard case .success(let stored?) = try snapshot.readableRecord(recordID, in: database)
          else { continue }
          add(stored.record, to: &relations, kind == .parent)
        }
      }
      return relations
    }
  }

  private func scanned() throws -> Relations {
    var relations = Relations()
    let zone = RecordFilter(databases: [database], zoneIDs: [record.recordID.zoneID])
    try context.source.forEachRecord(zone) { other, _ in
      add(other, to: &relations, true)
      add(other, to: &relations, false)
    }
    return relations
  }

  private func add(_ other: ResultRecord, to relations: inout Relations, _ isParent: Bool) {
    if isParent {
      if other.parent?.recordID == record.recordID { relations.add(other, nil) }
      return
    }
    for field in other.fields
    where field.value.references.contains(where: { $0.recordID == record.recordID }) {
      relations.add(other, field.name)
    }
  }
}
