import RecordModel

extension MockContainer {
  /// Reads the container to the last byte, and checks that everything in it fits together: the pages
  /// of the database, every record, zone, tombstone and subscription, the counts, and the bytes of
  /// every asset that a record refers to.
  ///
  /// The container is read as it is when the call begins. Memory does not grow with the number of
  /// records or the size of assets.
  ///
  /// - Parameters:
  ///   - progress: is told what has been read, now and then; what it throws ends the check.
  ///   - report: is called with each fault; what it throws ends the check.
  /// - Returns: what was read and how many faults were found.
  /// - Throws: ``MockContainerError`` where the container cannot be read on.
  public func verify(
    progress: (ContainerCheck) throws -> Void = { _ in },
    _ report: (ContainerFault) throws -> Void
  ) throws -> ContainerCheck {
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
