import AppModel
import RecordSchema

/// Swift code: its uses of records, and its models of SwiftData and SQLiteData.
struct SwiftTarget: FuzzTarget {
  func run(_ input: [UInt8]) throws {
    let scan = SourceScan(files: [("a.swift", input)], named: "a")
    for use in scan.uses.uses {
      require(use.location.span.endOffset <= input.count, "a use is outside of the file")
    }
    var sources = SwiftModelSources()
    sources.add("a.swift", input)
    for model in [sources.swiftData(named: "a"), sources.sqliteData(named: "a")] {
      ModelChecks.check(model, size: input.count)
    }
  }
}
