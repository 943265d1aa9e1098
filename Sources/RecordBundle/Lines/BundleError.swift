import Foundation

/// An error of reading or writing a bundle: of its file, or of its lines.
public struct BundleError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The category of an error, for programs; ``message`` has the details.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The file is empty.
    case emptyFile
    /// The path leads to a directory, a device or anything else that cannot hold a bundle.
    case notAFile
    /// The file has another format, such as a picture, a database or a zstd file of other content.
    case notABundle
    /// The bundle has a format version, or requires a feature, that is unknown.
    case tooNew
    /// The file begins as a bundle but ends early.
    case truncated
    /// Bytes are not what was written: a checksum, a size or a magic number does not match.
    case damaged
    /// A line does not conform to the format.
    case malformed
    /// Lines are out of order, or one is repeated.
    case order
    /// A digest, a count or a size does not match the lines.
    case mismatch
    /// A file of a split bundle is missing or belongs to another bundle.
    case shards
    /// The requested record, zone or asset does not exist.
    case notFound
    /// A size or number exceeds the limits.
    case limitExceeded
    /// The file could not be created because it exists.
    case fileExists
    /// The operating system failed to read or write.
    case inputOutput
    /// The work was cancelled.
    case cancelled
    /// The caller made an invalid request, such as writing after the end.
    case misuse
  }

  /// The category of the error.
  public let code: Code
  /// The path of the file as it was given, or a name such as "standard input".
  public let source: String
  /// The number of the line, from 1, if the error concerns one.
  public let line: Int?
  /// The number of the zstd frame, from 0, if the error concerns one.
  public let frame: Int?
  /// The offset in the file, in bytes, if known.
  package let byteOffset: UInt64?
  /// The fault, the expected content, and the remedy.
  public let message: String
  /// The operating system's `errno`, if it reported the error.
  package let errorNumber: Int32?

  package init(
    _ code: Code, in source: String, line: Int? = nil, frame: Int? = nil,
    at byteOffset: UInt64? = nil, errorNumber: Int32? = nil, _ message: String
  ) {
    self.code = code
    self.source = source
    self.line = line
    self.frame = frame
    self.byteOffset = byteOffset
    self.message = message
    self.errorNumber = errorNumber
  }

  /// Creates an error that the operating system reported.
  package static func system(
    _ number: Int32, in source: String, at byteOffset: UInt64? = nil, _ action: String
  ) -> BundleError {
    BundleError(
      .inputOutput, in: source, at: byteOffset, errorNumber: number,
      "cannot \(action): \(String(cString: strerror(number)))")
  }

  /// Whether the file is JSON, such as a response, and not a bundle.
  package var isOfJSON: Bool { code == .notABundle && message.hasSuffix(FileSignature.json) }

  /// The source, place and message in one line.
  public var description: String {
    var place = source
    if let line { place += ", line \(line)" }
    switch (frame, byteOffset) {
    case (let frame?, let offset?): place += ": frame \(frame), at byte \(offset)"
    case (let frame?, nil): place += ": frame \(frame)"
    case (nil, let offset?): place += ": at byte \(offset)"
    case (nil, nil): break
    }
    return "\(place): \(message)"
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
