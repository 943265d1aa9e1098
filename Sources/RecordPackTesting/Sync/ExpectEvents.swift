import CloudInterface
import MockSync

/// Expects an engine to have had events since the last such expectation, and shows what differs.
///
/// ```text
/// willSendChanges: scheduled, all zones
/// sentRecordZoneChanges: saved Notes:n1
/// didSendChanges: scheduled, all zones
/// ```
///
/// A test of XCTest fails, too.
///
/// - Parameters:
///   - engine: an engine of the testbed.
///   - testbed: the testbed.
///   - expected: a line for each event, as its `description`.
///   - stateUpdates: whether events `stateUpdate` count; otherwise they are left out.
///   - fileID: the file in which the failure is shown, with its module.
///   - filePath: the path of that file.
///   - line: the line at which the failure is shown.
///   - column: the column.
public func expectEvents(
  of engine: any SyncEngine, in testbed: SyncTestbed, _ expected: String,
  stateUpdates: Bool = false, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  let found = testbed.takeEvents(of: engine, stateUpdates: stateUpdates)
  let expected = expected.split(separator: "\n").map { line in
    String(line.drop { $0 == " " })
  }
  TestIssue(fileID, filePath, line, column).report {
    guard found != expected else { return }
    throw DifferenceError(
      "the events differ (- expected, + found):\n" + differenceText(from: expected, to: found))
  }
}

/// Returns all lines of both, each with its sign.
private func differenceText(from expected: [String], to found: [String]) -> String {
  let difference = found.difference(from: expected)
  var removed: [Int: String] = [:]
  var inserted: [Int: String] = [:]
  for change in difference {
    switch change {
    case .remove(let offset, let line, _): removed[offset] = line
    case .insert(let offset, let line, _): inserted[offset] = line
    }
  }
  var lines: [String] = []
  var (old, new) = (0, 0)
  while old < expected.count || new < found.count {
    if let line = removed[old] {
      lines.append("- \(line)")
      old += 1
    } else if let line = inserted[new] {
      lines.append("+ \(line)")
      new += 1
    } else {
      lines.append("  \(found[new])")
      (old, new) = (old + 1, new + 1)
    }
  }
  return lines.joined(separator: "\n")
}
