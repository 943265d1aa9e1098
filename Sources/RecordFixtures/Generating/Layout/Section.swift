import RecordCoding
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
  let shareNames: NameStyle
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
    firstNumber: Int, changes: Int, recipe: FixtureRecipe, users: [ContainerAccount]
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
      ? NameStyle(users.map(\.userRecordName).sorted())
      : NameStyle(
        prefix: type.namePrefix, count: size.count, form: type.rule.names,
        hasEdgeCases: recipe.hasEdgeCases)
    shareNames = NameStyle(
      prefix: type.sharePrefix, count: size.count, form: .sequence, hasEdgeCases: false)
    referenceDate = recipe.referenceMilliseconds
    hasParents = parent != nil && site.hasHierarchy && type.rule.isHierarchy
    sharedRate = site.hasHierarchy && !site.isShared ? type.rule.sharedRate : 0
    self.users = recipe.users
    let recordNames = users.map(\.userRecordName)
    userOrder =
      type.isUsers ? recordNames.indices.sorted { recordNames[$0] < recordNames[$1] } : []
  }

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

/// A record that is about to be made: what it takes from its sub-seed and its ancestors.
struct RecordSpot {
  var index = 0
  var seed: UInt64 = 0
  /// Milliseconds since 1970.
  var created = 0
  /// The number of the user who creates it.
  var creator = 0
  /// The users of the share that it is in; nil in none.
  var share: ShareSpot?
  /// Its number among the children of its parent, from 0.
  var position = 0
}

/// The users of a share.
struct ShareSpot {
  /// The number of participants besides the owner.
  var participants: Int
  /// The number of the first participant; the others follow.
  var first: Int
}

/// Walks through the records of a section, together with their ancestors.
///
/// Nothing is stored about records: what is needed of an ancestor is made again from its sub-seed.
final class TreeCursor {
  let section: Section
  let parent: TreeCursor?
  private let key: UInt64
  private let countKey: UInt64
  private let counts: CountSampler
  private(set) var spot = RecordSpot()
  /// The number of children of the current parent.
  private var siblings = 1

  init(_ section: Section) {
    self.section = section
    parent = section.parent.map(TreeCursor.init)
    key = section.key
    countKey = Section.countKey(section.key)
    counts = section.type.counts
  }

  /// The cursors of the ancestors, the nearest first.
  var ancestors: [TreeCursor] {
    Array(sequence(first: self) { $0.parent }.dropFirst())
  }

  /// Moves to a record, which must be in the section.
  func seek(_ index: Int) {
    guard let parent else {
      siblings = section.count
      return place(index, position: index)
    }
    // The last block that begins at or before the record.
    var (low, high) = (0, section.sums.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if section.sums[middle] <= index { low = middle } else { high = middle }
    }
    var rest = index - section.sums[low]
    var owner = low * Section.block
    siblings = children(owner)
    while rest >= siblings {
      rest -= siblings
      owner += 1
      siblings = children(owner)
    }
    parent.seek(owner)
    place(index, position: rest)
  }

  /// Moves to the next record, if there is one.
  func advance() {
    let next = spot.index &+ 1
    guard next < section.count else { return }
    guard let parent else { return place(next, position: next) }
    var position = spot.position &+ 1
    if position >= siblings {
      var owner = parent.spot.index
      repeat {
        owner += 1
        siblings = children(owner)
      } while siblings == 0
      while parent.spot.index < owner { parent.advance() }
      position = 0
    }
    place(next, position: position)
  }

  private func children(_ owner: Int) -> Int {
    Section.children(of: owner, counts, countKey: countKey)
  }

  private func place(_ index: Int, position: Int) {
    var random = SeededNumbers(seed: key, stream: UInt64(truncatingIfNeeded: index))
    spot.seed = random.next()
    spot.index = index
    spot.position = position
    // Siblings share the time: each has a part of its own, and a random date in it.
    let range = section.type.rule.creation
    let part = (Double(position) + random.fraction()) / Double(siblings)
    let length = Double(range.upperBound - range.lowerBound)
    let start = parent?.spot.created ?? section.referenceDate
    spot.created = start &+ range.lowerBound &+ Int(length * part)
    placeUsers(&random)
  }

