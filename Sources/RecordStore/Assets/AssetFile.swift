import Foundation
import RecordModel
import RecordPlatform

/// Reads and writes the files of assets in chunks.
enum AssetFile {
  /// Writes a new file, and removes it on an error.
  static func write(
    to path: String, _ body: (_ write: (UnsafeRawBufferPointer) throws -> Void) throws -> Void
  ) throws {
    let path = try StoreFile.absolute(path)
    let file = SystemCall.createExclusively(path)
    guard file >= 0 else {
      if errno == EEXIST { throw ContainerStoreError.alreadyExists(path: path) }
      throw StoreFile.systemError(path, "creating it")
    }
    do {
      defer { close(file) }
      try body { bytes in
        errno = SystemCall.writeAll(bytes, to: file)
        if errno != 0 { throw StoreFile.systemError(path, "writing it") }
      }
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Calls `body` with a function that returns the next chunk of a content, and nil at the end.
  ///
  /// - Throws: CloudKit's `assetFileNotFound` if the file cannot be read.
  static func withChunks<R>(
    of content: Asset.Content, _ body: (_ next: () throws -> Data?) throws -> R
  ) throws -> R {
    switch content {
    case .data(let data):
      var rest = data
      return try body {
        let chunk = rest.prefix(AssetWriter.chunkSize)
        rest = rest.dropFirst(chunk.count)
        return chunk.isEmpty ? nil : chunk
      }
    case .file(let url):
      let file = try open(url)
      defer { close(file) }
      var offset: UInt64 = 0
      return try body {
        var chunk = Data(count: AssetWriter.chunkSize)
        let count = chunk.withUnsafeMutableBytes { SystemCall.readAll(file, at: offset, into: $0) }
        guard count >= 0 else {
          throw refusal(url, "cannot be read: \(String(cString: strerror(errno)))")
        }
        offset += UInt64(count)
        return count == 0 ? nil : chunk.prefix(count)
      }
    }
  }

  /// Opens a file for reading.
  /// - Throws: CloudKit's `assetFileNotFound`, also for a file that is not a regular file: opening
  ///   a pipe could block, and a device has no end.
  private static func open(_ url: URL) throws -> Int32 {
    guard url.isFileURL else {
      throw refusal(url, "is not a file URL")
    }
    guard let path = try? StoreFile.absolute(url.path) else {
      throw refusal(url, "is not a valid path: it is empty or contains a NUL character")
    }
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw refusal(url, "cannot be opened: \(String(cString: strerror(errno)))")
    }
    guard SystemCall.fileType(status) == mode_t(S_IFREG) else {
      throw refusal(url, "is not a regular file")
    }
    guard FileIdentity(path: path).map(OpenContainers.contains) != true else {
      throw refusal(url, "is a container that is open; copy it first")
    }
    let file = SystemCall.retrying { Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    guard file >= 0 else {
      throw refusal(url, "cannot be opened: \(String(cString: strerror(errno)))")
    }
    return file
  }

  private static func refusal(_ url: URL, _ reason: String) -> CloudError {
    CloudError(
      .assetFileNotFound,
      "the asset's file '\(url.isFileURL ? url.path : url.absoluteString)' \(reason)")
  }
}
