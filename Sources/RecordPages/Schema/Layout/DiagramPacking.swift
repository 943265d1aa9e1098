/// Places the parts of a diagram that are not connected: each on the first shelf with room, and
/// below them single boxes in columns of the same width.
struct DiagramPacking {
  typealias Part = (boxes: [Int], edges: [Int], geometry: DiagramGeometry)

  private(set) var geometry: DiagramGeometry
  private let graph: DiagramGraph
  private let width: Double

  init(_ graph: DiagramGraph, width: Double) {
    self.graph = graph
    self.width = width
    let frame = DiagramFrame(x: 0, y: 0, width: 0, height: 0)
    let route = DiagramRoute(points: [], arrivesLeftward: false)
    geometry = DiagramGeometry(
      frames: Array(repeating: frame, count: graph.boxes.count),
      routes: Array(repeating: route, count: graph.edges.count), width: 0, height: 0)
  }

  mutating func add(_ parts: [Part]) {
    let order = parts.indices.sorted {
      let (a, b) = (parts[$0].geometry, parts[$1].geometry)
      return a.height != b.height ? a.height > b.height : $0 < $1
    }
    var shelves: [(y: Double, height: Double, x: Double)] = []
    for part in order.map({ parts[$0] }) {
      let size = part.geometry
      let shelf = shelves.firstIndex { $0.x + size.width <= width } ?? shelves.count
      if shelf == shelves.count {
        let y = shelves.last.map { $0.y + $0.height + DiagramGeometry.Space.part } ?? 0
        shelves.append((y, size.height, 0))
      }
      put(part, x: shelves[shelf].x, y: shelves[shelf].y)
      shelves[shelf].x += size.width + DiagramGeometry.Space.part
    }
  }

  private mutating func put(_ part: Part, x: Double, y: Double) {
    var placed = part.geometry
    placed.move(by: x, y)
    for (box, frame) in zip(part.boxes, placed.frames) { geometry.frames[box] = frame }
    for (edge, route) in zip(part.edges, placed.routes) { geometry.routes[edge] = route }
    geometry.width = max(geometry.width, x + placed.width)
    geometry.height = max(geometry.height, y + placed.height)
  }

  /// Adds boxes without edges, in their order, each to the column that is the shortest.
  mutating func add(single boxes: [Int]) {
    guard !boxes.isEmpty else { return }
    let space = DiagramGeometry.Space.self
    let boxWidth = boxes.map { graph.boxes[$0].width }.max() ?? 0
    let step = boxWidth + space.box
    let count = max(1, min(boxes.count, Int((width + space.box) / step)))
    let top = geometry.height > 0 ? geometry.height + space.part : 0
    var columns = Array(repeating: top, count: count)
    for box in boxes {
      var column = 0
      for other in columns.indices where columns[other] < columns[column] { column = other }
      let frame = DiagramFrame(
        x: Double(column) * step, y: columns[column], width: boxWidth,
        height: graph.boxes[box].height)
      geometry.frames[box] = frame
      columns[column] += frame.height + space.box
      geometry.width = max(geometry.width, frame.maxX)
      geometry.height = max(geometry.height, frame.maxY)
    }
  }
}
