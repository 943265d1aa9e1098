import Foundation

#if canImport(Glibc)
  import Glibc
#endif

extension Data {
  /// Replaces a file without waiting for the disk, as Foundation does at each write: a trial kills apps and
  /// not the system.
  func replaceFile(at url: URL) throws {
    let new = url.appendingPathExtension("new")
    guard let file = fopen(new.path, "w") else { throw CocoaError(.fileWriteUnknown) }
    let count = withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
    guard fclose(file) == 0, count == self.count, rename(new.path, url.path) == 0 else {
      throw CocoaError(.fileWriteUnknown)
    }
  }
}
