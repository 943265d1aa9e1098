/// Lays out a graph: connected boxes in columns, parts that are not connected in rows.
///
/// Uses no clock, no hash order and no font, so that the same graph always gets the same geometry.
enum DiagramLayout {
  /// How much wider than high a diagram should be.
  private static let aspect = 1.5

  static func geometry(of graph: DiagramGraph) -> DiagramGeometry {
    var (single, connected): ([Int], [(boxes: [Int], edges: [Int])]) = ([], [])
    for part in graph.parts {
      if part.boxes.count == 1, part.edges.isEmpty {
        single.append(part.boxes[0])
      } else {
        connected.append(part)
      }
    }
    let placed = connected.map { part in
      (part, geometry(ofConnected: graph.part(boxes: part.boxes, edges: part.edges)))
    }
    let space = DiagramGeometry.Space.self
    let area =
      placed.reduce(0) { $0 + ($1.1.width + space.part) * ($1.1.height + space.part) }
      + single.reduce(0) {
        $0 + (graph.boxes[$1].width + space.part) * (graph.boxes[$1].height + space.box)
      }
    let width = max((area * aspect).squareRoot(), placed.map(\.1.width).max() ?? 0)
    var packing = DiagramPacking(graph, width: width)
    packing.add(placed.map { (boxes: $0.0.boxes, edges: $0.0.edges, geometry: $0.1) })
    packing.add(single: single)
    return packing.geometry
  }

  /// Lays out a graph of boxes that are all connected.
  static func geometry(ofConnected graph: DiagramGraph) -> DiagramGeometry {
    let space = DiagramGeometry.Space.self
    let area = graph.boxes.reduce(0) {
      $0 + ($1.width + space.column) * ($1.height + space.box)
    }
    let tallest = graph.boxes.map(\.height).max() ?? 0
    let maxHeight = max(640, tallest, 1.2 * (area / aspect).squareRoot())
    let assignment = LayerAssignment(graph, maxHeight: maxHeight)
    let layered = LayeredGraph(graph, layers: assignment.layers)
    let layers = LayerOrder(layered).layers
    let tops = LayerPlacement(layered, layers: layers).tops
    let columns = columns(of: layered, graph, layers: assignment.layers)
    var geometry = DiagramGeometry(
      frames: graph.boxes.indices.map { box in
        let column = columns[assignment.layers[box]]
        return DiagramFrame(
          x: column.x, y: tops[box], width: column.width, height: graph.boxes[box].height)
      }, routes: [], width: 0, height: 0)
    let routing = DiagramRouting(
      graph: graph, layered: layered, tops: tops, frames: geometry.frames, columns: columns)
    geometry.routes = graph.edges.indices.map(routing.route)
    let last = columns.last.map { $0.x + $0.width } ?? 0
    let points = geometry.routes.lazy.flatMap { route in
      route.points.map { $0.x + (route.isLoop ? space.loop : 0) }
    }
    geometry.width = max(last, points.max() ?? 0)
    geometry.height = max(geometry.frames.map(\.maxY).max() ?? 0, tops.max() ?? 0)
    return geometry
  }

  /// The left edge and the width of each layer.
  private static func columns(
    of layered: LayeredGraph, _ graph: DiagramGraph, layers: [Int]
  ) -> [DiagramRouting.Column] {
    let space = DiagramGeometry.Space.self
    var widths = Array(repeating: 0.0, count: layered.layers.count)
    for (box, layer) in layers.enumerated() {
      widths[layer] = max(widths[layer], graph.boxes[box].width)
    }
    var passing = Array(repeating: 0, count: widths.count)
    for piece in layered.pieces { passing[layered.nodes[piece.from].layer] += 1 }
    for edge in graph.edges where edge.source == edge.target { passing[layers[edge.source]] += 4 }
    var x = 0.0
    return zip(widths, passing).map { width, passing in
      defer { x += width + space.column + min(space.columnExtra, 3 * Double(passing)) }
      return DiagramRouting.Column(x: x, width: width)
    }
  }
}
