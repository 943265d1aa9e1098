/// The path of an edge in SVG.
///
/// Drawn from its end, so that the dashes of edges that share a lane lie on each other.
struct DiagramPath {
  /// The line, from a dot at the field to the tip.
  let line: String
  /// The dot, and one arrowhead, or two for a list.
  let tip: String

  private static let radius = 2.5
  private static let length = 9.0

  init(_ route: DiagramRoute, isList: Bool) {
    guard var start = route.points.first, var end = route.points.last, route.points.count > 1 else {
      (line, tip) = ("", "")
      return
    }
    let leaves = route.isLoop || !route.arrivesLeftward ? 1.0 : -1
    let arrives = route.arrivesLeftward ? 1.0 : -1
    let head =
      Self.head(end, toward: arrives)
      + (isList ? Self.head(.init(x: end.x + arrives * 7, y: end.y), toward: arrives) : "")
    start.x += leaves * (Self.radius + 0.5)
    tip = Self.dot(start) + head
    end.x += arrives * (Self.length + (isList ? 7 : 0))
    var points = route.points
    points[0] = start
    points[points.count - 1] = end
    line = route.isLoop ? Self.loop(end, start) : Self.curves(points.reversed())
  }

  private static func dot(_ center: DiagramPoint) -> String {
    let r = radius.svg
    return "M\((center.x - radius).svg) \(center.y.svg)a\(r) \(r) 0 1 0 \((2 * radius).svg) 0"
      + "a\(r) \(r) 0 1 0 -\((2 * radius).svg) 0Z"
  }

  /// - Parameter direction: 1 if it comes from the right, -1 from the left.
  private static func head(_ end: DiagramPoint, toward direction: Double) -> String {
    let x = (direction * (length - 1)).svg
    return "M\((end.x + direction).svg) \(end.y.svg)l\(x) -4.5v9Z"
  }

  private static func loop(_ start: DiagramPoint, _ end: DiagramPoint) -> String {
    let x = (max(start.x, end.x) + DiagramGeometry.Space.loop * 1.2).svg
    return "M\(start.x.svg) \(start.y.svg)C\(x) \(start.y.svg) \(x) \(end.y.svg) "
      + "\(end.x.svg) \(end.y.svg)"
  }

  private static func curves(_ points: [DiagramPoint]) -> String {
    var text = "M\(points[0].x.svg) \(points[0].y.svg)"
    for index in points.indices.dropFirst() {
      let (a, b) = (points[index - 1], points[index])
      if index % 2 == 0 || a.y == b.y {
        text += "L\(b.x.svg) \(b.y.svg)"
      } else {
        let middle = ((a.x + b.x) / 2).svg
        text += "C\(middle) \(a.y.svg) \(middle) \(b.y.svg) \(b.x.svg) \(b.y.svg)"
      }
    }
    return text
  }
}

extension Double {
  /// The number with at most one decimal.
  var svg: String {
    guard isFinite, magnitude < 1e9 else { return "0" }
    let tenths = Int((self * 10).rounded())
    let whole = "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10)"
    return tenths % 10 == 0 ? whole : "\(whole).\(tenths.magnitude % 10)"
  }
}

extension HTML.Interpolation {
  /// Appends text that is also text in XML, which lacks two characters that HTML has.
  mutating func appendInterpolation(text: String) {
    let allowed =
      text.unicodeScalars.contains { $0.value & 0xFFFF >= 0xFFFE }
      ? String(
        String.UnicodeScalarView(
          text.unicodeScalars.map { $0.value & 0xFFFF >= 0xFFFE ? "\u{FFFD}" : $0 }))
      : text
    appendInterpolation(allowed)
  }
}
