/// Assigns the boxes of a graph to layers, so that references lead to the right, except those that
/// close a cycle.
///
/// Layers are columns. A column has a greatest height, so that a type to which many refer does not
/// make a diagram that is one very high column (after Coffman and Graham).
struct LayerAssignment {
  /// The layer of each box, from 0 at the left.
  private(set) var layers: [Int]

  private let graph: DiagramGraph
  /// The boxes that each box refers to, and those that refer to it, without cycles.
  private var targets: [[Int]]
  private var sources: [[Int]]
  /// The layer of each box, counted from the right.
  private var ranks: [Int]
  private var heights: [Double] = []
  private let maxHeight: Double

  init(_ graph: DiagramGraph, maxHeight: Double) {
    self.graph = graph
    self.maxHeight = maxHeight
    targets = Array(repeating: [], count: graph.boxes.count)
    sources = targets
    ranks = Array(repeating: 0, count: graph.boxes.count)
    layers = ranks
    removeCycles()
    let order = targetsFirst()
    rank(order)
    tighten(order.reversed())
    number()
  }

  /// Links each pair of boxes once; a reference that closes a cycle is turned around.
  ///
  /// A depth-first search with a stack of its own; it starts at boxes that refer more than they are
  /// referred to.
  private mutating func removeCycles() {
    var all = targets
    var surplus = ranks
    for edge in graph.edges where edge.source != edge.target {
      all[edge.source].append(edge.target)
      surplus[edge.source] += 1
      surplus[edge.target] -= 1
    }
    enum State { case new, open, done }
    var states = Array(repeating: State.new, count: all.count)
    var links: Set<[Int]> = []
    let starts = all.indices.sorted {
      surplus[$0] != surplus[$1] ? surplus[$0] > surplus[$1] : $0 < $1
    }
    for start in starts where states[start] == .new {
      var stack = [(box: start, next: 0)]
      states[start] = .open
      while let (box, next) = stack.last {
        guard next < all[box].count else {
          states[box] = .done
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let target = all[box][next]
        let (from, to) = states[target] == .open ? (target, box) : (box, target)
        if links.insert([from, to]).inserted {
          targets[from].append(to)
          sources[to].append(from)
        }
        if states[target] == .new {
          states[target] = .open
          stack.append((target, 0))
        }
      }
    }
  }

  /// The boxes, each after those that it refers to.
  private func targetsFirst() -> [Int] {
    var left = targets.map(\.count)
    var order = left.indices.filter { left[$0] == 0 }
    var next = 0
    while next < order.count {
      for source in sources[order[next]] {
        left[source] -= 1
        if left[source] == 0 { order.append(source) }
      }
      next += 1
    }
    return order
  }

  private mutating func rank(_ order: [Int]) {
    // The first rank that may have room, as the ones before it are full.
    var firstFree = 0
    for box in order {
      let least = targets[box].reduce(0) { max($0, ranks[$1] + 1) }
      var rank = max(least, firstFree)
      while rank < heights.count, !hasRoom(rank, for: box) { rank += 1 }
      put(box, into: rank)
      while firstFree < heights.count, heights[firstFree] >= maxHeight { firstFree += 1 }
    }
  }

  private func hasRoom(_ rank: Int, for box: Int) -> Bool {
    heights[rank] == 0 || heights[rank] + graph.boxes[box].height <= maxHeight
  }

  private mutating func put(_ box: Int, into rank: Int) {
    while heights.count <= rank { heights.append(0) }
    heights[rank] += graph.boxes[box].height + DiagramGeometry.Space.box
    ranks[box] = rank
  }

  /// Moves boxes that are referred to more than they refer towards those that refer to them.
  private mutating func tighten(_ order: [Int]) {
    for box in order where sources[box].count > targets[box].count {
      guard let nearest = sources[box].map({ ranks[$0] }).min() else { continue }
      let rank = nearest - 1
      guard rank > ranks[box], hasRoom(rank, for: box) else { continue }
      heights[ranks[box]] -= graph.boxes[box].height + DiagramGeometry.Space.box
      put(box, into: rank)
    }
  }

  /// Numbers the layers from the left, without empty ones.
  private mutating func number() {
    let used = Set(ranks).sorted(by: >)
    let numbers = Dictionary(uniqueKeysWithValues: zip(used, used.indices))
    layers = ranks.map { numbers[$0] ?? 0 }
  }
}
