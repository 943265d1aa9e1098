import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordModel

extension Archiver {
  /// Writes the records of a bundle or container as one response to a file; see
  /// `exportResponse(_:as:output:)`. The file appears when it is complete.
  ///
  /// - Parameters:
  ///   - source: The bundle or container.
  ///   - dialect: The dialect of the response.
  ///   - path: The path of the response; `-` is standard output.
  ///   - mustNotExist: Whether to throw if the file exists.
  /// - Returns: The number of records, and what the dialect cannot express.
  @discardableResult
  public func exportResponse(
    _ source: ArchiveSource, as dialect: ResponseDialect = .webServices, to path: String,
    mustNotExist: Bool = false
  ) throws -> ExportedResponse {
    try writeOutput(to: path, mustNotExist: mustNotExist) { sink in
      try exportResponse(source, as: dialect) { data in try data.withUnsafeBytes(sink.write) }
    }
  }
}

extension ArchiveSource {
  /// Writes the bytes of an asset to a file, which appears when it is complete.
  ///
  /// - Parameters:
  ///   - sha256: The SHA-256 of the asset, 64 lowercase hexadecimal digits.
  ///   - path: The path of the file; `-` is standard output.
  ///   - mustNotExist: Whether to throw if the file exists.
  /// - Returns: The number of bytes.
  @discardableResult
  public func writeAsset(
    sha256: String, to path: String, mustNotExist: Bool = false
  ) throws -> Int {
    var count = 0
    return try writeOutput(to: path, mustNotExist: mustNotExist) { sink in
      try forEachChunk(ofAsset: sha256) { bytes in
        try sink.write(bytes)
        count += bytes.count
      }
      return count
    }
  }
}

/// Calls `body` with a sink for standard output, or for a file that appears when it is complete.
private func writeOutput<R>(
  to path: String, mustNotExist: Bool, _ body: (any FrameSink) throws -> R
) throws -> R {
  let sink =
    path == "-"
    ? FrameOutput.standardOutput : try FrameOutput.open(path: path, mustNotExist: mustNotExist)
  do {
    let result = try body(sink)
    try sink.commit()
    return result
  } catch {
    sink.discard()
    throw error
  }
}
