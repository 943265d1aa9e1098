import RecordModel
import RecordPlatform

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
