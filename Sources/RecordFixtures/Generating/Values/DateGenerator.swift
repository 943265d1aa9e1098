import RecordCoding

/// Dates, in whole milliseconds.
final class DateGenerator: FieldGenerator {
  enum Form {
    case range(ClosedRange<Int>)
    case created(ClosedRange<Int>)
    case modified
  }

  private let form: Form
  private let hasEdges: Bool
  private let shuffle: Shuffle?

  init(_ form: Form, hasEdges: Bool, unique: Shuffle?) {
    self.form = form
    self.hasEdges = hasEdges
    shuffle = unique
  }

  override func append(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    let date =
      switch form {
      case .range(let range):
        shuffle.map { range.lowerBound &+ $0.place(of: context.number) }
          ?? context.random.number(in: range)
      case .created(let range): context.spot.created &+ context.random.number(in: range)
      case .modified: context.modified
      }
    buffer.appendInteger(Int64(date))
    return true
  }

  /// Foundation's distant past and future, the first and the last second of other clocks, a leap
  /// day, and fractions of a millisecond, in canonical JSON.
  private static let edges: [StaticString] = [
    "-62135769600000", "64092211200000", "0", "-1000", "2147483648000", "-2208988800000",
    "253402300799999", "951782400000", "978307200000", "1533040623320.5", "1735689599999",
  ]

  override func appendEdge(_ context: RecordContext, to buffer: ByteBuffer) -> Bool {
    guard hasEdges, shuffle == nil else { return false }
    buffer.append(Self.edges[context.random.below(Self.edges.count)])
    return true
  }
}
