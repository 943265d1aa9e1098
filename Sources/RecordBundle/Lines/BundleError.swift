import Foundation

/// An error in the lines of a bundle, or in the order in which they are written.
public struct BundleError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The category of an error, for programs; ``message`` has the details.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The file is not a bundle.
    case notABundle
    /// The bundle has a format version, or requires a feature, that is unknown.
    case tooNew
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
  }

  /// The category of the error.
  public let kind: Kind
  /// The path of the file as it was given, or a name such as "standard input".
  public let source: String
  /// The number of the line, from 1, if the error concerns one.
  public let line: Int?
  /// What was found, what was expected, and what to do about it.
  public let message: String

  package init(_ kind: Kind, in source: String, line: Int? = nil, _ message: String) {
    self.kind = kind
    self.source = source
    self.line = line
    self.message = message
  }

  /// The source, line and message in one line.
  public var description: String {
    "\(source)\(line.map { ", line \($0)" } ?? ""): \(message)"
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
