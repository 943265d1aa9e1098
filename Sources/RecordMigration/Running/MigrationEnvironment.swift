import struct Foundation.Data
import RecordCoding
import RecordModel
import RecordPlatform

/// The context that a migration needs besides the current record.
public struct MigrationEnvironment: Sendable {
  /// Returns the bytes of an asset by its SHA-256, or `nil` if they are not available.
  public typealias AssetLookup = @Sendable (_ sha256: String) throws -> Data?

  /// The function that returns the bytes of assets.
  public var assets: AssetLookup?
  /// The new IDs of records, by the index of the migration in its chain.
  package var identities: [Int: RecordIDMap] = [:]
  /// The values that steps copy from other records, by the index of the migration in its chain.
  package var lookUps: [Int: LookUpValues] = [:]
  /// The records that are left behind, if references to them must be counted.
  package var leftBehind: RecordIDMap?

  /// Creates an environment.
  public init(assets: AssetLookup? = nil) {
    self.assets = assets
  }
}

/// A map from old to new record IDs, for records whose name or zone changes.
///
/// Takes about 125 bytes per changed record, and nothing for others.
package struct RecordIDMap: Sendable {
  /// The changes in one zone. There are few zones, so a linear search is fast, and a lookup costs a
  /// single hash of the name.
  private struct Zone {
    let database: DatabaseScope
    let zoneID: ZoneID
    var changes: [CompactName: RecordID] = [:]
  }

  private var zones: [Zone] = []
  /// The hashes of the names of all changed records. Most references refer to others.
  private var hashes: Set<UInt64> = []

  package init() {}

  package var isEmpty: Bool { zones.isEmpty }

  /// Whether the map has records of a zone.
  package func contains(_ zoneID: ZoneID, of database: DatabaseScope) -> Bool {
    zones.contains { $0.database == database && $0.zoneID == zoneID }
  }

  /// Adds a record whose ID does not change, to use the map as a set.
  package mutating func note(_ recordID: RecordID, in database: DatabaseScope) {
    note(recordID, became: recordID, in: database)
  }

  package mutating func note(_ old: RecordID, became new: RecordID, in database: DatabaseScope) {
    let known = zones.firstIndex { $0.database == database && $0.zoneID == old.zoneID }
    if known == nil { zones.append(Zone(database: database, zoneID: old.zoneID)) }
    zones[known ?? zones.count - 1].changes[old.packedName] = new
    hashes.insert(old.withUTF8RecordName { XXH64.hash($0) })
  }

  /// Whether a record with this name may be in the map, in any zone and database.
  ///
  /// - Parameter name: The name in UTF-8.
  /// - Returns: False if there is certainly none.
  @inline(__always)
  func mayContain(name: UnsafeRawBufferPointer) -> Bool {
    hashes.contains(XXH64.hash(name))
  }

  package func newIdentity(of old: RecordID, in database: DatabaseScope) -> RecordID? {
    for index in zones.indices
    where zones[index].database == database
      && (zones[index].zoneID.isIdentical(to: old.zoneID) || zones[index].zoneID == old.zoneID)
    {
      return zones[index].changes[old.packedName]
    }
    return nil
  }

  /// Looks up references and caches the last result, because consecutive references often have the
  /// same target.
  final class Lookup {
    private let map: RecordIDMap
    @exclusivity(unchecked) private var latest: RecordID?
    @exclusivity(unchecked) private var latestDatabase = DatabaseScope.private
    @exclusivity(unchecked) private var found: RecordID?

    init(_ map: RecordIDMap) { self.map = map }

    /// Whether a reference of a record may refer to a record of the map.
    func mayConcern(_ record: EditableRecord) -> Bool {
      record.mayHaveReference(toName: { map.mayContain(name: $0) })
    }

    func newIdentity(of old: RecordID, in database: DatabaseScope) -> RecordID? {
      if let latest, latest == old, latestDatabase == database { return found }
      latest = old
      latestDatabase = database
      found = map.newIdentity(of: old, in: database)
      return found
    }
  }
}

/// The result of migrating a record without reading its values, which is the same for all records
/// with the same outline to which the edits apply.
struct MigrationRecipe {
  enum Result {
    case edits(LearntEdits)
    /// After these edits, the record was left behind by a stage, at whose start it was in a zone.
    case leftBehind(LearntEdits, from: ZoneID, stage: Int)
    /// The result depends on values.
    case none
  }

  let outline: EditableRecord.EditKey
  /// Retained, so that no other objects can get the same identity.
  private let objects: [AnyObject]
  let result: Result
  /// The counts for one record.
  private let counts: MigrationReport
  /// The number of uses that are not yet in a report.
  var uses = 0

  init(
    _ outline: EditableRecord.EditKey, _ objects: [AnyObject], _ result: Result,
    counts: MigrationReport
  ) {
    self.outline = outline
    self.objects = objects
    self.result = result
    self.counts = counts
  }

  /// Adds the uses since the last call to a report.
  mutating func count(in report: inout MigrationReport) {
    if uses > 0 { report.add(counts, times: uses) }
    uses = 0
  }
}

/// The recipes of one runner, with recently used ones first.
struct MigrationRecipes {
  private var recipes: [MigrationRecipe] = []
  private static let most = 32

  /// Returns the index of the recipe for an outline.
  mutating func place(of outline: EditableRecord.EditKey) -> Int? {
    for index in recipes.indices where recipes[index].outline == outline {
      guard index > 0 else { return 0 }
      recipes.swapAt(index, index - 1)
      return index - 1
    }
    return nil
  }

  subscript(index: Int) -> MigrationRecipe {
    @inline(__always) _read { yield recipes[index] }
    @inline(__always) _modify { yield &recipes[index] }
  }

  /// Adds a recipe, in place of the one that was not used for longest if there are too many.
  ///
  /// - Parameter report: Receives the uses of the recipe that is removed.
  mutating func add(_ recipe: MigrationRecipe, _ report: inout MigrationReport) {
    if recipes.count == Self.most {
      recipes[Self.most - 1].count(in: &report)
      recipes.removeLast()
    }
    recipes.append(recipe)
  }

  /// Adds the uses of all recipes to a report.
  mutating func count(in report: inout MigrationReport) {
    for index in recipes.indices { recipes[index].count(in: &report) }
  }
}
