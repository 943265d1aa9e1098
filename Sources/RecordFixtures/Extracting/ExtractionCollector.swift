import RecordArchive
import RecordBundle
import RecordModel
import RecordStore

/// Collects the records of an extraction.
final class ExtractionCollector {
  private typealias Relation = ExtractionClosure.Relation

  private let extraction: Extraction
  /// The collected records, which are found in any order.
  private let records: RecordSorter
  private(set) var report = ExtractionReport()
  /// The closures to follow from each record that was collected, by the paths to it.
  private var kept: [RecordLocation: [ExtractionClosure]] = [:]
  /// The records to look up.
  private var pending: [Step] = []
  /// The records whose children are still to be found.
  private var parents: [RecordLocation: [ExtractionClosure]] = [:]
  /// The objects whose links are still to be found.
  private var linked: [RecordLocation: [ExtractionClosure]] = [:]
  private let zones: [ZoneLocation: RecordZone]
  /// The zones of collected records.
  private var usedZones: Set<ZoneLocation> = []
  /// The records that did not come along in one way; they may in another.
  private var cut: [ExtractionReport.Group: Set<RecordLocation>] = [:]
  /// The digests of the assets of collected records.
  private var assets: Set<String> = []

  /// A step from a record to another one.
  private struct Step {
    var target: RecordLocation
    var relation: Relation
    var origin: RecordID
    /// The closure to follow from the target.
    var closure: ExtractionClosure
    /// Whether a text that may be no name of an object leads to the target.
    var isText = false
  }

  init(_ extraction: Extraction) throws {
    self.extraction = extraction
    records = RecordSorter(threads: extraction.bundleOptions.threads)
    var zones: [ZoneLocation: RecordZone] = [:]
    for (database, zone) in try extraction.source.zones() {
      zones[ZoneLocation(database, zone.zoneID)] = zone
    }
    self.zones = zones
  }

  /// Collects a record that is asked for.
  func ask(_ record: ResultRecord, _ database: DatabaseScope) throws {
    try keep(record, database, extraction.closure, nil)
  }

  /// Collects what comes along.
  func follow() throws {
    while !pending.isEmpty || !parents.isEmpty || !linked.isEmpty {
      if pending.isEmpty { try findChildren() }
      if pending.isEmpty { try findLinked() }
      try lookUp()
    }
    try keepLinks()
    for (group, places) in cut {
      let count = places.count { kept[$0] == nil }
      if count > 0 { report.cut[group] = count }
    }
  }

  /// Writes what was collected.
  func write(to writer: BundleWriter) throws {
    try writeZones(to: writer)
    try records.write(to: writer)
    if extraction.closure.hasAssets { try writeAssets(to: writer) }
  }

  // MARK: Records

  private func keep(
    _ record: ResultRecord, _ database: DatabaseScope, _ closure: ExtractionClosure, _ step: Step?
  ) throws {
    let place = RecordLocation(database, record.recordID)
    if kept[place] != nil {
      guard kept[place, default: []].add(closure) else { return }
      return try follow(record, from: place, closure)
    }
    if let step {
      let group = ExtractionReport.Group(recordType: record.recordType, relation: step.relation)
      guard report.added[group, default: 0] < extraction.limit ?? .max else {
        cut[group, default: []].insert(place)
        return
      }
      report.added[group, default: 0] += 1
    } else {
      report.asked += 1
    }
    kept[place] = [closure]
    try add(record, at: place)
    try extraction.explain?(
      ExtractionReason(
        recordID: record.recordID, recordType: record.recordType, database: database,
        relation: step?.relation, origin: step?.origin))
    try follow(record, from: place, closure)
  }

  private func add(_ record: ResultRecord, at place: RecordLocation) throws {
    usedZones.insert(place.zone)
    let hasAssets = extraction.closure.hasAssets
    if hasAssets {
      assets.formUnion(record.assetDigests)
    }
    try records.add(hasAssets ? record : record.withoutAssetContents, place.database)
  }

  /// Notes the steps from a record.
  private func follow(
    _ record: ResultRecord, from place: RecordLocation, _ closure: ExtractionClosure
  ) throws {
    func step(_ relation: Relation, to recordID: RecordID, isText: Bool = false) {
      guard let rest = closure.after(relation) else { return }
      let target = RecordLocation(place.database, recordID)
      guard !isFollowed(rest, from: target) else { return }
      pending.append(
        Step(
          target: target, relation: relation, origin: place.recordID, closure: rest,
          isText: isText))
    }
    if let parent = record.parent { step(.parents, to: parent.recordID) }
    if let share = record.share { step(.shares, to: share.recordID) }
    if let share = zones[place.zone]?.share { step(.shares, to: share.recordID) }
    if closure[.references] > 0 {
      for (_, reference) in record.references { step(.references, to: reference.recordID) }
      for (_, name) in record.possibleTargets {
        let zoneID = record.recordID.zoneID
        step(.references, to: RecordID(recordName: name.string, zoneID: zoneID), isText: true)
      }
      for name in record.possibleListTargets {
        let zoneID = record.recordID.zoneID
        step(.references, to: RecordID(recordName: name, zoneID: zoneID), isText: true)
      }
      // The record of a link needs both its objects.
      for side in record.mirroredLink?.sides ?? [] { step(.references, to: side.recordID) }
    }
    if record.entityName != nil, let rest = closure.after(.links) {
      _ = linked[place, default: []].add(rest)
    }
    if let rest = closure.after(.children) { _ = parents[place, default: []].add(rest) }
  }

