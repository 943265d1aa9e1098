import RecordModel

/// A record is not deleted as long as it is the parent of others, unless the same request deletes
/// them, too.
///
/// Source: sqlite-data's `MockCloudDatabase`; MYCloudKit #7.
enum ChildrenRule {
  /// - Parameters:
  ///   - removed: the records that go with one deletion.
  ///   - all: the records that go with all deletions of the request.
  static func check(
    _ removed: [RecordID], among all: Set<RecordID>, _ request: ModifyRequest
  ) throws {
    for recordID in removed {
      let children = try request.referrers(to: recordID, as: .parent)
      guard let child = children.first(where: { !all.contains($0) }) else { continue }
      throw CloudError(
        .referenceViolation,
        "record '\(recordID)' is the parent of '\(child)', which the request does not delete")
    }
  }
}
