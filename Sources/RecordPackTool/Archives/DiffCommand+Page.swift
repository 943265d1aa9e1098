import Foundation
import RecordArchive
import RecordBundle

import RecordPages

extension DiffCommand {
  /// Writes the differences as a page. Its summary comes first, so the changes are kept in a
  /// temporary file until all are known.
  func page(_ comparison: ArchiveComparison) throws -> ArchiveDifference {
    guard let file = output.file else {
      let standard = StandardOutput()
      let difference = try page(comparison) { try standard.write($0) }
      try standard.flush()
      return difference
    }
    return try Interruption.whileWriting {
      try FrameOutput.write(to: file, overwrite: output.force) { sink in
        try page(comparison) { try sink.write($0) }
      }
    }
  }

  private func page(
    _ comparison: ArchiveComparison, _ write: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> ArchiveDifference {
    func name(_ path: String) -> String {
      path == "-" ? "standard input" : URL(fileURLWithPath: path).lastPathComponent
    }
    var page = DifferencePage(
      first: name(first), second: name(second), showEncrypted: showEncrypted, isSummary: stat)
    let spool = TextSpool()
    let difference = try comparison.run { change in try spool.write(page.add(change).text) }
    try spool.write(page.end().text)
    ProgressBar.clearLine()
    try Array(page.opening(difference).text.utf8).withUnsafeBytes(write)
    try spool.forEachPiece(write)
    try Array(page.closing(difference).text.utf8).withUnsafeBytes(write)
    return difference
  }
}
