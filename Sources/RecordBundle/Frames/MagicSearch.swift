import Foundation

/// Searches a file for magic numbers of zstd frames and seek tables, with a buffer of fixed size.
final class MagicSearch {
  private let file: RandomAccessFile
  private let window = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
  /// The offset of the buffer in the file.
  private var start: UInt64 = 0
  private var count = 0

  init(_ file: RandomAccessFile) { self.file = file }

  deinit { window.deallocate() }

  /// Returns the offset of the first magic number at or after `offset`; `nil` if there is none.
  func next(from offset: UInt64) throws -> UInt64? {
    var position = offset
    while position < file.size {
      try load(position)
      let skipped = Int(position - start)
      let bytes = UnsafeRawBufferPointer(rebasing: window[skipped..<count])
      guard bytes.count >= 4 else { return nil }
      if let found = Self.find(in: bytes) { return position + UInt64(found) }
      // The last three bytes may be the beginning of a number that crosses the end of the buffer.
      position += UInt64(bytes.count - 3)
    }
    return nil
  }

  /// Loads at least four bytes at `position` into the buffer, if the file has that many.
  private func load(_ position: UInt64) throws {
    let isInside = position >= start && position + 4 <= start + UInt64(count)
    guard !isInside else { return }
    start = position
    count = try file.readUpTo(at: position, into: window)
  }

  private static func find(in bytes: UnsafeRawBufferPointer) -> Int? {
    let frame = ZstdFormat.frameMagic.littleEndian
    let table = ZstdFormat.seekTableMagic.littleEndian
    for place in 0...bytes.count - 4 {
      let number = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
      if number == frame || number == table { return place }
    }
    return nil
  }
}
