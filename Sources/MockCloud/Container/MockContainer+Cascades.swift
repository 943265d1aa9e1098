import RecordModel
import RecordStore

extension MockContainer {
  /// Does now what the server does some time after a request: deletes the records that refer with
  /// `deleteSelf` to deleted records of a default zone (``ServerRules/defaultZoneCascade``).
  ///
  /// A record that has children, or whose target was saved again, stays. What is still to be done
  /// is lost when the container is closed.
  ///
  /// - Returns: the records that were deleted.
  @discardableResult
  public func finishDeferredDeletions() async throws -> [RecordID] {
    try await perform { [self] in
      let cascades = takeCascades()
      guard !cascades.isEmpty else { return [] }
      do {
        return try cascades.sorted { $0.key < $1.key }.flatMap { database, targets in
          try changing(in: database) { transaction, notifier in
            let request = ModifyRequest(transaction, rules: rules)
            return try request.cascade(from: targets, notifier)
          }
        }
      } catch {
        for (database, targets) in cascades { addCascades(targets, in: database) }
        throw error
      }
    }
  }
}
