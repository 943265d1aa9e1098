/// A problem found in a container.
public struct ContainerFault: Sendable, Hashable {
  /// The item with the problem: `record 'x' of the zone 'Notes' in the private database`.
  public var place: String
  /// What was found, and what was expected.
  public var problem: String
}

extension ContainerFault: CustomStringConvertible {
  /// The place and the problem in one sentence.
  public var description: String { "\(place): \(problem)" }
}

/// The progress and the result of checking a container.
public struct ContainerReport: Sendable, Hashable {
  /// The number of records that were read.
  public internal(set) var records = 0
  /// The number of assets whose content was read.
  public internal(set) var assets = 0
  /// The size of the records and assets that were read, in bytes.
  public internal(set) var bytes: Int64 = 0
  /// The number of problems that were found.
  public internal(set) var faults = 0

  /// Whether no problem was found.
  public var isIntact: Bool { faults == 0 }
}
