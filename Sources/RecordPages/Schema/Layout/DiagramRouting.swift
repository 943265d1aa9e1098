/// Finds the ways of edges: curves between columns, and lines through the lanes of columns, so that
/// no edge passes a box.
struct DiagramRouting {
  struct Column {
    var x: Double
    var width: Double
  }

  let graph: DiagramGraph
  let layered: LayeredGraph
  let tops: [Double]
  let frames: [DiagramFrame]
  let columns: [Column]

  func route(_ index: Int) -> DiagramRoute {
    let edge = graph.edges[index]
    let (source, target) = (frames[edge.source], frames[edge.target])
    let (exit, entry) = (source.y + edge.exit, target.y + graph.boxes[edge.target].entry)
    if edge.source == edge.target {
      return DiagramRoute(
        points: [.init(x: source.maxX, y: exit), .init(x: source.maxX, y: entry)],
        arrivesLeftward: true, isLoop: true)
    }
    let isLeftward = source.x > target.x
    let lanes = isLeftward ? layered.lanes[index].reversed() : layered.lanes[index]
    var points = [DiagramPoint(x: isLeftward ? source.x : source.maxX, y: exit)]
    for lane in lanes {
      let column = columns[layered.nodes[lane].layer]
      let ends = [column.x, column.x + column.width]
      points += (isLeftward ? ends.reversed() : ends).map { DiagramPoint(x: $0, y: tops[lane]) }
    }
    points.append(DiagramPoint(x: isLeftward ? target.maxX : target.x, y: entry))
    return DiagramRoute(points: points, arrivesLeftward: isLeftward)
  }
}
