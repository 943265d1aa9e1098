import FlyingSocks
import Foundation

/// An error of opening a port.
package enum ListeningError: LocalizedError, Hashable, CustomStringConvertible {
  /// The host is neither an IP address nor `localhost`; other names are not looked up.
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

  static let inUse = "the port is in use"

  /// Returns the reason for an error of the system; nil for unexpected ones.
  static func reason(_ number: Int32) -> String? {
    switch number {
    case EADDRINUSE: inUse
    case EACCES, EPERM: "the port is only for privileged processes"
    case EADDRNOTAVAIL: "the address is not one of this machine"
    default: nil
    }
  }

  /// The reason, with the host and the port.
  package var description: String {
    switch self {
    case .notAnAddress(let host): "'\(host)' is not an IP address"
    case .cannotListen(let host, let port, let reason):
      "cannot listen on \(host), port \(port): \(reason)"
    }
  }

  /// The same as ``description``.
  package var errorDescription: String? { description }

  /// A remedy for a port that cannot be opened.
  package var recoverySuggestion: String? {
    switch self {
    case .notAnAddress: "Use an IP address, such as 127.0.0.1 or ::1."
    case .cannotListen: "Use another port, or 0 for a free one."
    }
  }
}
