/// Boxes and the edges between them, to be laid out.
struct DiagramGraph {
  struct Box {
    var width: Double
    var height: Double
    /// The distance from the top to where edges arrive.
    var entry: Double
  }

  struct Edge {
    /// The box that refers.
    var source: Int
    /// The distance from the top of the source to where the edge leaves.
    var exit: Double
    /// The box that is referred to; may be the source.
    var target: Int
    /// The distance from the top of the target to where the edge arrives; nil for that of its box.
    var entry: Double?
  }

  func entry(of edge: Edge) -> Double { edge.entry ?? boxes[edge.target].entry }

  var boxes: [Box]
  var edges: [Edge]
}

/// Lays out a graph in columns: references lead to the right, except those that close a cycle.
///
/// Columns follow from the longest paths. Sweeps over the columns order each by the mean of its
/// neighbours, so that few edges cross (Sugiyama, Tagawa, Toda 1981). Boxes are stacked in their
/// column. An edge that passes a column has a lane there, so that no edge passes a box.
///
/// The layout uses no clock, no hash order and no font: the same graph always gets the same geometry.
struct DiagramLayout {
  /// A box, or a lane of edges.
  private struct Node {
    var column: Int
    /// No height for a lane.
    var height: Double
    /// The ends of edges in the neighbouring columns.
    var left: [End] = []
    var right: [End] = []
  }

  private struct End {
    var node: Int
    /// The distance from the top of the node.
    var offset: Double
  }

  /// Edges that lead to the same box in the same direction share their lanes, so that a column does
  /// not have more lanes than there are boxes.
  private struct LaneKey: Hashable {
    var target: Int
    var column: Int
    var isLeftward: Bool
  }

  private typealias Space = DiagramGeometry.Space
  /// How much wider than high a diagram should be.
  private static let aspect = 1.5
  private static let sweeps = 4
  /// The greatest number of lanes. Edges that need more are drawn straight, behind the boxes.
  static let maxLanes = 30_000

  private let graph: DiagramGraph
  private var nodes: [Node]
  /// The nodes of each column, from the top.
  private var columns: [[Int]]
  /// The lanes of each edge, from its left end to its right one.
  private var lanes: [[Int]]
  private var laneNodes: [LaneKey: Int] = [:]
  private var tops: [Double] = []

  static func geometry(of graph: DiagramGraph) -> DiagramGeometry {
    var layout = DiagramLayout(graph)
    layout.addLanes()
    for sweep in 0..<sweeps { layout.sweep(isRightward: sweep % 2 == 0) }
    layout.stack()
    return layout.geometry
  }

  private init(_ graph: DiagramGraph) {
    self.graph = graph
    let numbers = Self.columns(of: graph)
    nodes = zip(numbers, graph.boxes).map { Node(column: $0, height: $1.height) }
    columns = Array(repeating: [], count: (numbers.max() ?? -1) + 1)
    for (box, column) in numbers.enumerated() { columns[column].append(box) }
    lanes = Array(repeating: [], count: graph.edges.count)
  }

  // MARK: Columns

  /// The column of each box, from 0 at the left.
  ///
  /// A column has a greatest height, so that a type to which many refer does not make a diagram of
  /// one very high column (after Coffman and Graham).
  private static func columns(of graph: DiagramGraph) -> [Int] {
    let boxes = graph.boxes
    let area = boxes.reduce(0) { $0 + ($1.width + Space.column) * ($1.height + Space.box) }
    let maxHeight = max(
      640, boxes.map(\.height).max() ?? 0, 1.2 * (area / aspect).squareRoot())
    var (targets, sources) = (boxes.map { _ in [Int]() }, boxes.map { _ in [Int]() })
    for edge in graph.edges
    where edge.source != edge.target && !targets[edge.source].contains(edge.target) {
      targets[edge.source].append(edge.target)
      sources[edge.target].append(edge.source)
    }
    /// The columns, counted from the right.
    var ranks = [Int?](repeating: nil, count: boxes.count)
    var heights: [Double] = []
    func add(_ box: Int, to column: Int) {
      if column == heights.count { heights.append(0) }
      heights[column] += boxes[box].height + Space.box
    }
    func hasRoom(_ column: Int, for box: Int) -> Bool {
      heights[column] == 0 || heights[column] + boxes[box].height <= maxHeight
    }
    // Each box follows those that it refers to.
    var waiting = targets.map(\.count)
    let connected = boxes.indices.filter { !targets[$0].isEmpty || !sources[$0].isEmpty }
    var queue = connected.filter { waiting[$0] == 0 }
    for next in connected.indices {
      if next == queue.count {
        // Only cycles are left; the box that waits for the fewest breaks one.
        let box = connected.filter { ranks[$0] == nil }.min {
          (waiting[$0], -sources[$0].count, -$0) < (waiting[$1], -sources[$1].count, -$1)
        }
        guard let box else { break }
        waiting[box] = 0
        queue.append(box)
      }
      let box = queue[next]
      // Also after those that refer to it, where it breaks a cycle: no edge stays in a column.
      var rank = (targets[box] + sources[box]).reduce(0) { max($0, (ranks[$1] ?? -1) + 1) }
      while rank < heights.count, !hasRoom(rank, for: box) { rank += 1 }
      add(box, to: rank)
      ranks[box] = rank
      for source in sources[box] where waiting[source] > 0 {
        waiting[source] -= 1
        if waiting[source] == 0 { queue.append(source) }
      }
    }
    // Boxes without edges fill the lowest columns, or new ones at the right.
    var columns = ranks.map { $0.map { heights.count - 1 - $0 } }
    heights.reverse()
    for box in boxes.indices where columns[box] == nil {
      let lowest = heights.indices.min { heights[$0] < heights[$1] }
      let column = lowest.flatMap { hasRoom($0, for: box) ? $0 : nil } ?? heights.count
      add(box, to: column)
      columns[box] = column
    }
    return columns.map { $0 ?? 0 }
  }

