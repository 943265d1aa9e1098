import RecordCoding
import RecordModel
import RecordPlatform
import RecordSchema

/// The zones and parts of a generation in the order of a bundle, before any record is made.
final class GenerationLayout: Sendable {
  let recipe: FixtureRecipe
  let schema: CloudSchema
  let seed: UInt64
  let users: [ContainerAccount]
  let sites: [ZoneSite]
  let parts: [any LayoutPart]
  /// All files, by their numbers.
  let assets: [AssetPlan.Variant]
  let sections: [Section]
  /// The sections of each zone.
  private let sectionsOfSites: [ZoneSite: [Section]]

  init(_ recipe: FixtureRecipe, _ schema: CloudSchema, seed: UInt64) throws {
    let check = RecipeCheck(recipe, schema, seed: seed)
    let plans = try check.plans()
    users = ContainerAccount.users(recipe.users, seed: seed)
    var builder = LayoutBuilder(check, plans, users)
    try builder.build()
    self.recipe = recipe
    self.seed = seed
    sites = builder.sites.sorted()
    sections = builder.sections
    sectionsOfSites = Dictionary(grouping: builder.sections, by: \.site)
    parts = builder.parts
    assets = plans.flatMap(\.fields).compactMap(\.assets).sorted { $0.first < $1.first }
      .flatMap(\.variants)
    let hasShares = parts.contains { $0 is ShareSection }
    var schema = schema
    if hasShares, schema.recordType(named: Share.recordType) == nil {
      // The first share creates it.
      schema.recordTypes.append(.builtInShare)
    }
    self.schema = schema
  }

  /// Returns the records of a type in a zone; nil if there are none.
  func section(of type: String, in site: ZoneSite) -> Section? {
    sectionsOfSites[site]?.first { $0.type.name == type }
  }

  /// The number of records, without shares.
  var records: Int { sections.reduce(0) { $0 + $1.count } }
}

/// Records of one type in one zone, which a bundle has together.
protocol LayoutPart: AnyObject, Sendable {
  var site: ZoneSite { get }
  var recordType: String { get }
  /// Calls a closure with the batches in which the records are made.
  func forEachBatch(_ body: (_ section: Int, _ range: Range<Int>) throws -> Void) throws
  /// Returns the maker of the records for one thread.
  func maker(_ layout: GenerationLayout, _ use: AssetUse) -> any PartMaker
}

/// Makes the records of a part, for one thread.
protocol PartMaker {
  /// Appends the records of a batch.
  func append(_ batch: RecordBatchPlan, to buffer: ByteBuffer) throws -> [RecordPlace]
}

extension LayoutPart {
  /// Splits so many records into ranges of up to `step`.
  static func split(
    _ count: Int, by step: Int, _ body: (Range<Int>) throws -> Void
  ) rethrows {
    for start in stride(from: 0, to: count, by: step) {
      try body(start..<min(count, start + step))
    }
  }

  /// The most records, and about the most bytes, that are made at a time.
  static var batchCount: Int { 1024 }
  static var batchSize: Int { 4 << 20 }
}

extension Section: LayoutPart {
  var recordType: String { type.name }

  func forEachBatch(_ body: (Int, Range<Int>) throws -> Void) throws {
    let step = max(1, min(Self.batchCount, Self.batchSize / type.roughSize))
    try Self.split(count, by: step) { try body(0, $0) }
  }

  func maker(_ layout: GenerationLayout, _ use: AssetUse) -> any PartMaker {
    SectionMaker(self, layout, use)
  }
}

/// The shares of a zone, in the order of their names: of the zone as a whole, or of root records.
final class ShareSection: LayoutPart {
  let site: ZoneSite
  let recordType = Share.recordType
  /// The sections whose records have shares; none for the share of the zone.
  let sections: [Section]
  /// The number of the change that saved the first share of each section, less one.
  let changes: [Int]

  init(_ site: ZoneSite, _ sections: [Section], changes: [Int]) {
    self.site = site
    self.sections = sections
    self.changes = changes
  }

