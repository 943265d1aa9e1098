import Foundation

/// An error of reading or writing a bundle file.
public struct FrameError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The category of an error, for programs; ``message`` has the details.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The file is empty.
    case emptyFile
    /// The path leads to a directory, a device or anything else that cannot hold a bundle.
    case notAFile
    /// The file has another format, such as a picture, a database or a zstd file of other content.
    case foreignFile
    /// The file begins as a bundle but ends early.
    case truncated
    /// Bytes are not what was written: a checksum, a size or a magic number does not match.
    case damaged
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
  public let kind: Kind
  /// The path of the file as it was given, or a name such as "standard input".
  public let source: String
  /// The number of the frame, from 0, if the error concerns one.
  public let frame: Int?
  /// The offset in the file, in bytes, if known.
  public let byteOffset: UInt64?
  /// What was found, what was expected, and what to do about it.
  public let message: String
  /// The operating system's `errno`, if it reported the error.
  public let errorNumber: Int32?

  init(
    _ kind: Kind, in source: String, frame: Int? = nil, at byteOffset: UInt64? = nil,
    errorNumber: Int32? = nil, _ message: String
  ) {
    self.kind = kind
    self.source = source
    self.frame = frame
    self.byteOffset = byteOffset
    self.message = message
    self.errorNumber = errorNumber
  }

  /// Creates an error that the operating system reported.
  package static func system(
    _ number: Int32, in source: String, at byteOffset: UInt64? = nil, _ action: String
  ) -> FrameError {
    FrameError(
      .inputOutput, in: source, at: byteOffset, errorNumber: number,
      "cannot \(action): \(String(cString: strerror(number)))")
  }

  /// The source, frame, offset and message in one line.
  public var description: String {
    var place = source
    switch (frame, byteOffset) {
    case (let frame?, let offset?): place += ": frame \(frame), at byte \(offset)"
    case (let frame?, nil): place += ": frame \(frame)"
    case (nil, let offset?): place += ": at byte \(offset)"
    case (nil, nil): break
    }
    return "\(place): \(message)"
  }
}

extension FrameError: LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}