  /// Whether a closure was followed from a record, by another path.
  private func isFollowed(_ closure: ExtractionClosure, from place: RecordLocation) -> Bool {
    kept[place]?.contains { $0.covers(closure) } ?? false
  }

  /// Collects the records that were noted, those of a zone together.
  private func lookUp() throws {
    let steps = pending
    pending = []
    let byZone = Dictionary(grouping: steps, by: \.target.zone)
    for zone in byZone.keys.sorted() {
      let steps = byZone[zone] ?? []
      let byName = Dictionary(grouping: steps) { ExactString($0.target.recordID.recordName) }
      let filter = RecordFilter(databases: [zone.database], zoneIDs: [zone.zoneID])
      try extraction.source.forEachName(byName.keys.sorted().map(\.string), filter) { name, found in
        for step in byName[ExactString(name)] ?? [] {
          let record = found.first?.record
          if step.isText, record?.entityName == nil { continue }
          guard let record else {
            report.missing[zone.database, default: []].insert(step.target.recordID)
            continue
          }
          try keep(record, zone.database, step.closure, step)
        }
      }
    }
  }

  /// Collects the children of records, by reading all records of their zones.
  private func findChildren() throws {
    let parents = parents
    self.parents = [:]
    let filter = RecordFilter(
      databases: Set(parents.keys.map(\.database)),
      zoneIDs: Set(parents.keys.map(\.recordID.zoneID)))
    try extraction.source.forEachRecord(filter) { record, database in
      guard let parent = record.parent?.recordID,
        let rests = parents[RecordLocation(database, parent)]
      else { return }
      let target = RecordLocation(database, record.recordID)
      for rest in rests {
        let step = Step(target: target, relation: .children, origin: parent, closure: rest)
        try keep(record, database, rest, step)
      }
    }
  }

  // MARK: Many-to-many relationships

  /// Notes the steps over the links of objects, by reading all links of their zones.
  private func findLinked() throws {
    let linked = linked
    self.linked = [:]
    try forEachLink(in: Set(linked.keys.map(\.zone))) { _, link, database in
      for side in link.sides {
        let place = RecordLocation(database, side.recordID)
        for rest in linked[place] ?? [] {
          for (_, target) in link.targets(of: side.recordID) {
            let target = RecordLocation(database, target)
            guard !isFollowed(rest, from: target) else { continue }
            pending.append(
              Step(target: target, relation: .links, origin: side.recordID, closure: rest))
          }
        }
      }
    }
  }

  /// Keeps the links whose two objects are there.
  private func keepLinks() throws {
    guard extraction.closure[.links] > 0 else { return }
    var found: [(ResultRecord, DatabaseScope, RecordID)] = []
    let objects = Set(kept.keys.map(\.zone))
    try forEachLink(in: objects) { record, link, database in
      let isWhole = link.sides.allSatisfy {
        kept[RecordLocation(database, $0.recordID)] != nil
      }
      if isWhole { found.append((record, database, link.sides[0].recordID)) }
    }
    for (record, database, origin) in found {
      let place = RecordLocation(database, record.recordID)
      try keep(
        record, database, .nothing,
        Step(target: place, relation: .links, origin: origin, closure: .nothing))
    }
  }

  private func forEachLink(
    in zones: Set<ZoneLocation>, _ body: (ResultRecord, MirroredLink, DatabaseScope) throws -> Void
  ) throws {
    guard !zones.isEmpty else { return }
    let filter = RecordFilter(
      databases: Set(zones.map(\.database)), zoneIDs: Set(zones.map(\.zoneID)),
      recordTypes: [CoreDataNames.linkType])
    guard try !extraction.source.sections(filter).isEmpty else { return }
    try extraction.source.forEachRecord(filter) { record, database in
      if let link = record.mirroredLink { try body(record, link, database) }
    }
  }

  // MARK: Writing

  private func writeZones(to writer: BundleWriter) throws {
    for place in usedZones.sorted() {
      var zone = zones[place] ?? RecordZone(zoneID: place.zoneID)
      if let share = zone.share?.recordID,
        kept[RecordLocation(place.database, share)] == nil
      {
        zone.share = nil
      }
      try writer.write(zone, database: place.database)
    }
  }

  private func writeAssets(to writer: BundleWriter) throws {
    let source = extraction.source
    for digest in assets.sorted() {
      do {
        var size = 0
        try source.forEachChunk(ofAsset: digest) { size += $0.count }
        try writer.writeAsset(sha256: digest, size: size) {
          try source.forEachChunk(ofAsset: digest, $0)
        }
        report.assets += 1
      } catch let error as ContainerStoreError where error.code == .assetNotFound {
        report.missingAssets += 1
      } catch let error as BundleError where error.code == .notFound {
        report.missingAssets += 1
      }
    }
  }
}

extension ResultRecord {
  /// The names of the records that a store's relationships to several objects may lead to, where these
  /// have no inverse: Core Data's mirroring does not allow such relationships, and a store can have them.
  fileprivate var possibleListTargets: [String] {
    guard entityName != nil else { return [] }
    return fields.flatMap { field -> [String] in
      if case .stringList(let names) = field.value { return names }
      return []
    }
  }

  /// The record with assets that have only the metadata of the server.
  fileprivate var withoutAssetContents: ResultRecord {
    let fields = fields.map { field in
      field.replacingAssets { asset in
        var plain = asset
        plain.sha256 = nil
        return plain
      }
    }
    return ResultRecord(systemFields: systemFields, fields: fields)
  }
}
