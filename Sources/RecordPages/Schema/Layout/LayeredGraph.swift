/// The boxes of a graph in layers. An edge that passes a layer has a lane there.
///
/// Edges that lead to the same box in the same direction share their lanes, so that there are not
/// more lanes than boxes in a layer, and no reader loses an edge: where a lane leads is clear.
struct LayeredGraph {
  struct Node {
    /// The box; nil for a lane.
    var box: Int?
    var layer: Int
    var height: Double
    /// The pieces that arrive from the left, and that leave to the right.
    var left: [Int] = []
    var right: [Int] = []

    var isLane: Bool { box == nil }
  }

  /// A piece of edges, from a layer to the next.
  struct Piece: Hashable {
    var from: Int
    var to: Int
    /// The distance from the top of each node to the piece's ends.
    var fromOffset: Double
    var toOffset: Double
  }

  /// The lanes of an edge, from its left end to its right one; nil if it is drawn without any.
  typealias Lanes = [Int]

  private(set) var nodes: [Node]
  private(set) var pieces: [Piece] = []
  /// The nodes of each layer, in no order of meaning.
  private(set) var layers: [[Int]]
  /// The lanes of each edge; empty between neighbouring layers.
  private(set) var lanes: [Lanes]
  private var known: Set<Piece> = []
  private var laneNodes: [LaneKey: Int] = [:]

  private struct LaneKey: Hashable {
    var target: Int
    var layer: Int
    var isLeftward: Bool
  }

  /// The greatest number of lanes. Edges that need more are drawn straight, behind the boxes.
  static let maxLanes = 30_000

  init(_ graph: DiagramGraph, layers numbers: [Int]) {
    nodes = graph.boxes.indices.map {
      Node(box: $0, layer: numbers[$0], height: graph.boxes[$0].height)
    }
    layers = Array(repeating: [], count: (numbers.max() ?? -1) + 1)
    for (box, layer) in numbers.enumerated() { layers[layer].append(box) }
    lanes = Array(repeating: [], count: graph.edges.count)
    func span(_ edge: DiagramGraph.Edge) -> Int {
      abs(numbers[edge.source] - numbers[edge.target])
    }
    // The short ones first, as the long ones are those to be drawn straight.
    let order = graph.edges.indices.filter { graph.edges[$0].source != graph.edges[$0].target }
      .sorted { (span(graph.edges[$0]), $0) < (span(graph.edges[$1]), $1) }
    for index in order {
      let edge = graph.edges[index]
      if laneNodes.count + span(edge) > Self.maxLanes { continue }
      add(edge, index, numbers, entry: graph.boxes[edge.target].entry)
    }
  }

  private mutating func add(
    _ edge: DiagramGraph.Edge, _ index: Int, _ numbers: [Int], entry: Double
  ) {
    let isLeftward = numbers[edge.source] > numbers[edge.target]
    let (left, right) = isLeftward ? (edge.target, edge.source) : (edge.source, edge.target)
    let (leftOffset, rightOffset) = isLeftward ? (entry, edge.exit) : (edge.exit, entry)
    var last = (node: left, offset: leftOffset)
    for layer in (numbers[left] + 1)..<max(numbers[right], numbers[left] + 1) {
      let lane = lane(LaneKey(target: edge.target, layer: layer, isLeftward: isLeftward))
      lanes[index].append(lane)
      connect(Piece(from: last.node, to: lane, fromOffset: last.offset, toOffset: 0))
      last = (lane, 0)
    }
    connect(Piece(from: last.node, to: right, fromOffset: last.offset, toOffset: rightOffset))
  }

  private mutating func lane(_ key: LaneKey) -> Int {
    if let known = laneNodes[key] { return known }
    let node = nodes.count
    nodes.append(Node(box: nil, layer: key.layer, height: 0))
    layers[key.layer].append(node)
    laneNodes[key] = node
    return node
  }

  private mutating func connect(_ piece: Piece) {
    guard known.insert(piece).inserted else { return }
    nodes[piece.from].right.append(pieces.count)
    nodes[piece.to].left.append(pieces.count)
    pieces.append(piece)
  }

  /// The least distance between two nodes of a layer.
  func space(_ above: Int, _ below: Int) -> Double {
    nodes[above].isLane || nodes[below].isLane
      ? DiagramGeometry.Space.lane : DiagramGeometry.Space.box
  }
}
