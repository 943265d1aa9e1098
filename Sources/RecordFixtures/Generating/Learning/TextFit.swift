import Foundation
import RecordCoding
import RecordModel

/// Whether text is about what a rule makes: of its form, and about as long.
enum TextFit {
  static func isLike(_ rule: ValueRule, _ text: String) -> Bool {
    switch rule {
    case .known(let kind): isLike(kind, text)
    case .choice: text.unicodeScalars.count <= 20 && !text.contains(" ")
    case .pattern(let pattern):
      text.utf8.count <= pattern.utf8.count + 4 && Double(text) != nil
    // JSON of any length becomes the shortest.
    case .constant(.string("{}")): text.hasPrefix("{") || text.hasPrefix("[")
    case .constant(let value): value == .string(text)
    default: true
    }
  }

  private static func isLike(_ kind: TextKind, _ text: String) -> Bool {
    let count = text.unicodeScalars.count
    func are(_ members: String, _ counts: ClosedRange<Int>) -> Bool {
      counts.contains(count) && text.unicodeScalars.allSatisfy(members.unicodeScalars.contains)
    }
    let digits = "0123456789"
    let hexadecimal = digits + "abcdefABCDEF"
    switch kind {
    case .name, .company, .country: return (2...40).contains(count)
    case .givenName, .familyName, .city: return (1...30).contains(count)
    case .street: return (3...40).contains(count)
    case .username: return (1...25).contains(count) && !text.contains(" ")
    case .email: return (6...50).contains(count) && text.contains("@")
    case .phone: return are(digits + "+-()/. ", 5...20)
    case .url: return (8...60).contains(count) && text.contains("://")
    case .postcode: return (3...10).contains(count)
    case .emoji: return (1...12).contains(count) && !text.utf8.contains { $0 < 0x80 && $0 > 0x39 }
    case .color: return text.hasPrefix("#") && (4...9).contains(count)
    case .uuid: return are(hexadecimal + "-", 32...36)
    case .hex: return are(hexadecimal, 60...68)
    case .language: return (2...8).contains(count) && !text.contains(" ")
    case .currency: return count == 3
    case .filename: return (3...30).contains(count) && text.contains(".")
    case .mimeType: return (3...30).contains(count) && text.contains("/")
    case .isoDate: return ISODate.date(from: text) != nil
    case .version: return are(digits + ".", 1...10)
    }
  }
}
