import TestSupport
import Testing

@testable import RecordPages

@Suite struct DiagramLayoutTests {
  static let seeds = SeededGenerator.seeds(12)

  @Test(arguments: seeds) func boxesDoNotOverlapAndEverythingIsInside(seed: UInt64) {
    let graph = RandomDiagrams.graph(seed)
    let geometry = DiagramLayout.geometry(of: graph)
    let frames = geometry.frames
    for (index, frame) in frames.enumerated() {
      let others = frames[(index + 1)...].filter { frame.overlaps($0) }
      #expect(others.isEmpty, "\(frame)")
      #expect(frame.width >= graph.boxes[index].width)
      #expect(frame.height == graph.boxes[index].height)
    }
    let inside = frames.allSatisfy {
      $0.x >= 0 && $0.y >= 0 && $0.maxX <= geometry.width + 1e-6
        && $0.maxY <= geometry.height + 1e-6
    }
    #expect(inside)
    let points = geometry.routes.flatMap(\.points)
    let insidePoints = points.allSatisfy {
      $0.x >= 0 && $0.y >= 0 && $0.x <= geometry.width + 1e-6 && $0.y <= geometry.height + 1e-6
    }
    #expect(insidePoints)
  }

  @Test(arguments: seeds) func edgesLeadFromTheirFieldToTheirType(seed: UInt64) throws {
    let graph = RandomDiagrams.graph(seed)
    let geometry = DiagramLayout.geometry(of: graph)
    for (edge, route) in zip(graph.edges, geometry.routes) {
      let (source, target) = (geometry.frames[edge.source], geometry.frames[edge.target])
      let (start, end) = (try #require(route.points.first), try #require(route.points.last))
      #expect(abs(start.y - source.y - edge.exit) < 1e-6)
      #expect(abs(start.x - source.x) < 1e-6 || abs(start.x - source.maxX) < 1e-6)
      #expect(abs(end.y - target.y - graph.boxes[edge.target].entry) < 1e-6)
      #expect(abs(end.x - (route.arrivesLeftward ? target.maxX : target.x)) < 1e-6)
      #expect(route.isLoop == (edge.source == edge.target))
    }
  }

  @Test(arguments: seeds) func edgesPassNoBox(seed: UInt64) {
    let geometry = DiagramLayout.geometry(of: RandomDiagrams.graph(seed))
    for route in geometry.routes {
      let passed = geometry.frames.filter { frame in route.samples.contains(where: frame.contains) }
      #expect(passed.isEmpty)
    }
  }

  @Test(arguments: seeds) func theSameGraphHasTheSameGeometry(seed: UInt64) {
    let (a, b) = (RandomDiagrams.graph(seed), RandomDiagrams.graph(seed))
    let (first, second) = (DiagramLayout.geometry(of: a), DiagramLayout.geometry(of: b))
    #expect(first.frames == second.frames)
    #expect(first.routes == second.routes)
  }

  @Test func referencesLeadToTheRightUnlessTheyCloseACycle() {
    let boxes = (0..<3).map { _ in DiagramGraph.Box(width: 100, height: 50, entry: 16) }
    let edges = [(0, 1), (1, 2), (2, 0)].map {
      DiagramGraph.Edge(source: $0.0, exit: 40, target: $0.1)
    }
    let geometry = DiagramLayout.geometry(of: DiagramGraph(boxes: boxes, edges: edges))
    #expect(geometry.routes.map(\.arrivesLeftward) == [false, false, true])
    #expect(Set(geometry.frames.map(\.x)).count == 3)
  }

  @Test func edgesThatNeedNotCrossDoNot() {
    // Each on the left refers to the one opposite, but they are numbered the other way round.
    let boxes = (0..<8).map { _ in DiagramGraph.Box(width: 100, height: 50, entry: 16) }
    var edges = (0..<4).map { DiagramGraph.Edge(source: $0, exit: 40, target: 7 - $0) }
    // So that they are connected.
    edges += (0..<3).map { DiagramGraph.Edge(source: $0, exit: 45, target: 6 - $0) }
    let graph = DiagramGraph(boxes: boxes, edges: edges)
    let routes = DiagramLayout.geometry(of: graph).routes.map { ($0.points[0], $0.points[1]) }
    for (index, a) in routes.enumerated() {
      for b in routes[(index + 1)...] where a.0.y != b.0.y && a.1.y != b.1.y {
        #expect((a.0.y < b.0.y) == (a.1.y < b.1.y))
      }
    }
  }

  @Test func aTypeToWhichManyReferMakesNoColumnOfAll() {
    let boxes = (0...200).map { _ in DiagramGraph.Box(width: 170, height: 100, entry: 16) }
    let edges = (1...200).map { DiagramGraph.Edge(source: $0, exit: 50, target: 0) }
    let geometry = DiagramLayout.geometry(of: DiagramGraph(boxes: boxes, edges: edges))
    #expect(geometry.width / geometry.height > 0.8)
    #expect(geometry.width / geometry.height < 3)
  }

  @Test func longChainsNeedNoRecursionAndNoLimitlessLanes() {
    var graph = RandomDiagrams.chain(3000)
    #expect(DiagramLayout.geometry(of: graph).frames.count == 3000)
    // Each of the first half refers to one far away: lanes for all would be millions.
    graph.edges += (0..<1500).map { .init(source: $0, exit: 45, target: $0 + 1500) }
    let geometry = DiagramLayout.geometry(of: graph)
    let pieces = geometry.routes.reduce(0) { $0 + $1.points.count }
    #expect(pieces < 2 * graph.edges.count + 2 * 1500 * DiagramLayout.maxLanes / 1000)
  }

  @Test func nothingHasNoSize() {
    let geometry = DiagramLayout.geometry(of: DiagramGraph(boxes: [], edges: []))
    #expect(geometry.width == 0)
    #expect(geometry.height == 0)
  }
}
