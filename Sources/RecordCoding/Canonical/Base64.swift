import struct Foundation.Data

/// Base64 with the standard alphabet and padding (RFC 4648, section 4).
///
/// Decoding accepts canonical text only: its length is a multiple of four, it has only digits of
/// the alphabet, and padding only at the end. Its unused bits are zeros, which Foundation does not
/// check.
package enum Base64 {
  /// Appends the base64 text of bytes, without quotes.
  package static func append(_ bytes: UnsafeRawBufferPointer, to buffer: ByteBuffer) {
    Data(bytes).base64EncodedData().withUnsafeBytes { buffer.append($0) }
  }

  /// Whether text is canonical.
  package static func isCanonical(_ text: UnsafeRawBufferPointer) -> Bool {
    guard text.count % 4 == 0 else { return false }
    let padding = text.suffix(2).reduce(0) { $1 == 0x3D ? $0 + 1 : 0 }
    return values.withUnsafeBufferPointer { values in
      var last: UInt8 = 0
      var seen: UInt8 = 0
      for index in 0..<text.count - padding {
        last = values[Int(text[index])]
        seen |= last
      }
      return seen < 64 && last & (padding == 0 ? 0 : padding == 1 ? 3 : 15) == 0
    }
  }

  /// The value of each digit; 255 for a byte that is not a digit. A table, because the branches of a
  /// comparison cannot be predicted.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
    return values
  }()

  /// Returns the bytes that text encodes; nil if it is not canonical.
  package static func data(from text: String) -> Data? {
    var text = text
    return text.withUTF8 { data(from: UnsafeRawBufferPointer($0)) }
  }

  /// Returns the bytes that text encodes; nil if it is not canonical.
  package static func data(from text: UnsafeRawBufferPointer) -> Data? {
    guard text.count % 4 == 0, isCanonical(UnsafeRawBufferPointer(rebasing: text.suffix(4))) else {
      return nil
    }
    return Data(base64Encoded: Data(text))
  }
}