  private mutating func addLanes() {
    func span(_ edge: DiagramGraph.Edge) -> Int {
      abs(nodes[edge.source].column - nodes[edge.target].column)
    }
    // The short ones first, as the long ones are those to be drawn straight.
    let order = graph.edges.indices.filter { graph.edges[$0].source != graph.edges[$0].target }
      .sorted { (span(graph.edges[$0]), $0) < (span(graph.edges[$1]), $1) }
    for index in order where laneNodes.count + span(graph.edges[index]) <= Self.maxLanes {
      let edge = graph.edges[index]
      let isLeftward = isLeftward(edge)
      let ends = [
        End(node: edge.source, offset: edge.exit),
        End(node: edge.target, offset: graph.entry(of: edge)),
      ]
      var last = ends[isLeftward ? 1 : 0]
      let right = ends[isLeftward ? 0 : 1]
      for column in (nodes[last.node].column + 1)..<nodes[right.node].column {
        let lane = lane(LaneKey(target: edge.target, column: column, isLeftward: isLeftward))
        lanes[index].append(lane)
        connect(last, End(node: lane, offset: 0))
        last = End(node: lane, offset: 0)
      }
      connect(last, right)
    }
  }

  private func isLeftward(_ edge: DiagramGraph.Edge) -> Bool {
    nodes[edge.source].column > nodes[edge.target].column
  }

  private mutating func lane(_ key: LaneKey) -> Int {
    if let known = laneNodes[key] { return known }
    laneNodes[key] = nodes.count
    columns[key.column].append(nodes.count)
    nodes.append(Node(column: key.column, height: 0))
    return nodes.count - 1
  }

  private mutating func connect(_ left: End, _ right: End) {
    nodes[left.node].right.append(right)
    nodes[right.node].left.append(left)
  }

  // MARK: Order

  /// Orders each column by its neighbours on one side. Nodes without any stay where they are.
  private mutating func sweep(isRightward: Bool) {
    var places = Array(repeating: 0.0, count: nodes.count)
    for column in isRightward ? Array(columns.indices) : columns.indices.reversed() {
      func mean(_ node: Int) -> Double? {
        let ends = isRightward ? nodes[node].left : nodes[node].right
        if ends.isEmpty { return nil }
        // An end lower in its node comes after one higher in it.
        let sum = ends.reduce(0) { sum, end in
          sum + places[end.node] + 0.8 * end.offset / max(1, nodes[end.node].height)
        }
        return sum / Double(ends.count)
      }
      let order = columns[column].enumerated().compactMap { place, node in
        mean(node).map { (mean: $0, place: place, node: node) }
      }.sorted { ($0.mean, $0.place) < ($1.mean, $1.place) }
      for (place, next) in zip(order.map(\.place).sorted(), order) {
        columns[column][place] = next.node
      }
      for (place, node) in columns[column].enumerated() { places[node] = Double(place) }
    }
  }

  /// Places the nodes of each column below each other, around the middle of the highest column.
  private mutating func stack() {
    tops = Array(repeating: 0, count: nodes.count)
    for column in columns {
      var y = 0.0
      for (index, node) in column.enumerated() {
        if index > 0 {
          let isLane = nodes[node].height == 0 || nodes[column[index - 1]].height == 0
          y += isLane ? Space.lane : Space.box
        }
        tops[node] = y
        y += nodes[node].height
      }
      for node in column { tops[node] -= y / 2 }
    }
    let top = tops.min() ?? 0
    for node in tops.indices { tops[node] -= top }
  }

  // MARK: Geometry

