import RecordModel

/// A kept field, or two kept fields of one record, and the number of their rare values.
///
/// Somebody who knows what a person's record says finds the record, if few others say the same.
public struct KeptValues: Sendable, Hashable {
  /// The record type.
  public var recordType: String
  /// The name of the field, or the names of both.
  public var fields: [String]
  /// The number of different values.
  public var distinct: Int
  /// The number of values that fewer records have than ``Anonymisation/smallestGroup``.
  public var rare: Int
}

/// Counts the values of the kept fields of one type, and of each pair of them, as hashes.
struct KeptCounts {
  /// A field, or two, by their places in ``fields``, the lower first; one field twice.
  private struct Group: Hashable {
    var first: Int
    var second: Int

    init(_ place: Int, _ other: Int? = nil) {
      first = min(place, other ?? place)
      second = max(place, other ?? place)
    }
  }

  /// The names of the fields, by their places.
  private(set) var fields: [String] = []
  private var counts: [Group: [Int: Int]] = [:]
  private var valueCount = 0
  /// Whether something was not counted.
  private(set) var isCut = false

  /// Further fields are counted alone, and not in pairs.
  private static let maxPaired = 24
  /// The maximum number of different values.
  private static let maxValues = 1 << 20

  /// Returns the place of a new field.
  mutating func addField(_ name: String) -> Int {
    if fields.count >= Self.maxPaired { isCut = true }
    fields.append(name)
    return fields.count - 1
  }

  /// Counts the values of a record's kept fields, which come in the order of their names.
  mutating func add(_ values: [(place: Int, hash: Int)]) {
    for (index, (place, hash)) in values.enumerated() {
      add(hash, Group(place))
      guard place < Self.maxPaired else { continue }
      for (other, otherHash) in values[..<index] where other < Self.maxPaired {
        var hasher = Hasher()
        hasher.combine(otherHash)
        hasher.combine(hash)
        add(hasher.finalize(), Group(place, other))
      }
    }
  }

  private mutating func add(_ hash: Int, _ group: Group, times: Int = 1) {
    if let known = counts[group]?[hash] {
      counts[group]?[hash] = known + times
    } else if valueCount < Self.maxValues {
      counts[group, default: [:]][hash] = times
      valueCount += 1
    } else {
      isCut = true
    }
  }

  /// Adds the counts of another thread, whose fields may have other places.
  mutating func add(_ other: KeptCounts) {
    isCut = isCut || other.isCut
    var known = Dictionary(
      fields.enumerated().map { (ExactString($1), $0) }, uniquingKeysWith: { first, _ in first })
    let places = other.fields.map { name in
      if let place = known[ExactString(name)] { return place }
      fields.append(name)
      known[ExactString(name)] = fields.count - 1
      return fields.count - 1
    }
    for (group, values) in other.counts {
      let own = Group(places[group.first], places[group.second])
      for (hash, times) in values { add(hash, own, times: times) }
    }
  }

  /// The counts, the rarest last.
  ///
  /// - Parameter smallest: A value is rare if fewer records have it.
  func summary(of recordType: String, smallest: Int) -> [KeptValues] {
    counts.map { group, values in
      KeptValues(
        recordType: recordType,
        fields: (group.first == group.second ? [group.first] : [group.first, group.second])
          .map { fields[$0] }.sorted { compareUTF8($0, $1) < 0 },
        distinct: values.count, rare: values.values.count { $0 < smallest })
    }
  }
}

/// Counts records by what their references alone show: the type, what it refers to by which field, and
/// what refers to it.
struct ReferenceShapes {
  private struct Node {
    /// The hash of the type and the references of a record; 0 for what is only referred to.
    var own = 0
    /// The sum of the hashes of the references to it.
    var incoming = 0
  }

  private var nodes: [Int: Node] = [:]
  /// Whether there were too many records to count all.
  private(set) var isCut = false

  /// The maximum number of records and users, at about 50 bytes each.
  private static let maxNodes = 1 << 21

  /// Adds a record or user.
  ///
  /// - Parameter own: What it refers to, as a hash.
  mutating func add(_ id: Int, own: Int) {
    update(id) { $0.own = own == 0 ? 1 : own }
  }

  /// Adds a reference.
  ///
  /// - Parameter role: The type and the field that refers.
  mutating func addReference(to id: Int, role: Int) { update(id) { $0.incoming &+= role } }

  private mutating func update(_ id: Int, _ body: (inout Node) -> Void) {
    guard nodes.count < Self.maxNodes || nodes[id] != nil else { return isCut = true }
    body(&nodes[id, default: Node()])
  }

  mutating func add(_ other: ReferenceShapes) {
    isCut = isCut || other.isCut
    for (id, node) in other.nodes {
      update(id) {
        if node.own != 0 { $0.own = node.own }
        $0.incoming &+= node.incoming
      }
    }
  }

  /// The number of records and users that have a shape of their own.
  var uniqueCount: Int {
    var shapes: [[Int]: Int] = [:]
    for node in nodes.values where node.own != 0 {
      shapes[[node.own, node.incoming], default: 0] += 1
    }
    return shapes.values.count { $0 == 1 }
  }
}

extension KeptValues {
  /// The order of a report: by type, fields before pairs.
  func precedes(_ other: KeptValues) -> Bool {
    let order = compareUTF8(recordType, other.recordType)
    if order != 0 { return order < 0 }
    if fields.count != other.fields.count { return fields.count < other.fields.count }
    let fieldOrders = zip(fields, other.fields).lazy.map { compareUTF8($0, $1) }
    return fieldOrders.first { $0 != 0 }.map { $0 < 0 } ?? false
  }
}
