/// What a server takes from its clients.
public struct WebServerLimits: Sendable {
  /// The maximum number of connections at a time; others are closed at once.
  public var connections = 256
  /// The maximum size of all bodies that are being received, in bytes: 256 MiB.
  public var bodies = 256 << 20
  /// How long a connection may be without a complete request.
  public var idleTime = Duration.seconds(15)
  /// How long a client may take to send a body, or to receive a response.
  public var transferTime = Duration.seconds(60)

  /// Creates the limits of a server for tests.
  public init() {}
}
