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
  }

  var boxes: [Box]
  var edges: [Edge]

  /// The boxes and edges of each connected part, in the order of their first boxes.
  var parts: [(boxes: [Int], edges: [Int])] {
    // A disjoint-set forest, because recursion could overflow.
    var parents = Array(boxes.indices)
    func root(_ box: Int) -> Int {
      var box = box
      while parents[box] != box {
        parents[box] = parents[parents[box]]
        box = parents[box]
      }
      return box
    }
    for edge in edges {
      let (a, b) = (root(edge.source), root(edge.target))
      parents[max(a, b)] = min(a, b)
    }
    var parts: [(boxes: [Int], edges: [Int])] = []
    var places: [Int: Int] = [:]
    for box in boxes.indices {
      let place = places[root(box)] ?? parts.count
      if place == parts.count {
        places[root(box)] = place
        parts.append(([], []))
      }
      parts[place].boxes.append(box)
    }
    for (index, edge) in edges.enumerated() {
      if let place = places[root(edge.source)] { parts[place].edges.append(index) }
    }
    return parts
  }

  /// A graph of some of the boxes, numbered in their order, and of edges between them.
  func part(boxes chosen: [Int], edges chosenEdges: [Int]) -> DiagramGraph {
    let numbers = Dictionary(uniqueKeysWithValues: zip(chosen, chosen.indices))
    return DiagramGraph(
      boxes: chosen.map { boxes[$0] },
      edges: chosenEdges.compactMap { index in
        let edge = edges[index]
        guard let source = numbers[edge.source], let target = numbers[edge.target] else {
          return nil
        }
        return Edge(source: source, exit: edge.exit, target: target)
      })
  }
}
