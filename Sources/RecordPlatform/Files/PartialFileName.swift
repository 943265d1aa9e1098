import Foundation

/// The names of the temporary files for one target: `.NAME.RANDOM.partial`.
struct PartialFileName {
  /// The directory of the target, which contains all of them.
  let directory: String
  private let prefix: [UInt8]

  private static let ending = ".partial"
  private static let randomCount = 16
  /// The maximum length of a file name in bytes.
  private static let maxLength = 255

  init(target: String) {
    let path = SplitPath(target)
    directory = path.openableDirectory
    var file = path.name
    // A long name is truncated.
    let longest = Self.maxLength - Self.randomCount - Self.ending.utf8.count - 2
    while file.utf8.count > longest { file.removeLast() }
    prefix = Array(".\(file).".utf8)
  }

  /// Returns the name of the target of a temporary file; nil for other files, and for names that
  /// were truncated.
  static func target(of file: String) -> String? {
    let name = file.utf8
    let end = name.count - randomCount - ending.utf8.count - 1
    guard end > 1, name.first == UInt8(ascii: "."), name.count < maxLength,
      let target = String(name.prefix(end).dropFirst())
    else { return nil }
    return PartialFileName(target: target).matches(name) ? target : nil
  }

  /// Returns the path of the file with that random suffix.
  func path(suffix: String) -> String {
    "\(directory)/\(String(decoding: prefix, as: UTF8.self))\(suffix)\(Self.ending)"
  }

  /// Removes the files for this target that no process has locked.
  func removeLeftovers() {
    // Collected first: reading a directory that changes is not portable.
    for name in leftovers() {
      let path = "\(directory)/\(name)"
      // Nonblocking, because opening a pipe of that name could block.
      let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
      let descriptor = SystemCall.retrying { open(path, flags) }
      guard descriptor >= 0 else { continue }
      if SystemCall.lock(descriptor) == 0, SystemCall.isFile(descriptor, at: path) {
        Self.remove(path)
      }
      close(descriptor)
    }
  }

  /// Removes SQLite's files beside a file, then the file, by which the others are found.
  static func remove(_ path: String) {
    for suffix in ["-journal", "-wal", "-shm", ""] { unlink(path + suffix) }
  }

  private func leftovers() -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        let name = bytes[..<(bytes.firstIndex(of: 0) ?? bytes.endIndex)]
        if matches(name) { names.append(String(decoding: name, as: UTF8.self)) }
      }
    }
    return names
  }

  private func matches(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    let ending = Self.ending.utf8
    guard name.count == prefix.count + Self.randomCount + ending.count, name.starts(with: prefix)
    else { return false }
    let rest = name.dropFirst(prefix.count)
    return rest.suffix(ending.count).elementsEqual(ending)
      && rest.prefix(Self.randomCount).allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }
  }
}
