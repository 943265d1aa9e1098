import ArgumentParser
import RecordCoding

/// What carries records into the tool and out of it: bundles, or responses in one of the dialects.
///
/// A new case of `ResponseDialect` is a form of every command that takes responses.
enum RecordForm: ExpressibleByArgument, Equatable, Sendable {
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

  /// The word for it.
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
