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
  /// Whether it leads to the box that it comes from.
  var isLoop = false
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
    /// How far an edge to its own box reaches.
    static let loop = 30.0
    /// Between parts that are not connected.
    static let part = 44.0
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
