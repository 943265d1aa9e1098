import ArgumentParser
import RecordArchive
import RecordBundle
import RecordCoding
import RecordModel

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

  /// Throws for options that do not apply to responses.
  func check(_ selection: FilterOptions, _ threads: ThreadOptions? = nil) throws {
    guard self != .bundle else { return }
    try refuse(threads?.given ?? [], "to responses")
    if selection.database.count > 1 {
      throw ValidationError("--database can be given only once: responses have one database")
    }
  }

  /// Opens sources: bundles and containers, or all responses as one source.
  ///
  /// - Parameters:
  ///   - user: The user whose data responses are.
  ///   - open: Opens bundles and containers.
  func open(
    _ paths: [String], _ selection: FilterOptions, asUser user: String? = nil,
    _ open: ([String]) throws -> [ArchiveSource]
  ) throws -> [ArchiveSource] {
    guard let dialect else {
      do {
        return try open(paths)
      } catch let error as BundleError where error.isOfJSON {
        throw CommandError("\(error); for a response, use --from web-services, cktool or canopy")
      }
    }
    // Pipes are read at once, because they can be read only once, and so that a signal can
    // interrupt the wait before anything is written.
    let sources = try paths.flatMap { path in
      try ResponseSource.sources(at: path, dialect: dialect).map { source in
        guard path == "-" || Inputs.isPipe(path) else { return source }
        let data = try source.read()
        return ResponseSource(name: source.name, dialect: dialect) { data }
      }
    }
    let database = selection.database.first ?? .private
    return [.responses(ResponseSet(sources, database: database, asUser: user))]
  }
}
