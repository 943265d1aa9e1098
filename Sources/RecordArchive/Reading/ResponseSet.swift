import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordModel
import Synchronization

/// A response with records, its dialect and its origin.
public struct ResponseSource: Sendable {
  /// The path of the file, or "standard input".
  public var name: String
  /// The dialect of the response.
  public var dialect: ResponseDialect
  /// Reads the response.
  public var read: @Sendable () throws -> Data

  /// Creates a source with a name and a function that reads the response.
  public init(
    name: String, dialect: ResponseDialect = .webServices,
    read: @escaping @Sendable () throws -> Data
  ) {
    self.name = name
    self.dialect = dialect
    self.read = read
  }
}

/// Responses that are read together, in order. Later responses are newer.
public final class ResponseSet: Sendable {
  /// The responses.
  public let sources: [ResponseSource]
  /// The database of the responses, which they do not name.
  public let database: DatabaseScope
  /// Whether an import fails when no response has a zone or record type of its filter.
  public let requiresSelected: Bool

  private struct State {
    var errors: [String] = []
    /// The content of all responses, in the order of a bundle, once it was needed.
    var sorted: (container: MockContainer, folder: TemporaryFolder)?
  }

  private let state = Mutex(State())

  /// Creates a set of responses of one database.
  public init(
    _ sources: [ResponseSource], database: DatabaseScope = .private, requiresSelected: Bool = false
  ) {
    self.sources = sources
    self.database = database
    self.requiresSelected = requiresSelected
  }

  /// The errors among the results, and what could not be read, when the responses were last read.
  public internal(set) var errors: [String] {
    get { state.withLock { $0.errors } }
    set { state.withLock { $0.errors = newValue } }
  }

  /// The name of the responses in messages.
  var name: String { sources.first?.name ?? "the responses" }

  /// A container with the content of all responses. They are read once.
  func container() throws -> MockContainer {
    if let sorted = state.withLock({ $0.sorted }) { return sorted.container }
    let folder = try TemporaryFolder()
    let path = folder.file("responses.sqlite")
    var archiver = Archiver()
    archiver.conflictPolicy = .replace
    let all = ResponseSet(sources, database: database)
    try archiver.run(from: [.responses(all)], into: .newContainer(path: path))
    let container = try MockContainer.open(path: path, mode: .readOnly)
    state.withLock {
      $0.errors = all.errors
      $0.sorted = (container, folder)
    }
    return container
  }
}

extension ResponseSource {
  /// Reads the response. Returns it with the size of its text in bytes.
  ///
  /// - Throws: `BundleError` with the name of a file that is not a response.
  func response() throws -> (response: ResponseContents, size: Int) {
    let data = try read()
    do {
      return (try ResponseContents(data, reader: ResponseReader(dialect)), data.count)
    } catch let error as RecordCodingError {
      throw BundleError(.malformed, in: name, "not a response of \(dialect.owner): \(error)")
    }
  }
}
