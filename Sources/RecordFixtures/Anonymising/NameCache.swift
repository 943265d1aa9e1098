import RecordCoding
import RecordModel

/// The last names and their pseudonyms: the same users, devices and parents occur in many records.
final class NameCache {
  private static let count = 1024
  /// The size of an entry: two lengths, a name, and at half its size the pseudonym.
  private static let size = 128
  private static let maxLength = size / 2 - 2

  private let memory = UnsafeMutableRawPointer.allocate(byteCount: count * size, alignment: 8)

  init() { memory.initializeMemory(as: UInt8.self, repeating: 0, count: Self.count * Self.size) }

  deinit { memory.deallocate() }

  /// Appends the pseudonym of a name.
  ///
  /// - Parameter pseudonym: Returns that of a name that is not in here.
  func append(
    _ name: UnsafeRawBufferPointer, to buffer: ByteBuffer, _ pseudonym: (String) -> String
  ) {
    guard 1...Self.maxLength ~= name.count else {
      return buffer.append(text: pseudonym(String(decoding: name, as: UTF8.self)))
    }
    let entry = memory + Self.place(of: name) * Self.size
    let known = UnsafeRawBufferPointer(
      start: entry + 2, count: Int(entry.load(as: UInt8.self)))
    if known.count == name.count, compareBytes(known, name) == 0 {
      let count = Int(entry.load(fromByteOffset: 1, as: UInt8.self))
      return buffer.append(
        UnsafeRawBufferPointer(start: entry + Self.size / 2, count: count))
    }
    var made = pseudonym(String(decoding: name, as: UTF8.self))
    made.withUTF8 { bytes in
      buffer.append(UnsafeRawBufferPointer(bytes))
      guard bytes.count <= Self.size / 2 else { return }
      entry.storeBytes(of: UInt8(name.count), as: UInt8.self)
      entry.storeBytes(of: UInt8(bytes.count), toByteOffset: 1, as: UInt8.self)
      (entry + 2).copyMemory(from: name.baseAddress!, byteCount: name.count)
      if let start = bytes.baseAddress {
        (entry + Self.size / 2).copyMemory(from: start, byteCount: bytes.count)
      }
    }
  }

  private static func place(of name: UnsafeRawBufferPointer) -> Int {
    var hash = UInt64(name.count)
    var offset = 0
    while offset + 8 <= name.count {
      hash =
        (hash ^ name.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      offset += 8
    }
    while offset < name.count {
      hash = (hash ^ UInt64(name[offset])) &* 0x9E37_79B9_7F4A_7C15
      offset += 1
    }
    return Int(truncatingIfNeeded: (hash >> 40) % UInt64(count))
  }
}
