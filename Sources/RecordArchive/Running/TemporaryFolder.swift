import Foundation
import RecordStore
import RecordPlatform

/// A temporary folder that only its owner can access, removed with the object.
///
/// The folder is locked with `flock` while it is in use. If a process was killed, its folder is not
/// locked, and the next ``TemporaryFolder`` of the same user removes it.
package final class TemporaryFolder: Sendable {
  package let path: String
  /// The directory that contains it.
  private let parent: String
  private let descriptor: Int32

  /// A prefix reserved for this type. Unlocked folders with this prefix are removed.
  private static let prefix = "recordpack.working."
  private static let randomCount = 6

  package convenience init() throws {
    try self.init(in: FileManager.default.temporaryDirectory.path)
  }

  package init(in parent: String) throws {
    self.parent = parent
    Self.sweep(parent)
    for _ in 0..<16 {
      let path = try Self.create(in: parent)
      if let descriptor = Self.lock(path) {
        self.path = path
        self.descriptor = descriptor
        return
      }
      // Another process removed the folder as abandoned, before it was locked.
    }
    throw Self.failure(EEXIST, in: parent, Self.purpose)
  }

  package func file(_ name: String) -> String { (path as NSString).appendingPathComponent(name) }

  /// Runs work that writes containers in the folder. The error for a full disk names the folder.
  package func whileWriting<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as ContainerStoreError where error.code == .diskFull {
      throw Self.failure(ENOSPC, in: parent, Self.writingAction)
    }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    close(descriptor)
  }

  private static let purpose = "create a temporary folder"
  static let writingAction = "write temporary files (set TMPDIR to a directory with more space)"

  private static func failure(_ number: Int32, in path: String, _ action: String) -> ArchiveError {
    .temporaryFile("\(path): \(SystemError(number, action))")
  }

  private static func create(in parent: String) throws -> String {
    let name = prefix + String(repeating: "X", count: randomCount)
    var template = Array((parent as NSString).appendingPathComponent(name).utf8CString)
    guard mkdtemp(&template) != nil else {
      throw failure(errno, in: parent, purpose)
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// - Returns: The descriptor that holds the lock; nil if another process holds it, or the folder
  ///   is gone.
  private static func lock(_ path: String) -> Int32? {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    let descriptor = SystemCall.retrying { open(path, flags) }
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard SystemCall.lock(descriptor) == 0, fstat(descriptor, &status) == 0,
      FileIdentity(path: path) == FileIdentity(status), status.st_uid == geteuid()
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Removes folders of this user's killed processes.
  private static func sweep(_ parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) {
      guard name.utf8.count == prefix.utf8.count + randomCount else { continue }
      let path = (parent as NSString).appendingPathComponent(name)
      guard let descriptor = lock(path) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      close(descriptor)
    }
  }
}