  func forEachBatch(_ body: (Int, Range<Int>) throws -> Void) throws {
    if sections.isEmpty { try body(0, 0..<1) }
    for (place, section) in sections.enumerated() {
      try Self.split(section.count, by: Self.batchCount) { try body(place, $0) }
    }
  }

  func maker(_ layout: GenerationLayout, _ use: AssetUse) -> any PartMaker {
    ShareMaker(self, layout)
  }
}

/// Finds out which records there are.
private struct LayoutBuilder {
  let check: RecipeCheck
  let plans: [TypePlan]
  let users: [ContainerAccount]
  var sites: [ZoneSite] = []
  var sections: [Section] = []
  var parts: [any LayoutPart] = []
  private var total = 0
  private var changes: [DatabaseScope: Int] = [:]

  private var recipe: FixtureRecipe { check.recipe }

  init(_ check: RecipeCheck, _ plans: [TypePlan], _ users: [ContainerAccount]) {
    (self.check, self.plans, self.users) = (check, plans, users)
  }

  mutating func build() throws {
    addSites()
    // In the order of changes: parents are saved before their children.
    for plan in plans { try addSections(of: plan) }
    addShares()
    parts.sort {
      $0.site != $1.site ? $0.site < $1.site : compareUTF8($0.recordType, $1.recordType) < 0
    }
  }

  // MARK: Zones

  private mutating func addSites() {
    // Every container has these.
    sites = [
      ZoneSite(database: .public, zoneID: .default, owner: nil),
      ZoneSite(database: .private, zoneID: .default, owner: 0),
    ]
    var names: [String] = []
    for plan in plans {
      switch plan.rule.home {
      case .zone(let name): if !names.contains(name) { names.append(name) }
      case .publicDatabase, .parent: break
      }
    }
    for zone in recipe.zones where !names.contains(zone.name) { names.append(zone.name) }
    for name in names {
      let rule = recipe.zones.first { $0.name == name } ?? RecipeZone(name: name)
      for owner in 0..<rule.owners {
        let zoneID = ZoneID(
          zoneName: name,
          ownerName: owner == 0 ? ZoneID.currentUserOwnerName : users[owner].userRecordName)
        // The default zone of the signed-in user is there already.
        guard owner > 0 || !zoneID.isDefault else { continue }
        sites.append(
          ZoneSite(database: .private, zoneID: zoneID, owner: owner, isShared: rule.isShared))
      }
    }
  }

  private func sites(of rule: TypeRule) -> [ZoneSite] {
    switch rule.home {
    case .publicDatabase: return sites.filter { $0.database == .public }
    case .zone(let name):
      return sites.filter { $0.database == .private && $0.zoneID.zoneName == name }
    case .parent: return []
    }
  }

  // MARK: Records

  private mutating func addSections(of plan: TypePlan) throws {
    var number = 0
    let parents = plan.rule.parent.map { parent in
      sections.filter { $0.type.name == parent }.map { ($0.site, Optional($0)) }
    }
    for (site, parent) in parents ?? sites(of: plan.rule).map({ ($0, nil) }) {
      // The owner's name is random; its number is what the recipe says.
      let key = GeneratorKey.key(
        check.seed, "records", site.database.rawValue, "\(site.owner ?? -1)", site.zoneID.zoneName,
        plan.name)
      let room = FixtureRecipe.maxRecords - total
      var size = Section.size(
        parents: parent?.count ?? 1, plan.counts, key: key, atMost: room)
      if plan.isUsers { size = .init(count: users.count, sums: [0, users.count]) }
      guard let size else {
        throw check.error(
          plan.rule.locations["count"] ?? plan.rule.location,
          "there would be more than \(FixtureRecipe.maxRecords) records")
      }
      total += size.count
      guard size.count > 0 else { continue }
      let section = Section(
        site, plan, size, key: key, parent: parent, firstNumber: number,
        changes: changes[site.database, default: 0], recipe: recipe, users: users)
      number += size.count
      changes[site.database, default: 0] += size.count
      sections.append(section)
      parts.append(section)
    }
    for field in plan.fields {
      try check.checkCapacity(field, of: plan.rule, records: number)
    }
  }

