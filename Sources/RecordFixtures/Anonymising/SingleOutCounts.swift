import RecordModel
import Synchronization

/// Counts on all threads how many records have a kept value or a shape of references, because rare ones
/// single records out. It has hashes only, and up to a number of them.
final class SingleOutCounts: Sendable {
  /// A kept field.
  struct KeptField: Sendable {
    /// The number of the field among all.
    fileprivate var number: Int
    /// The number of the first kept field of the type, which stands for all of them together.
    fileprivate var first: Int
    /// Whether pairs of the field and others are counted.
    fileprivate var isPaired: Bool
  }

  /// A field, or two, by their numbers; one field twice; all of a type, as the first and
  /// ``Group/all``.
  fileprivate struct Group: Hashable {
    static let all = -1

    var first: Int
    var second: Int
  }

  /// A record or user, as its references show it.
  fileprivate struct Node {
    /// The hash of the type and the references of a record; 0 for what is only referred to.
    var own: UInt32 = 0
    /// The sum of the hashes of the references to it.
    var incoming: UInt32 = 0

    mutating func add(_ other: Node) {
      own |= other.own
      incoming &+= other.incoming
    }
  }

  /// The counts of one thread, until ``SingleOutCounts/add(_:)`` adds them to the counts of all threads.
  struct Batch {
    fileprivate var nodes: [(id: UInt64, node: Node)] = []
    fileprivate var values: [(group: Group, hash: Int)] = []

    /// Whether the batch has to be added to the counts of all threads.
    var isFull: Bool { nodes.count + values.count >= 8192 }

    /// Counts a record or user by the hash of its type, and of the types and fields of its references.
    mutating func add(_ id: UInt64, own: Int) {
      nodes.append((id, Node(own: UInt32(truncatingIfNeeded: own) | 1)))
    }

    /// Counts a reference to a record or user, by the hash of the type and field.
    mutating func add(_ id: UInt64, role: Int) {
      nodes.append((id, Node(incoming: UInt32(truncatingIfNeeded: role))))
    }

    /// Counts the kept values of a record by their hashes, in the order of the fields' names.
    mutating func add(_ kept: [(field: KeptField, hash: Int)]) {
      if kept.count > 2 {
        var hasher = Hasher()
        for (field, hash) in kept {
          hasher.combine(field.number)
          hasher.combine(hash)
        }
        values.append((Group(first: kept[0].field.first, second: Group.all), hasher.finalize()))
      }
      for (index, (field, hash)) in kept.enumerated() {
        values.append((Group(first: field.number, second: field.number), hash))
        guard field.isPaired else { continue }
        for (other, otherHash) in kept[..<index] where other.isPaired {
          var hasher = Hasher()
          hasher.combine(otherHash)
          hasher.combine(hash)
          let group = Group(
            first: min(field.number, other.number), second: max(field.number, other.number))
          values.append((group, hasher.finalize()))
        }
      }
    }
  }

  private struct State {
    var fields: [(recordType: String, name: String)] = []
    var numbers: [ExactString: [ExactString: KeptField]] = [:]
    var values: [Group: [Int: Int]] = [:]
    var valueCount = 0
    var nodes: [UInt64: Node] = [:]
    var isCut = false
  }

  private let state = Mutex(State())

  /// Further kept fields of a type are counted alone, and not in pairs.
  private static let maxPaired = 24
  /// The maximum number of different values, and of records and users, at about 40 bytes each.
  private static let maxValues = 1 << 20
  private static let maxNodes = 1 << 21

  /// Returns a kept field, which is counted from now on.
  func field(_ name: String, of recordType: String) -> KeptField {
    state.withLock { state in
      let type = ExactString(recordType)
      if let known = state.numbers[type]?[ExactString(name)] { return known }
      let isPaired = (state.numbers[type]?.count ?? 0) < Self.maxPaired
      if !isPaired { state.isCut = true }
      let number = state.fields.count
      let first = state.numbers[type]?.values.first?.first ?? number
      let field = KeptField(number: number, first: first, isPaired: isPaired)
      state.fields.append((recordType, name))
      state.numbers[type, default: [:]][ExactString(name)] = field
      return field
    }
  }

  /// Adds the counts of one thread, and empties the batch.
  func add(_ batch: inout Batch) {
    state.withLock { state in
      for (id, node) in batch.nodes {
        guard state.nodes.count < Self.maxNodes || state.nodes[id] != nil else {
          state.isCut = true
          continue
        }
        state.nodes[id, default: Node()].add(node)
      }
      for (group, hash) in batch.values { add(hash, group, in: &state) }
    }
    batch.nodes.removeAll(keepingCapacity: true)
    batch.values.removeAll(keepingCapacity: true)
  }

  private func add(_ hash: Int, _ group: Group, in state: inout State) {
    if let known = state.values[group]?[hash] {
      state.values[group]?[hash] = known + 1
    } else if state.valueCount < Self.maxValues {
      state.values[group, default: [:]][hash] = 1
      state.valueCount += 1
    } else {
      state.isCut = true
    }
  }

  /// Adds the counts to a report.
  ///
  /// - Parameter smallest: A value is rare if fewer records have it.
  func add(to report: inout AnonymisationReport, smallest: Int) {
    state.withLock { state in
      report.keptValues = state.values.map { group, values in
        let recordType = state.fields[group.first].recordType
        let fields: [Int] =
          switch group.second {
          case Group.all: state.numbers[ExactString(recordType)]?.values.map(\.number) ?? []
          case group.first: [group.first]
          default: [group.first, group.second]
          }
        return KeptValues(
          recordType: recordType,
          fields: fields.map { state.fields[$0].name }.sorted { compareUTF8($0, $1) < 0 },
          distinct: values.count, rare: values.values.count { $0 < smallest })
      }.sorted { $0.precedes($1) }
      var shapes: [UInt64: Bool] = [:]
      for node in state.nodes.values where node.own != 0 {
        let shape = UInt64(node.own) << 32 | UInt64(node.incoming)
        shapes[shape] = shapes[shape] == nil
      }
      report.uniqueByReferences = shapes.values.count { $0 }
      report.isCountCut = state.isCut
    }
  }
}
