import RecordModel

/// The first records of a query's order, up to a number, of those that are added in any order.
struct PageHeap {
  private struct Item {
    var position: QueryPosition
    var row: Int64
  }

  private let match: QueryMatch
  private let limit: Int
  /// The items in order.
  private var items: [Item] = []

  init(_ match: QueryMatch, limit: Int) {
    self.match = match
    self.limit = limit
  }

  /// Adds a record; one that was added before is ignored.
  mutating func add(_ position: QueryPosition, _ row: Int64) {
    if items.count == limit, let last = items.last, !match.precedes(position, last.position) {
      return
    }
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if match.precedes(items[middle].position, position) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    if low < items.count, items[low].row == row { return }
    items.insert(Item(position: position, row: row), at: low)
    if items.count > limit { items.removeLast() }
  }

  /// The places and rows, in order.
  var rows: [(position: QueryPosition, row: Int64)] { items.map { ($0.position, $0.row) } }
}
