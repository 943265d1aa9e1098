import Foundation

/// What is wrong with the lines of a bundle, or with the order they are written in.
public struct BundleError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The sort of failure, for programs; ``message`` says the rest to people.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The file is no bundle.
    case notABundle
    /// The bundle is of a format version this library does not know yet.
    case tooNew
    /// A line is not what the format says.
    case malformed
    /// Lines are not in the format's order, or one comes twice.
    case order
    /// A digest, a count or a size is not what the lines give.
    case mismatch
    /// A file of a bundle in several files is missing, or comes from another one.
    case shards
    /// A record, zone or asset that was asked for is not there.
    case notFound
  }

  /// The sort of failure.
  public let kind: Kind
  /// The file's path as it was given, or "standard input" and the like.
  public let source: String
  /// The number of the line, from 1, where one is concerned.
  public let line: Int?
  /// What was found, what was expected, and what to do.
  public let message: String

  package init(_ kind: Kind, in source: String, line: Int? = nil, _ message: String) {
    self.kind = kind
    self.source = source
    self.line = line
    self.message = message
  }

  /// The place and the message in one line.
  public var description: String {
    "\(source)\(line.map { ", line \($0)" } ?? ""): \(message)"
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
