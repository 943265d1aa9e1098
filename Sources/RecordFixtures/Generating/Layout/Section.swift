import RecordModel
import RecordPlatform

/// The records of one type in one zone, none of which is made yet.
final class Section: Sendable {
  let site: ZoneSite
  let type: TypePlan
  let count: Int
  /// The records above these; nil if they are roots.
  let parent: Section?
  let key: UInt64
  let names: NameStyle
  /// The number of records before every ``block`` of parents: where the children of parent
  /// `n * block` begin.
  let sums: [Int]
  /// The number of records of the type in the zones before.
  let firstNumber: Int
  /// The number of the change that saved the first record, less one.
  let changes: Int
  /// The reference date in milliseconds since 1970.
  let referenceDate: Int
  /// Whether each record gets its parent in the sharing hierarchy.
  let hasParents: Bool
  /// The part of the records that have shares.
  let sharedRate: Double
  /// The users who take part in shares: all, or the owner alone.
  let users: Int
  /// The numbers of the users in the order of their names, where these are their records.
  let userOrder: [Int]

  static let block = 256

  init(
    _ site: ZoneSite, _ type: TypePlan, _ size: Size, key: UInt64, parent: Section?,
    firstNumber: Int, changes: Int, recipe: FixtureRecipe, users: [FixtureUser]
  ) {
    self.site = site
    self.type = type
    count = size.count
    sums = size.sums
    self.key = key
    self.parent = parent
    self.firstNumber = firstNumber
    self.changes = changes
    names =
      type.isUsers
      ? NameStyle(users.map(\.recordName).sorted())
      : NameStyle(
        prefix: type.namePrefix, count: size.count, form: type.rule.names,
        hasEdgeCases: recipe.hasEdgeCases)
    referenceDate = recipe.referenceMilliseconds
    hasParents = parent != nil && site.hasHierarchy && type.rule.isHierarchy
    sharedRate = site.hasHierarchy && !site.isShared ? type.rule.sharedRate : 0
    self.users = recipe.users
    userOrder =
      type.isUsers ? users.indices.sorted { users[$0].recordName < users[$1].recordName } : []
  }

  deinit { names.deallocate() }

  /// How many records a section has.
  struct Size {
    var count = 0
    var sums: [Int] = []
  }

  /// The key of the numbers of children, from the key of the section.
  static func countKey(_ key: UInt64) -> UInt64 { key ^ 0x636F_756E_7473 }

  /// Returns the number of records of a parent.
  @inline(__always)
  static func children(
    of parent: Int, _ sampler: CountSampler, countKey: UInt64
  ) -> Int {
    var random = SeededNumbers(seed: countKey, stream: UInt64(truncatingIfNeeded: parent))
    return sampler.sample(&random)
  }

  /// Counts the records of so many parents.
  ///
  /// - Returns: nil if there are more than `most`.
  static func size(
    parents: Int, _ counts: CountSampler, key: UInt64, atMost most: Int
  ) -> Size? {
    let countKey = countKey(key)
    var size = Size()
    for parent in 0..<parents {
      if parent % block == 0 { size.sums.append(size.count) }
      size.count += children(of: parent, counts, countKey: countKey)
      guard size.count <= most else { return nil }
    }
    size.sums.append(size.count)
    return size
  }
}
