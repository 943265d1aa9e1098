import Foundation

/// What is wrong with a bundle file, or with reading or writing it.
public struct FrameError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The sort of failure, for programs; ``message`` says the rest to people.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The file has no bytes.
    case emptyFile
    /// The path is a directory, a device or something else that holds no bundle.
    case notAFile
    /// The file is something else: a picture, a database, a zstd file that is no bundle.
    case foreignFile
    /// The file begins as a bundle and breaks off.
    case truncated
    /// Bytes are not what was written: a checksum, a size or a mark does not fit.
    case damaged
    /// Something is larger than the limits allow.
    case limitExceeded
    /// The file could not be created because one of that name exists.
    case fileExists
    /// The operating system refused to read or write.
    case inputOutput
    /// The work was called off.
    case cancelled
    /// The caller asked for something that makes no sense, such as writing after the end.
    case misuse
  }

  /// The sort of failure.
  public let kind: Kind
  /// The file's path as it was given, or "standard input" and the like.
  public let source: String
  /// The frame's number, from 0, where one is concerned.
  public let frame: Int?
  /// Where in the file, in bytes from its beginning, where that is known.
  public let byteOffset: UInt64?
  /// What was found, what was expected, and what to do.
  public let message: String
  /// The operating system's `errno`, where it refused.
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

  /// An error of the operating system.
  package static func system(
    _ number: Int32, in source: String, at byteOffset: UInt64? = nil, _ action: String
  ) -> FrameError {
    FrameError(
      .inputOutput, in: source, at: byteOffset, errorNumber: number,
      "cannot \(action): \(String(cString: strerror(number)))")
  }

  /// The place and the message in one line.
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