  private mutating func addShares() {
    let roots = Dictionary(grouping: sections.filter { $0.sharedRate > 0 }, by: \.site)
    for site in sites {
      let shared = (roots[site] ?? [])
        .sorted { compareUTF8($0.type.sharePrefix, $1.type.sharePrefix) < 0 }
      guard site.isShared || !shared.isEmpty else { continue }
      var starts: [Int] = []
      for count in site.isShared ? [1] : shared.map(\.count) {
        starts.append(changes[site.database, default: 0])
        changes[site.database, default: 0] += count
      }
      parts.append(ShareSection(site, shared, changes: starts))
    }
  }
}

/// A zone in which records are made.
struct ZoneSite: Sendable, Hashable, Comparable {
  let database: DatabaseScope
  let zoneID: ZoneID
  /// The number of the user whose zone it is; nil in the public database.
  let owner: Int?
  /// Whether the zone is shared as a whole.
  var isShared = false

  /// Whether records can have parents and shares in the zone.
  var hasHierarchy: Bool { database == .private && !zoneID.isDefault }

  /// Orders zones as a bundle does.
  static func < (lhs: Self, rhs: Self) -> Bool {
    lhs.database != rhs.database ? lhs.database < rhs.database : lhs.zoneID < rhs.zoneID
  }
}

/// Keys from which the random numbers of things are made.
///
/// A record's numbers depend on the seed, the version of the generators, the zone, the type and the
/// record's index. The numbers of a field also depend on its name. So a record can be made alone,
/// on any thread, and another field changes no value of this one.
enum GeneratorKey {
  /// The version of the generators. A change of what a seed gives needs the next number, and the old
  /// generators must stay for recipes of version 1.
  static let version = 1

  /// Returns a key for a thing, by its names.
  static func key(_ seed: UInt64, _ names: String...) -> UInt64 {
    // The length separates the names.
    var text = names.map { "\($0.utf8.count):\($0)" }.joined()
    let hash = text.withUTF8 { XXH64.hash(UnsafeRawBufferPointer($0)) }
    var numbers = SeededNumbers(seed: seed ^ UInt64(version), stream: hash)
    return numbers.next()
  }
}

extension SeededNumbers {
  /// Returns a number of a range, all with the same probability.
  @inline(__always)
  mutating func number(in range: ClosedRange<Int>) -> Int {
    let span = UInt64(bitPattern: Int64(range.upperBound &- range.lowerBound))
    guard span < .max else { return Int(truncatingIfNeeded: next()) }
    let offset = next().multipliedFullWidth(by: span &+ 1).high
    return range.lowerBound &+ Int(truncatingIfNeeded: offset)
  }

  /// Returns true with a probability.
  @inline(__always)
  mutating func chance(_ rate: Double) -> Bool { fraction() < rate }
}

extension ContainerAccount {
  /// Makes so many users; their record names differ.
  static func users(_ count: Int, seed: UInt64) -> [ContainerAccount] {
    let key = GeneratorKey.key(seed, "users")
    let names = Vocabulary.en
    return (0..<count).map { number in
      var random = SeededNumbers(seed: key, stream: UInt64(number))
      // Users of one container have names in the order of nothing.
      let recordName = CompactName.user(random.next(), random.next()).string
      let given = String(decoding: names.givenNames.any(&random), as: UTF8.self)
      let family = String(decoding: names.familyNames.any(&random), as: UTF8.self)
      return ContainerAccount(
        userRecordName: recordName,
        nameComponents: .init(givenName: given, familyName: family),
        lookupInfo: .init(
          emailAddress: "\(given).\(family).\(number + 1)@example.com".lowercased()))
    }
  }
}
