/// Orders the nodes of each layer so that few edges cross.
///
/// Sweeps over the layers in both directions, ordering each by the mean or the median of its
/// neighbours (Sugiyama, Tagawa, Toda 1981; Eades, Wormald 1994), then exchanges neighbours, and
/// keeps the best order found.
struct LayerOrder {
  /// The nodes of each layer, from the top.
  private(set) var layers: [[Int]]

  private let graph: LayeredGraph
  /// The index of each node in its layer.
  private var places: [Int]

  /// The most steps of all sweeps together, which bounds the time.
  private static let maxSteps = 4_000_000

  init(_ graph: LayeredGraph) {
    self.graph = graph
    layers = graph.layers
    places = Array(repeating: 0, count: graph.nodes.count)
    guard layers.count > 1, !graph.pieces.isEmpty else {
      numberAll()
      return
    }
    // Sweeps find the best order near the first one, so they begin at several. Lanes in the middle
    // come first: at an end they would move each column further than the last.
    let middle = layers.map { layer -> [Int] in
      let boxes = layer.filter { !graph.nodes[$0].isLane }
      return boxes.prefix(boxes.count / 2) + layer.filter { graph.nodes[$0].isLane }
        + boxes.dropFirst(boxes.count / 2)
    }
    var best: (crossings: Int, layers: [[Int]])?
    for start in [middle, layers, layers.map { Array($0.reversed()) }] {
      let found = improved(start)
      if best.map({ found.crossings < $0.crossings }) ?? true { best = found }
      if found.crossings == 0 { break }
    }
    layers = best?.layers ?? layers
    numberAll()
  }

  private mutating func improved(_ start: [[Int]]) -> (crossings: Int, layers: [[Int]]) {
    layers = start
    numberAll()
    let steps = graph.pieces.count + graph.nodes.count
    let sweeps = min(24, max(2, Self.maxSteps / (steps * 48)))
    var best = (crossings: crossings, layers: layers)
    for sweep in 0..<sweeps where best.crossings > 0 || sweep < 4 {
      let isRightward = sweep % 2 == 0
      let order =
        isRightward ? Array(layers.indices.dropFirst()) : layers.indices.dropLast().reversed()
      for layer in order { arrange(layer, byLeft: isRightward, median: sweep % 4 >= 2) }
      exchange()
      let found = crossings
      // Later orders of the same quality have seen more of the graph.
      if found <= best.crossings { best = (found, layers) }
    }
    return best
  }

  private mutating func numberAll() {
    for layer in layers.indices { number(layer) }
  }

  private mutating func number(_ layer: Int) {
    for (place, node) in layers[layer].enumerated() { places[node] = place }
  }

  /// The place of a piece's end: that of its node, and a part that depends on where it ends there.
  private func place(_ node: Int, _ offset: Double) -> Double {
    let height = graph.nodes[node].height
    return Double(places[node]) + (height > 0 ? 0.8 * offset / height : 0.4)
  }

  /// Orders a layer by its neighbours on one side. Nodes without any stay where they are.
  private mutating func arrange(_ layer: Int, byLeft: Bool, median: Bool) {
    var keys: [(key: Double, place: Int, node: Int)] = []
    var free: [Int] = []
    for (place, node) in layers[layer].enumerated() {
      let ends =
        byLeft
        ? graph.nodes[node].left.map {
          self.place(graph.pieces[$0].from, graph.pieces[$0].fromOffset)
        }
        : graph.nodes[node].right.map { self.place(graph.pieces[$0].to, graph.pieces[$0].toOffset) }
      if ends.isEmpty { continue }
      free.append(place)
      keys.append(
        (median ? Self.median(ends) : ends.reduce(0, +) / Double(ends.count), place, node))
    }
    keys.sort { $0.key != $1.key ? $0.key < $1.key : $0.place < $1.place }
    for (place, key) in zip(free, keys) { layers[layer][place] = key.node }
    number(layer)
  }

  private static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }

  /// Exchanges neighbours in a layer where that removes crossings.
  private mutating func exchange() {
    var budget = Self.maxSteps / 16
    for layer in layers.indices {
      for place in layers[layer].indices.dropFirst() {
        let (above, below) = (layers[layer][place - 1], layers[layer][place])
        budget -= steps(above, below)
        if budget < 0 { return }
        if crossings(above, below) > crossings(below, above) {
          layers[layer].swapAt(place - 1, place)
          (places[above], places[below]) = (place, place - 1)
        }
      }
    }
  }

  private func steps(_ a: Int, _ b: Int) -> Int {
    let (a, b) = (graph.nodes[a], graph.nodes[b])
    return 1 + a.left.count * b.left.count + a.right.count * b.right.count
  }

  /// The number of crossings between the pieces of two nodes, if one is above the other.
  private func crossings(_ above: Int, _ below: Int) -> Int {
    func count(_ above: [Double], _ below: [Double]) -> Int {
      above.reduce(0) { sum, end in sum + below.count { $0 < end } }
    }
    let (a, b) = (graph.nodes[above], graph.nodes[below])
    func from(_ piece: Int) -> Double {
      place(graph.pieces[piece].from, graph.pieces[piece].fromOffset)
    }
    func to(_ piece: Int) -> Double { place(graph.pieces[piece].to, graph.pieces[piece].toOffset) }
    return count(a.left.map(from), b.left.map(from)) + count(a.right.map(to), b.right.map(to))
  }

  /// The number of crossings between all pieces.
  var crossings: Int {
    var ends: [[(from: Double, to: Double)]] = Array(repeating: [], count: layers.count)
    for piece in graph.pieces {
      ends[graph.nodes[piece.from].layer].append(
        (place(piece.from, piece.fromOffset), place(piece.to, piece.toOffset)))
    }
    return ends.reduce(0) { $0 + Self.inversions($1) }
  }

  /// The number of pairs whose ends are in opposite orders, counted with a Fenwick tree.
  private static func inversions(_ ends: [(from: Double, to: Double)]) -> Int {
    let sorted = ends.sorted { $0.from != $1.from ? $0.from < $1.from : $0.to < $1.to }
    let values = Set(sorted.map(\.to)).sorted()
    let ranks = Dictionary(uniqueKeysWithValues: zip(values, 1...))
    var tree = Array(repeating: 0, count: values.count + 1)
    var count = 0
    for (index, end) in sorted.enumerated() {
      guard let rank = ranks[end.to] else { continue }
      var (place, notGreater) = (rank, 0)
      while place > 0 {
        notGreater += tree[place]
        place &= place - 1
      }
      count += index - notGreater
      place = rank
      while place < tree.count {
        tree[place] += 1
        place += place & -place
      }
    }
    return count
  }
}
