import RecordModel

/// The fields that a table of records shows if nobody has chosen any.
package enum CommonFields {
  /// Returns the names of the fields that more than half of the records have: first what people
  /// read, then what refers to other records or files, then lists.
  package static func names(in records: some Collection<ResultRecord>) -> [String] {
    var found: [Field] = []
    var counts: [ExactString: Int] = [:]
    for field in records.lazy.flatMap(\.fields) {
      let name = ExactString(field.name)
      if counts[name] == nil { found.append(field) }
      counts[name, default: 0] += 1
    }
    let common = found.filter { 2 * counts[ExactString($0.name), default: 0] > records.count }
    return (0...2).flatMap { rank in
      common.filter { $0.value.columnRank == rank }.map(\.name)
    }
  }
}
