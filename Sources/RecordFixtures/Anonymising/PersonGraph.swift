/// The graph of persons, records, users, zones and values that stay equal, up to a number of nodes. It has hashes only.
struct PersonGraph: Sendable {
  /// A link from one node of the graph to another.
  struct Edge: Hashable {
    var from: UInt64
    var to: UInt64
    var role: UInt64
  }

  private struct IndexedEdge {
    var from: UInt32
    var to: UInt32
    var role: UInt32
  }

  /// The first node that has a name. Nothing is equal until another one has it.
  private struct Holder {
    var node: UInt64
    var role: UInt32
    var isLinked = false
  }

  private var places: [UInt64: UInt32] = [:]
  /// The looks of nodes: without the values of the records, and with them.
  private(set) var kinds: [UInt64] = []
  private(set) var looks: [UInt64] = []
  private var edges: [IndexedEdge] = []
  private var holders: [UInt64: Holder] = [:]
  /// Whether there was too much to count all of it.
  private(set) var isCut = false

  /// The maximum numbers of nodes and names, and of edges: about 300 MB.
  private static let maxNodes = 1 << 21
  private static let maxEdges = 1 << 23
  /// The number of steps over references that are followed. Few graphs show more after the first ones.
  private static let maxRounds = 16

  /// Spreads the bits of a hash (SplitMix64), so that sums of hashes stand for sets.
  static func mix(_ word: UInt64) -> UInt64 {
    var word = word &+ 0x9E37_79B9_7F4A_7C15
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// The place of a node; nil if there is none.
  func place(ofKnown node: UInt64) -> Int? { places[node].map(Int.init) }

  /// Returns the place of a node, a new one if need be; nil if there are too many.
  private mutating func place(of node: UInt64) -> Int? {
    if let known = places[node] { return Int(known) }
    guard kinds.count < Self.maxNodes else {
      isCut = true
      return nil
    }
    places[node] = UInt32(kinds.count)
    kinds.append(0)
    looks.append(0)
    return kinds.count - 1
  }

  mutating func look(of node: UInt64, kind: UInt64, all: UInt64) {
    guard let place = place(of: node) else { return }
    kinds[place] |= kind
    looks[place] |= all
  }

  mutating func add(_ edge: Edge) {
    guard edges.count < Self.maxEdges, let from = place(of: edge.from), let to = place(of: edge.to)
    else {
      isCut = true
      return
    }
    edges.append(
      IndexedEdge(
        from: UInt32(from), to: UInt32(to), role: UInt32(truncatingIfNeeded: edge.role)))
  }

  /// Notes that a node has a name, which is the `to` of the edge: records and texts with one name are linked by it,
  /// in all zones.
  mutating func hold(_ edge: Edge) {
    guard var first = holders[edge.to] else {
      guard holders.count < Self.maxNodes else { return isCut = true }
      holders[edge.to] = Holder(
        node: edge.from, role: UInt32(truncatingIfNeeded: edge.role))
      return
    }
    if !first.isLinked {
      add(Edge(from: first.node, to: edge.to, role: UInt64(first.role)))
      first.isLinked = true
      holders[edge.to] = first
    }
    add(edge)
  }

  /// Links the only records and texts with a name to the users who have it.
  mutating func linkHolders() {
    for (name, holder) in holders where !holder.isLinked && places[name] != nil {
      add(Edge(from: holder.node, to: name, role: UInt64(holder.role)))
    }
    holders = [:]
  }

  // MARK: Colours

  /// Returns colours for nodes. They differ if the looks or the surroundings of nodes differ.
  func colors(_ looks: [UInt64], of nodes: [Int]) -> [UInt64] {
    let colors = refined(looks, for: nodes)
    return separated(colors, nodes)
  }

  /// Returns a colour for each node: each round mixes the colours of the neighbours in (Weisfeiler and Leman).
  ///
  /// - Parameter nodes: Those of the persons. If all of them differ, further rounds tell nothing.
  private func refined(_ looks: [UInt64], for nodes: [Int]) -> [UInt64] {
    var colors = looks.map(Self.mix)
    var classes = Set(colors).count
    for _ in 0..<Self.maxRounds {
      if Set(nodes.map { colors[$0] }).count == nodes.count { break }
      var sums = [UInt64](repeating: 0, count: colors.count)
      for edge in edges {
        let (from, to, role) = (Int(edge.from), Int(edge.to), UInt64(edge.role))
        sums[from] &+= Self.mix(colors[to] ^ role << 1)
        sums[to] &+= Self.mix(colors[from] ^ (role << 33 | 1))
      }
      for place in colors.indices {
        colors[place] = Self.mix(colors[place] &+ Self.mix(sums[place]))
      }
      let found = Set(colors).count
      if found == classes { break }
      classes = found
    }
    return colors
  }

  /// The number of edges that are followed around all nodes of equal colours.
  private static let maxFollowed = 1 << 24
  /// Nodes with more neighbours are not followed: a zone has all its records.
  private static let maxNeighbours = 256

  /// Returns a colour for each of some nodes, which differ if there are other nodes at some distance: where all persons
  /// have three friends, their colours are equal, but circles of friends have different lengths.
  private func separated(_ colors: [UInt64], _ nodes: [Int]) -> [UInt64] {
    var counts: [UInt64: Int] = [:]
    for node in nodes { counts[colors[node], default: 0] += 1 }
    let equal = nodes.count { counts[colors[$0]] != 1 }
    guard equal > 0 else { return nodes.map { colors[$0] } }
    var circles = Circles(colors, limit: Self.maxFollowed / equal)
    for edge in edges { circles.count(Int(edge.from), Int(edge.to)) }
    circles.reserve()
    for edge in edges {
      let role = UInt64(edge.role)
      circles.add(edge.to, to: Int(edge.from), role << 1)
      circles.add(edge.from, to: Int(edge.to), role << 33 | 1)
    }
    return nodes.map { counts[colors[$0]] == 1 ? colors[$0] : circles.color(of: $0) }
  }

  /// The surroundings of nodes by their distance.
  private struct Circles {
    private let colors: [UInt64]
    private let limit: Int
    private var starts: [Int]
    /// The neighbours of all nodes, and the roles of the edges to them.
    private var neighbours: [UInt32] = []
    private var roles: [UInt64] = []
    private var distances: [Int32]
    private var local: [UInt64]

    init(_ colors: [UInt64], limit: Int) {
      (self.colors, self.limit) = (colors, limit)
      starts = [Int](repeating: 0, count: colors.count + 1)
      distances = [Int32](repeating: -1, count: colors.count)
      local = colors
    }

    mutating func count(_ from: Int, _ to: Int) {
      starts[from + 1] += 1
      starts[to + 1] += 1
    }

    /// Makes room for the neighbours of each node, which are then added behind its start.
    mutating func reserve() {
      for place in colors.indices { starts[place + 1] += starts[place] }
      neighbours = Array(repeating: 0, count: starts[colors.count])
      roles = Array(repeating: 0, count: starts[colors.count])
      // Each start moves to the end of its node as neighbours are added, so it begins one node before.
      starts.insert(0, at: 0)
    }

    mutating func add(_ neighbour: UInt32, to node: Int, _ role: UInt64) {
      neighbours[starts[node + 1]] = neighbour
      roles[starts[node + 1]] = role
      starts[node + 1] += 1
    }

    private func range(of node: Int) -> Range<Int> {
      let range = starts[node]..<starts[node + 1]
      return range.count > PersonGraph.maxNeighbours ? range.lowerBound..<range.lowerBound : range
    }

    mutating func color(of node: Int) -> UInt64 {
      var ball = [node]
      distances[node] = 0
      var (layer, followed, distance) = (0..<1, 0, Int32(0))
      while !layer.isEmpty {
        followed += layer.reduce(0) { $0 + range(of: ball[$1]).count }
        // Whole layers only, or the colour would depend on the order of the edges.
        if followed > limit { break }
        distance += 1
        for place in layer {
          for edge in range(of: ball[place]) where distances[Int(neighbours[edge])] < 0 {
            distances[Int(neighbours[edge])] = distance
            ball.append(Int(neighbours[edge]))
          }
        }
        layer = layer.upperBound..<ball.count
      }
      for node in ball {
        local[node] = PersonGraph.mix(colors[node] &+ UInt64(distances[node] + 1))
      }
      var classes = 0
      for _ in 0..<PersonGraph.maxRounds {
        refine(ball)
        let found = Set(ball.map { local[$0] }).count
        if found == classes { break }
        classes = found
      }
      let sum = ball.reduce(into: UInt64(0)) { $0 &+= PersonGraph.mix(local[$1]) }
      let color = PersonGraph.mix(local[node] &+ PersonGraph.mix(sum))
      for node in ball {
        distances[node] = -1
        local[node] = colors[node]
      }
      return color
    }

    private mutating func refine(_ ball: [Int]) {
      let sums = ball.map { node in
        var sum: UInt64 = 0
        for edge in range(of: node) {
          sum &+= PersonGraph.mix(local[Int(neighbours[edge])] ^ roles[edge])
        }
        return sum
      }
      for (node, sum) in zip(ball, sums) {
        local[node] = PersonGraph.mix(local[node] &+ PersonGraph.mix(sum))
      }
    }
  }
}
