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
    progress: (VerificationReport) throws -> Void = { _ in },
    _ report: (VerificationIssue) throws -> Void
  ) throws -> VerificationReport {
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

/// A problem found in a container.
public struct VerificationIssue: Sendable, Hashable {
  /// The item with the problem: `record 'x' of the zone 'Notes' in the private database`.
  public var place: String
  /// The value that was found, and the value that was expected.
  public var problem: String
  /// Whether the item is a zone whose name, owner and records can be read.
  package var keepsIdentity = false

  package init(place: String, problem: String) { (self.place, self.problem) = (place, problem) }
}

extension VerificationIssue: CustomStringConvertible {
  /// The place and the problem in one sentence.
  public var description: String { "\(place): \(problem)" }
}

/// The progress and the result of checking a container.
public struct VerificationReport: Sendable, Hashable {
  /// The number of records that were read.
  public internal(set) var records = 0
  /// The number of assets whose content was read.
  public internal(set) var assets = 0
  /// The size of the records and assets that were read, in bytes.
  public internal(set) var bytes: Int64 = 0
  /// The number of problems that were found.
  public package(set) var faults = 0
  /// Whether SQLite's own check found a problem: the container cannot be repaired in place.
  package var hasDamagedPages = false

  /// Whether no problem was found.
  public var isIntact: Bool { faults == 0 }
}
