import RecordModel

extension Sequence where Element == ResultRecord {
  /// The records in the order of their last changes: tags are numbers in base 36.
  var inOrderOfChange: [ResultRecord] {
    sorted { a, b in
      let (first, second) = (a.recordChangeTag ?? "", b.recordChangeTag ?? "")
      if first.utf8.count != second.utf8.count { return first.utf8.count < second.utf8.count }
      return first == second ? a.recordID < b.recordID : first < second
    }
  }
}
