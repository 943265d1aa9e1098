/// A container whose contents lie in a ``ContainerStore``: the store itself, or a server above it.
///
/// What reads and writes contents without judging them, as the archiver does, takes either.
public protocol StoredContainer: Sendable {
  /// The contents of the container.
  var store: ContainerStore { get }
}

extension ContainerStore: StoredContainer {
  /// The store itself.
  public var store: ContainerStore { self }
}
