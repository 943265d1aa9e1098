import RecordText

/// The text of a progress bar, fitted to the width of the terminal.
struct ProgressLine {
  let verb: String
  var fraction: Double?
  var records = 0
  var bytes = 0
  /// The seconds since the start.
  var seconds = 0.0

  private static let barWidth = 24
  private static let narrowBarWidth = 8

  /// The text in at most so many columns. The least important parts are removed first, the
  /// percentage last.
  func text(columns: Int) -> String {
    var parts: [(rank: Int, text: String)] = [(0, verb)]
    if let fraction {
      parts.append((3, Self.bar(fraction, Self.barWidth)))
      parts.append((1, "\(Int(fraction * 100)) %"))
    }
    if records > 0 { parts.append((4, Numbers.count(records, "record"))) }
    if bytes > 0 {
      parts.append((5, Numbers.size(bytes)))
      parts.append((6, "\(Numbers.size(Int(Double(bytes) / max(seconds, 0.001))))/s"))
    }
    if let fraction, fraction > 0.01 {
      parts.append((2, "ETA \(Numbers.duration(seconds: seconds / fraction - seconds))"))
    }
    for rank in stride(from: 6, to: 1, by: -1) where Self.width(parts) > columns {
      guard let place = parts.firstIndex(where: { $0.rank == rank }) else { continue }
      if rank == 3, let fraction {
        parts[place].text = Self.bar(fraction, Self.narrowBarWidth)
        if Self.width(parts) <= columns { break }
      }
      parts.remove(at: place)
    }
    // Only the verb can still be truncated.
    let others = Self.width(parts) - verb.columns
    parts[0].text = String(verb.prefix(columns: max(0, columns - others)))
    return String(parts.map(\.text).joined(separator: "  ").prefix(columns: columns))
  }

  private static func width(_ parts: [(rank: Int, text: String)]) -> Int {
    parts.reduce(0) { $0 + $1.text.columns } + 2 * (parts.count - 1)
  }

  private static func bar(_ fraction: Double, _ width: Int) -> String {
    let filled = min(width, max(0, Int(fraction * Double(width))))
    return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
  }
}
