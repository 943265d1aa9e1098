import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordModel

extension Archiver {
  /// Writes the records of a bundle or container as one response to a file; see
  /// ``exportResponse(_:as:output:)``. The file appears when it is complete.
  ///
  /// - Parameters:
  ///   - dialect: The dialect of the response.
  ///   - path: The path of the response; `-` is standard output.
  ///   - overwrite: Whether to replace an existing file; if not, one is an error.
  /// - Returns: The number of records, and what the dialect cannot express.
  @discardableResult
  public func exportResponse(
    _ source: ArchiveSource, as dialect: ResponseDialect = .webServices, to path: String,
    overwrite: Bool = true
  ) throws -> ExportedResponse {
    try FrameOutput.write(to: path, overwrite: overwrite) { sink in
      try exportResponse(source, as: dialect) { data in try data.withUnsafeBytes(sink.write) }
    }
  }
}

extension ArchiveSource {
  /// Writes the bytes of an asset to a file, which appears when it is complete.
  ///
  /// - Parameters:
  ///   - path: The path of the file; `-` is standard output.
  ///   - overwrite: Whether to replace an existing file; if not, one is an error.
  /// - Returns: The number of bytes.
  @discardableResult
  public func writeAsset(
    sha256: String, to path: String, overwrite: Bool = true
  ) throws -> Int {
    var count = 0
    return try FrameOutput.write(to: path, overwrite: overwrite) { sink in
      try forEachChunk(ofAsset: sha256) { bytes in
        try sink.write(bytes)
        count += bytes.count
      }
      return count
    }
  }
}
