import Foundation

/// An error of a store of Core Data, SwiftData or SQLiteData: what is wrong, where, and what helps.
public struct AppStoreError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
  /// The kind of an error.
  public enum Code: String, Sendable, Hashable {
    /// The file is not a store that can be read.
    case notReadable
    /// The file is damaged.
    case damaged
    /// The records do not fit the model of the store that they would fill. Nothing was written.
    case doesNotFit
    /// The store that would be filled cannot be: another process uses it, or CloudKit mirrors it.
    case cannotFill
  }

  /// The kind of the error.
  public let code: Code
  /// The path of the store.
  public let path: String
  /// The problems: one, or those of the first records that do not fit.
  public let problems: [String]

  init(_ code: Code, _ path: String, _ problem: String) { self.init(code, path, [problem]) }

  init(_ code: Code, _ path: String, _ problems: [String]) {
    (self.code, self.path, self.problems) = (code, path, problems)
  }

  /// The path and the problems.
  public var description: String {
    guard code == .doesNotFit else { return "'\(path)': \(problems.joined(separator: "; "))" }
    return "the records do not fit '\(path)', and nothing was written: "
      + problems.joined(separator: "; ")
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
}
