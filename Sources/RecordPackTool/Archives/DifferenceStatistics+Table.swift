import RecordText

extension DifferenceStatistics {
  var table: Table {
    var table = Table([.left, .left, .left, .right, .right, .right])
    table.add("DATABASE", "ZONE", "TYPE", "ADDED", "REMOVED", "CHANGED", color: .dim)
    for key in keys {
      let names = [
        Table.Cell(key.database.rawValue), .init("\(key.zoneID)"), .init(key.type.string, .cyan),
      ]
      table.add(names + Self.cells(counts[key] ?? Counts()))
    }
    for name in others.keys.sorted() {
      table.add([.init(name), .init(""), .init("")] + Self.cells(others[name] ?? Counts()))
    }
    return table
  }

  private static func cells(_ counts: Counts) -> [Table.Cell] {
    func cell(_ count: Int, _ color: TerminalStyle.Color) -> Table.Cell {
      count == 0 ? .init("0", .dim) : .init(Numbers.grouped(count), color)
    }
    return [cell(counts.added, .green), cell(counts.removed, .red), cell(counts.changed, .yellow)]
  }
}
