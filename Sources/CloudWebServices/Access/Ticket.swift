import Foundation
import RecordPlatform

/// A permission that the handler gives out as a token.
enum Ticket: Codable, Hashable, Sendable {
  /// Requests of a user; the number makes each token another one.
  case user(String, of: ContainerAddress, number: UInt64)
  /// One upload, until a time in seconds since 1970.
  case upload(to: ContainerAddress, until: Int64, id: UUID)
  /// A content as the value of a field.
  case receipt(of: ContainerAddress, sha256: String, size: Int64)
  /// The download of a content. Whoever has the address can read it, as on the server.
  case download(from: ContainerAddress, sha256: String)
  /// The notifications of a user's device.
  case device(String, user: String, of: ContainerAddress)
  /// The sign-in page, for a page of an origin; empty for none.
  case signIn(to: ContainerAddress, origin: String)
}

/// Makes tokens of tickets, and reads them. Only this handler can make them.
struct TicketSigner: Sendable {
  private let key = Data((0..<32).map { _ in UInt8.random(in: .min ... .max) })

  /// Returns a token of letters, digits, `-`, `_` and `.`, which is the same for the same ticket:
  /// clients store downloads by address.
  func token(_ ticket: Ticket) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = try encoder.encode(ticket).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    return text + "." + signature(text)
  }

  /// Returns the ticket of a token; nil for a token that this signer did not make.
  func ticket(of token: String) -> Ticket? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, token.utf8.count < 10_000 else { return nil }
    let expected = Array(signature(String(parts[0])).utf8)
    let found = Array(parts[1].utf8)
    // The time of the comparison does not depend on the first difference.
    guard expected.count == found.count,
      zip(expected, found).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0
    else { return nil }
    var text = parts[0].replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    return Data(base64Encoded: String(text)).flatMap {
      try? JSONDecoder().decode(Ticket.self, from: $0)
    }
  }

  private func signature(_ text: String) -> String {
    Data(text.utf8).withUnsafeBytes { message in
      key.withUnsafeBytes { "\(HMACSHA256(key: $0).authenticate(message))" }
    }
  }
}
