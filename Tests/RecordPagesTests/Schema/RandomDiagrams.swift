import TestSupport

@testable import RecordPages

/// Graphs of boxes that are the same for the same seed.
enum RandomDiagrams {
  static func graph(_ seed: UInt64) -> DiagramGraph {
    var random = SeededGenerator(seed)
    let count = 1 + random.below(40)
    let boxes = (0..<count).map { _ in
      DiagramGraph.Box(
        width: Double(120 + random.below(200)), height: Double(40 + random.below(300)), entry: 16)
    }
    let edges = (0..<random.below(2 * count)).map { _ in
      let source = random.below(count)
      return DiagramGraph.Edge(
        source: source, exit: Double(random.below(Int(boxes[source].height))),
        target: random.chance(8) ? source : random.below(count))
    }
    return DiagramGraph(boxes: boxes, edges: edges)
  }

  /// Boxes that each refer to the next.
  static func chain(_ count: Int) -> DiagramGraph {
    DiagramGraph(
      boxes: (0..<count).map { _ in .init(width: 170, height: 60, entry: 16) },
      edges: (0..<(count - 1)).map { .init(source: $0, exit: 45, target: $0 + 1) })
  }
}

extension DiagramFrame {
  /// Whether a point is inside, and not only at the border.
  func contains(_ point: DiagramPoint) -> Bool {
    point.x > x + 0.01 && point.x < maxX - 0.01 && point.y > y + 0.01 && point.y < maxY - 0.01
  }

  func overlaps(_ other: DiagramFrame) -> Bool {
    x < other.maxX && other.x < maxX && y < other.maxY && other.y < maxY
  }
}

extension DiagramRoute {
  /// Points of the way, close to each other.
  var samples: [DiagramPoint] {
    var samples: [DiagramPoint] = []
    for index in points.indices.dropFirst() {
      let (a, b) = (points[index - 1], points[index])
      for step in 0...24 {
        let t = Double(step) / 24
        // The curve's control points are in the middle between its ends.
        let x = index % 2 == 1 ? a.x + (b.x - a.x) * (1.5 * t * (1 - t) + t * t * t) : nil
        samples.append(
          DiagramPoint(
            x: x ?? a.x + (b.x - a.x) * t,
            y: a.y + (b.y - a.y) * (index % 2 == 1 ? t * t * (3 - 2 * t) : t)))
      }
    }
    return samples
  }
}
