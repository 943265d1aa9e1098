import ArgumentParser
import RecordCoding

/// The format of the records that a command reads: bundles, or responses in a dialect.
///
/// Every command that reads responses takes each case of `ResponseDialect`.
enum RecordFormat: ExpressibleByArgument, Equatable, Sendable {
  case bundle
  case responses(ResponseDialect)

  private static let bundleName = "bundle"

  init?(argument: String) {
    if argument == Self.bundleName {
      self = .bundle
    } else if let dialect = ResponseDialect(rawValue: argument) {
      self = .responses(dialect)
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { dialect?.rawValue ?? Self.bundleName }

  static var allValueStrings: [String] {
    [bundleName] + ResponseDialect.allCases.map(\.rawValue)
  }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  /// The dialect of responses; nil for bundles.
  var dialect: ResponseDialect? {
    guard case .responses(let dialect) = self else { return nil }
    return dialect
  }
}