  private func placeUsers(_ random: inout SeededNumbers) {
    guard let owner = section.site.owner else {
      spot.creator =
        section.type.isUsers ? section.userOrder[spot.index] : random.below(section.users)
      return
    }
    spot.creator = owner
    guard section.users > 1 else { return }
    let others = section.users - 1
    if section.site.isShared {
      spot.share = ShareSpot(participants: others, first: (owner + 1) % section.users)
    } else if section.sharedRate > 0, random.chance(section.sharedRate) {
      let participants = 1 + random.below(min(3, others))
      // Any user but the owner.
      let first = (owner + 1 + random.below(others)) % section.users
      spot.share = ShareSpot(participants: participants, first: first)
      return
    } else {
      spot.share = parent?.spot.share
    }
    // The first participant has accepted, and writes every other record.
    guard let share = spot.share, parent != nil || section.site.isShared, random.next() & 1 == 0
    else { return }
    spot.creator = share.first
  }
}

/// The names of the records of a section: in the order of the records, so that a bundle needs no
/// sorting, and each made from the index and the sub-seed of its record alone.
struct NameStyle: Sendable {
  /// The text before the number.
  private var prefix: [UInt8] = []
  private var width = 0
  private var isUUID = false
  private var hasEdgeCases = false
  /// The number of different first 48 bits of a UUID for each record.
  private var stratum: UInt64 = 0
  /// The names themselves, where they are given.
  private var list: [[UInt8]] = []

  private static let firstBits: UInt64 = 1 << 48
  /// One name of so many is as long as CloudKit allows, where edge cases are wanted.
  private static let edgePart = 64

  init(prefix: String, count: Int, form: TypeRule.NameForm, hasEdgeCases: Bool) {
    self.prefix = Array(prefix.utf8)
    width = String(count).utf8.count
    isUUID = form == .uuid
    self.hasEdgeCases = hasEdgeCases
    stratum = Self.firstBits / UInt64(max(1, count))
  }

  /// Creates the names of users, which are in order.
  init(_ names: [String]) { list = names.map { Array($0.utf8) } }

  /// Appends the name of a record.
  func append(_ index: Int, seed: UInt64, to buffer: ByteBuffer) {
    if !list.isEmpty { return buffer.append(list[index]) }
    if isUUID { return appendUUID(index, seed, to: buffer) }
    let start = buffer.count
    buffer.append(prefix)
    let number = index &+ 1
    for _ in 0..<(width &- Self.digits(number)) { buffer.append(UInt8(ascii: "0")) }
    buffer.appendInteger(Int64(number))
    guard hasEdgeCases, isEdge(seed) else { return }
    buffer.append(UInt8(ascii: "-"))
    while buffer.count &- start < RecordLimits.cloudKit.recordNameLength {
      buffer.append(UInt8(ascii: "x"))
    }
  }

  private func isEdge(_ seed: UInt64) -> Bool {
    var random = SeededNumbers(seed: seed ^ 0x6E61_6D65)
    return random.below(Self.edgePart) == 0
  }

  private static func digits(_ number: Int) -> Int {
    var (digits, limit) = (1, 10)
    while number >= limit {
      digits &+= 1
      limit &*= 10
    }
    return digits
  }

  /// Appends a random UUID (version 4) whose first bits grow with the index.
  private func appendUUID(_ index: Int, _ seed: UInt64, to buffer: ByteBuffer) {
    var random = SeededNumbers(seed: seed ^ 0x7575_6964)
    let first = UInt64(index) &* stratum &+ random.next() % stratum
    let high = first &<< 16 | 0x4000 | random.next() & 0xFFF
    let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    buffer.appendUUID(high, low)
  }
}

extension ByteBuffer {
  /// Appends the 36 characters of a UUID, in upper case.
  func appendUUID(_ high: UInt64, _ low: UInt64) {
    reserve(36)
    CompactName.write(high, low, isUpper: true, to: base + count)
    count &+= 36
  }
}
