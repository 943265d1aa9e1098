import AppModel

/// SQL that creates tables.
struct SQLTarget: FuzzTarget {
  func run(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    ModelChecks.check(SQLiteDataModel.read(text, file: "a.sql", named: "a"), size: input.count)
  }
}
