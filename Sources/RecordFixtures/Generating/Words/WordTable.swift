import RecordCoding

/// Words in memory that threads read without counting references; those of a language are never
/// freed.
///
/// The words need no escapes in JSON. A list never changes: the values that a seed gives depend on
/// it. New lists belong to a new version of generators.
struct WordTable: @unchecked Sendable {
  private let bytes: UnsafeMutablePointer<UInt8>
  private let starts: UnsafeMutablePointer<Int>
  let count: Int

  /// - Parameters:
  ///   - text: The words.
  ///   - separator: What is between them.
  init(_ text: String, separator: Character = " ") {
    let words = text.split { $0 == separator || $0 == "\n" }.map { Array($0.utf8) }
    count = words.count
    bytes = .allocate(capacity: words.reduce(16) { $0 + $1.count })
    starts = .allocate(capacity: words.count + 1)
    var end = 0
    for (index, word) in words.enumerated() {
      (starts + index).initialize(to: end)
      (bytes + end).initialize(from: word, count: word.count)
      end += word.count
    }
    (starts + words.count).initialize(to: end)
  }

  func deallocate() {
    bytes.deallocate()
    starts.deallocate()
  }

  /// The UTF-8 of a word.
  @inline(__always)
  subscript(index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: bytes + starts[index], count: starts[index + 1] &- starts[index])
  }
}

extension ByteBuffer {
  /// Appends a word with an ASCII capital.
  @inline(__always)
  func appendCapitalized(_ word: UnsafeRawBufferPointer) {
    let start = count
    append(word)
    let first = base.load(fromByteOffset: start, as: UInt8.self)
    if (0x61...0x7A).contains(first) {
      base.storeBytes(of: first & 0xDF, toByteOffset: start, as: UInt8.self)
    }
  }

  /// Appends the ASCII letters and digits of a word in lower case.
  func appendHandle(_ word: UnsafeRawBufferPointer) {
    for byte in word {
      switch byte {
      case 0x41...0x5A: append(byte | 0x20)
      case 0x61...0x7A, 0x30...0x39: append(byte)
      default: break
      }
    }
  }
}
