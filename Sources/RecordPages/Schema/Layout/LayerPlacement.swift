/// Places the nodes of ordered layers vertically, so that edges are as horizontal as they can be.
///
/// Each node is drawn to where its edges would be horizontal. In a layer, the places that keep the
/// order and the distances and are nearest to that, by the sum of squares, are found by pooling
/// adjacent violators.
struct LayerPlacement {
  /// The top of each node.
  private(set) var tops: [Double]

  private let graph: LayeredGraph
  private let layers: [[Int]]
  private static let sweeps = 16
  private static let gravity = 0.03

  init(_ graph: LayeredGraph, layers: [[Int]]) {
    self.graph = graph
    self.layers = layers
    tops = Array(repeating: 0, count: graph.nodes.count)
    for layer in layers { stack(layer) }
    for sweep in 0..<Self.sweeps {
      let isRightward = sweep % 2 == 0
      // The last sweeps look at both sides, so that neither has been preferred.
      let isLast = sweep >= Self.sweeps - 4
      for layer in isRightward ? layers : layers.reversed() {
        place(layer, byLeft: isRightward || isLast, byRight: !isRightward || isLast)
      }
    }
    let top = tops.min() ?? 0
    for node in tops.indices { tops[node] -= top }
  }

  /// Places the nodes of a layer below each other, around zero.
  private mutating func stack(_ layer: [Int]) {
    var y = 0.0
    for (index, node) in layer.enumerated() {
      if index > 0 { y += graph.space(layer[index - 1], node) }
      tops[node] = y
      y += graph.nodes[node].height
    }
    for node in layer { tops[node] -= y / 2 }
  }

  private mutating func place(_ layer: [Int], byLeft: Bool, byRight: Bool) {
    var wanted: [(top: Double, weight: Double)] = []
    for node in layer {
      var (sum, weight) = (0.0, 0.0)
      func add(_ other: Int, _ top: Double) {
        // Lanes should be straight, because a bend in a long edge is what the eye follows.
        let strength = graph.nodes[other].isLane && graph.nodes[node].isLane ? 8.0 : 1
        sum += top * strength
        weight += strength
      }
      if byLeft {
        for piece in graph.nodes[node].left.map({ graph.pieces[$0] }) {
          add(piece.from, tops[piece.from] + piece.fromOffset - piece.toOffset)
        }
      }
      if byRight {
        for piece in graph.nodes[node].right.map({ graph.pieces[$0] }) {
          add(piece.to, tops[piece.to] + piece.toOffset - piece.fromOffset)
        }
      }
      // A little towards the middle, so that what hangs by one edge does not drift away.
      let middle = -graph.nodes[node].height / 2
      wanted.append(
        ((sum + middle * Self.gravity) / (weight + Self.gravity), weight + Self.gravity))
    }
    pool(layer, wanted)
  }

  private mutating func pool(_ layer: [Int], _ wanted: [(top: Double, weight: Double)]) {
    // The least distance of each node from the first one of the layer.
    var offsets: [Double] = []
    var pools: [(mean: Double, weight: Double, count: Int)] = []
    for (index, node) in layer.enumerated() {
      if index == 0 {
        offsets.append(0)
      } else {
        let above = layer[index - 1]
        offsets.append(offsets[index - 1] + graph.nodes[above].height + graph.space(above, node))
      }
      pools.append((wanted[index].top - offsets[index], wanted[index].weight, 1))
      while pools.count > 1, pools[pools.count - 2].mean > pools[pools.count - 1].mean {
        let (last, before) = (pools.removeLast(), pools.removeLast())
        let weight = last.weight + before.weight
        let mean = (last.mean * last.weight + before.mean * before.weight) / weight
        pools.append((mean, weight, last.count + before.count))
      }
    }
    var index = 0
    for pool in pools {
      for _ in 0..<pool.count {
        tops[layer[index]] = pool.mean + offsets[index]
        index += 1
      }
    }
  }
}