  private var geometry: DiagramGeometry {
    let widths = columns.map { column in
      column.filter { $0 < graph.boxes.count }.map { graph.boxes[$0].width }.max() ?? 0
    }
    var loops = columns.map { _ in 0 }
    for edge in graph.edges where edge.source == edge.target {
      loops[nodes[edge.source].column] += 1
    }
    var starts: [Double] = []
    var x = 0.0
    for (column, width) in widths.enumerated() {
      starts.append(x)
      let passing = columns[column].reduce(4 * loops[column]) { $0 + nodes[$1].right.count }
      x += width + Space.column + min(Space.columnExtra, 3 * Double(passing))
    }
    let frames = graph.boxes.indices.map { box in
      let column = nodes[box].column
      return DiagramFrame(
        x: starts[column], y: tops[box], width: widths[column], height: graph.boxes[box].height)
    }
    let reaches = reaches
    let routes = graph.edges.enumerated().map { index, edge in
      let lanes = lanes[index].map { lane in
        let start = starts[nodes[lane].column]
        return (y: tops[lane], ends: [start, start + widths[nodes[lane].column]])
      }
      var route = route(edge, frames[edge.source], frames[edge.target], lanes)
      route.reach = reaches[index] ?? 0
      return route
    }
    let loopEnds = routes.filter(\.isLoop).map { ($0.points.first?.x ?? 0) + $0.reach }
    return DiagramGeometry(
      frames: frames, routes: routes, width: (frames.map(\.maxX) + loopEnds).max() ?? 0,
      height: max(frames.map(\.maxY).max() ?? 0, tops.max() ?? 0))
  }

  /// How far the edges to their own boxes reach. Each lies around the shorter ones, so that no two
  /// become one line.
  private var reaches: [Int: Double] {
    var reaches: [Int: Double] = [:]
    let loops = graph.edges.indices.filter { graph.edges[$0].source == graph.edges[$0].target }
    for loops in Dictionary(grouping: loops, by: { graph.edges[$0].source }).values {
      let step = min(Space.loopStep, Space.columnExtra / Double(loops.count))
      let lengths = loops.map { (abs(graph.edges[$0].exit - graph.entry(of: graph.edges[$0])), $0) }
      for (number, loop) in lengths.sorted(by: <).enumerated() {
        reaches[loop.1] = Space.loop + Double(number) * step
      }
    }
    return reaches
  }

  private func route(
    _ edge: DiagramGraph.Edge, _ source: DiagramFrame, _ target: DiagramFrame,
    _ lanes: [(y: Double, ends: [Double])]
  ) -> DiagramRoute {
    let (exit, entry) = (source.y + edge.exit, target.y + graph.entry(of: edge))
    if edge.source == edge.target {
      return DiagramRoute(
        points: [.init(x: source.maxX, y: exit), .init(x: source.maxX, y: entry)],
        arrivesLeftward: true)
    }
    let isLeftward = isLeftward(edge)
    var points = [DiagramPoint(x: isLeftward ? source.x : source.maxX, y: exit)]
    for lane in isLeftward ? lanes.reversed() : lanes {
      points += (isLeftward ? lane.ends.reversed() : lane.ends).map { .init(x: $0, y: lane.y) }
    }
    points.append(DiagramPoint(x: isLeftward ? target.maxX : target.x, y: entry))
    return DiagramRoute(points: points, arrivesLeftward: isLeftward)
  }
}

/// A place in a diagram, in pixels from its top left.
struct DiagramPoint: Hashable {
  var x: Double
  var y: Double
}

/// The place of a box.
struct DiagramFrame: Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  var maxX: Double { x + width }
  var maxY: Double { y + height }
}

/// The way of an edge.
struct DiagramRoute: Hashable {
  /// The ends of its pieces: a curve from the first to the second, a line to the third, a curve
  /// again, and so on. Curves begin and end horizontally.
  var points: [DiagramPoint]
  /// Whether it arrives from the right.
  var arrivesLeftward: Bool
  /// How far it reaches if it leads to the box that it comes from; 0 if not.
  var reach = 0.0

  var isLoop: Bool { reach > 0 }
}

/// Where boxes and edges are.
struct DiagramGeometry {
  /// In the order of the boxes.
  var frames: [DiagramFrame]
  /// In the order of the edges.
  var routes: [DiagramRoute]
  var width: Double
  var height: Double

  /// The distances between parts of a diagram, in pixels.
  enum Space {
    /// Between boxes in a column.
    static let box = 26.0
    /// Between a line that passes a column and what is above or below it.
    static let lane = 12.0
    /// Between columns.
    static let column = 68.0
    /// The most that many edges add to the space between columns.
    static let columnExtra = 64.0
    /// How far an edge to its own box reaches, and how much farther the next one does.
    static let loop = 30.0
    static let loopStep = 10.0
  }

  /// Moves everything.
  mutating func move(by x: Double, _ y: Double) {
    for index in frames.indices {
      frames[index].x += x
      frames[index].y += y
    }
    for index in routes.indices {
      for point in routes[index].points.indices {
        routes[index].points[point].x += x
        routes[index].points[point].y += y
      }
    }
  }
}
