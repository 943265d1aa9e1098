import Foundation
import RecordBundle
import RecordPlatform

/// Text that is written before it is known what precedes it: in memory up to 1 MiB, then in a
/// temporary file without a name, which the system removes when it is closed.
final class TextSpool {
  private static let pieceSize = 1 << 20
  private var buffer: [UInt8] = []
  private var descriptor: Int32 = -1

  init() {}

  deinit { if descriptor >= 0 { close(descriptor) } }

  func write(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= Self.pieceSize { try flush() }
  }

  private func flush() throws {
    if descriptor < 0 {
      let folder = FileManager.default.temporaryDirectory.path
      let path = "\(folder)/recordpack.\(SystemCall.randomSuffix()).spool"
      descriptor = SystemCall.createExclusively(path)
      guard descriptor >= 0 else {
        throw SystemError(errno, "create a temporary file in \(folder)")
      }
      unlink(path)
    }
    let failure = buffer.withUnsafeBytes { SystemCall.writeAll($0, to: descriptor) }
    guard failure == 0 else { throw SystemError(failure, "write a temporary file") }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Calls `body` with what was written, piece by piece.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    if descriptor >= 0 {
      var offset: UInt64 = 0
      let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceSize, alignment: 16)
      defer { piece.deallocate() }
      while true {
        let count = SystemCall.readAll(descriptor, at: offset, into: piece)
        guard count >= 0 else { throw SystemError(errno, "read a temporary file") }
        if count == 0 { break }
        try body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
        offset += UInt64(count)
      }
    }
    try buffer.withUnsafeBytes(body)
  }
}
