import Foundation
import RecordModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files that assets are read from and written to, piece by piece.
enum AssetFile {
  /// Writes a new file; where that fails, nothing is left of it.
  static func write(
    to path: String, _ body: (_ write: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else {
      if errno == EEXIST { throw MockContainerError.alreadyExists(path: path) }
      throw StoreFile.systemError(path, "making it")
    }
    do {
      defer { close(file) }
      try body { try writeAll($0, to: file, path) }
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func writeAll(
    _ bytes: UnsafeRawBufferPointer, to file: Int32, _ path: String
  ) throws {
    var rest = bytes
    while let base = rest.baseAddress, rest.count > 0 {
      #if canImport(Darwin)
        let count = Darwin.write(file, base, rest.count)
      #elseif canImport(Musl)
        let count = Musl.write(file, base, rest.count)
      #else
        let count = Glibc.write(file, base, rest.count)
      #endif
      guard count >= 0 else {
        if errno == EINTR { continue }
        throw StoreFile.systemError(path, "writing it")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// The pieces of a content, in order; each call gives the next, and nil at the end.
  ///
  /// - Throws: `assetFileNotFound` of CloudKit, where the file cannot be read.
  static func withPieces<R>(
    of content: Asset.Content, _ body: (_ next: () throws -> Data?) throws -> R
  ) throws -> R {
    switch content {
    case .data(let data):
      var rest = data
      return try body {
        let piece = rest.prefix(AssetWriter.chunkSize)
        rest = rest.dropFirst(piece.count)
        return piece.isEmpty ? nil : piece
      }
    case .file(let url):
      let handle: FileHandle
      do {
        handle = try FileHandle(forReadingFrom: url)
      } catch {
        throw CloudError(
          .assetFileNotFound, "the asset's file '\(url.path)' cannot be opened: \(error)")
      }
      defer { try? handle.close() }
      return try body {
        do {
          return try full(handle)
        } catch {
          throw CloudError(
            .assetFileNotFound, "the asset's file '\(url.path)' cannot be read: \(error)")
        }
      }
    }
  }

  /// A whole piece, though the system may read less at a time.
  private static func full(_ handle: FileHandle) throws -> Data? {
    guard var piece = try handle.read(upToCount: AssetWriter.chunkSize), !piece.isEmpty else {
      return nil
    }
    while piece.count < AssetWriter.chunkSize,
      let more = try handle.read(upToCount: AssetWriter.chunkSize - piece.count), !more.isEmpty
    {
      piece.append(more)
    }
    return piece
  }
}
