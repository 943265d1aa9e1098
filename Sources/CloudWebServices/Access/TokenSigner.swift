import Foundation
import RecordCoding
import RecordPlatform

/// Makes tokens that hold some words, and that only this handler can make.
struct TokenSigner: Sendable {
  /// What a token is for; a token for one purpose is not one for another.
  enum Purpose: String {
    case user, upload, receipt, download, device, signIn
  }

  private let key: Data

  /// Creates a signer with a random key.
  init() {
    var numbers = SystemRandomNumberGenerator()
    key = Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &numbers) })
  }

  /// Returns a token of letters, digits, `-`, `_` and `.`.
  func token(_ purpose: Purpose, _ words: [String]) -> String {
    let content = Data(JSONValue.array(words.map(JSONValue.string)).compactData)
    let text = content.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
    return text + "." + signature(purpose, text)
  }

  /// Returns the words of a token; nil for one that this signer did not make for the purpose.
  func words(_ purpose: Purpose, of token: String) -> [String]? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, token.utf8.count < 10_000 else { return nil }
    let expected = Array(signature(purpose, String(parts[0])).utf8)
    let found = Array(parts[1].utf8)
    guard expected.count == found.count,
      zip(expected, found).reduce(0, { $0 | ($1.0 ^ $1.1) }) == 0
    else { return nil }
    var text = parts[0].replacing("-", with: "+").replacing("_", with: "/")
    text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    guard let content = Data(base64Encoded: String(text)) else { return nil }
    return try? content.withUnsafeBytes { try JSONParser.parse($0) }
      .expectElements { try String(json: $0) }
  }

  private func signature(_ purpose: Purpose, _ text: String) -> String {
    let message = Data("\(purpose.rawValue).\(text)".utf8)
    return message.withUnsafeBytes { message in
      key.withUnsafeBytes { "\(SHA256.authenticate(message, key: $0))" }
    }
  }
}
