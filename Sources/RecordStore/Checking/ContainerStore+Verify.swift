import RecordModel

extension ContainerStore {
  /// Reads the whole container and checks its consistency: the pages of the database, every record,
  /// zone, tombstone and subscription, the counts, and the bytes of every asset that a record
  /// refers to.
  ///
  /// The container is checked in its state at the beginning of the call. Memory does not grow with
  /// the number of records or the size of assets.
  ///
  /// - Parameters:
  ///   - progress: called repeatedly with what has been read; may throw to end the check.
  ///   - report: called with each problem; may throw to end the check.
  /// - Returns: what was read, and the number of problems.
  /// - Throws: ``ContainerStoreError`` if the container cannot be read any further.
  public func verify(
    progress: (ContainerReport) throws -> Void = { _ in },
    _ report: (ContainerFault) throws -> Void
  ) throws -> ContainerReport {
    try snapshot { snapshot in
      try withoutActuallyEscaping(progress) { progress in
        try withoutActuallyEscaping(report) { report in
          let checker = ContainerChecker(snapshot, progress: progress, report: report)
          try checker.run()
          return checker.check
        }
      }
    }
  }
}
