import Foundation
import RecordBundle

/// A folder for what is needed during one call; it is gone when the object is. It holds records, so
/// nobody but its owner may look into it, from its first moment on.
final class TemporaryFolder {
  let path: String

  init() throws {
    let parent = FileManager.default.temporaryDirectory.path
    var template = Array(
      (parent as NSString).appendingPathComponent("recordpack-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw FrameError.system(errno, in: parent, "make a folder for what is not finished")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func file(_ name: String) -> String { (path as NSString).appendingPathComponent(name) }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
