import Foundation

extension ContainerStore {
  /// Copies a container that was cut off to a new file, which is filled up with zeros: SQLite reads the
  /// pages that are left.
  ///
  /// - Returns: the size of the container in bytes, and the size that its header says; nil if it was not
  ///   cut off, or the header says more than a hundred times the size, and 1 GiB: it is damaged, too, and
  ///   the copy would fill the disk.
  package static func completeTruncated(
    path: String, to copy: String
  ) throws -> (size: Int64, expected: Int64)? {
    let path = try StoreFile.absolute(path)
    // Read through SQLite, so that this process keeps its locks on the file.
    let file = try SQLiteFile(path, isReadOnly: true)
    let (size, head) = (try file.size(), try file.bytes(100))
    guard head.count == 100, let expected = StoreFile.expectedSize(head), expected > size,
      expected <= max(100 * size, 1 << 30)
    else { return nil }
    guard FileManager.default.createFile(atPath: copy, contents: nil),
      let output = FileHandle(forWritingAtPath: copy)
    else { throw StoreFile.systemError(copy, "creating it") }
    defer { try? output.close() }
    var offset: Int64 = 0
    while offset < size {
      let bytes = try file.bytes(1 << 20, at: offset)
      guard !bytes.isEmpty else { break }
      try output.write(contentsOf: bytes)
      offset += Int64(bytes.count)
    }
    try output.truncate(atOffset: UInt64(expected))
    return (size, expected)
  }
}
