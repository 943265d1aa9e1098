/// Something in a container that is not as it should be.
public struct ContainerFault: Sendable, Hashable {
  /// What it is about: `record 'x' of the zone 'Notes' in the private database`.
  public var place: String
  /// What was found there, and what was expected.
  public var problem: String
}

extension ContainerFault: CustomStringConvertible {
  /// Place and problem in one sentence.
  public var description: String { "\(place): \(problem)" }
}

/// What a check of a container has read.
public struct ContainerCheck: Sendable, Hashable {
  /// The number of records.
  public internal(set) var records = 0
  /// The number of assets whose content was read.
  public internal(set) var assets = 0
  /// Bytes of records and assets that were read.
  public internal(set) var bytes: Int64 = 0
  /// The number of faults that were found.
  public internal(set) var faults = 0

  /// Whether nothing was found.
  public var isIntact: Bool { faults == 0 }
}
