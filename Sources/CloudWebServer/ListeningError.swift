import FlyingSocks
import Foundation

/// Why a server cannot listen.
public enum ListeningError: Error, Hashable, CustomStringConvertible {
  /// The host is not an IPv4 address; names are not looked up.
  case notAnAddress(String)
  /// The port cannot be opened: in use, only for privileged processes, or not of this machine.
  case cannotListen(host: String, port: UInt16, reason: String)

  init(_ error: any Error, host: String, port: UInt16) {
    let reason =
      if case SocketError.failed(_, let number, let message) = error {
        Self.reason(number) ?? message
      } else {
        "\(error)"
      }
    self = .cannotListen(host: host, port: port, reason: reason)
  }

  /// Returns what an error of the system means here; nil for unexpected ones.
  static func reason(_ number: Int32) -> String? {
    switch number {
    case EADDRINUSE: "the port is in use"
    case EACCES, EPERM: "the port is only for privileged processes"
    case EADDRNOTAVAIL: "the address is not one of this machine"
    default: nil
    }
  }

  /// The reason, with the host and the port.
  public var description: String {
    switch self {
    case .notAnAddress(let host): "'\(host)' is not an IPv4 address"
    case .cannotListen(let host, let port, let reason):
      "cannot listen on \(host), port \(port): \(reason)"
    }
  }
}
