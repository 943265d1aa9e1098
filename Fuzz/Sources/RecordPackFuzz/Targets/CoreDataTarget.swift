import AppModel

/// The XML of Core Data models.
struct CoreDataTarget: FuzzTarget {
  func run(_ input: [UInt8]) throws {
    ModelChecks.check(
      CoreDataModel.read(input, file: "contents", named: "a"), size: input.count)
  }
}
