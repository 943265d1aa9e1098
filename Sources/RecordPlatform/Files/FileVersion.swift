import Foundation

/// The identity and the state of a file, which differ after a change or replacement.
package struct FileVersion: Equatable, Sendable {
  private let file: FileIdentity
  private let size: off_t
  private let seconds: time_t
  private let nanoseconds: Int

  /// Creates the version of the file at a path; nil if there is none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Creates the version of the file that a system call has described.
  package init(_ status: stat) {
    file = FileIdentity(status)
    size = status.st_size
    #if canImport(Darwin)
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    seconds = modified.tv_sec
    nanoseconds = modified.tv_nsec
  }
}
