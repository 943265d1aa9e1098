import Foundation
import RecordStore
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

  private struct State {
    var errors: [String] = []
    /// The names in all responses, once these were read.
    var names: Names?
    /// The content of all responses, in the order of a bundle, once it was needed.
    var sorted: (container: ContainerStore, folder: TemporaryFolder)?
  }

  private let state = Mutex(State())

  /// Creates a set of responses of one database.
  public init(_ sources: [ResponseSource], database: DatabaseScope = .private) {
    self.sources = sources
    self.database = database
  }

  /// The errors among the results, and what could not be read, when the responses were last read.
  public internal(set) var errors: [String] {
    get { state.withLock { $0.errors } }
    set { state.withLock { $0.errors = newValue } }
  }

  /// The name of the responses in messages.
  var name: String {
    guard let first = sources.first?.name else { return "the responses" }
    return sources.count == 1 ? first : "\(first) and \(sources.count - 1) more"
  }

  /// Reads and sorts the responses, if this has not been done. Everything but an import without a
  /// migration needs them sorted, and calls this.
  ///
  /// - Parameter progress: Called periodically; if it throws, the work ends with that error.
  public func sort(progress: (@Sendable (ArchiveProgress) throws -> Void)? = nil) throws {
    _ = try container(progress)
  }

  /// The zones and record types that the responses name. Reads them, if this has not been done.
  func names() throws -> Names {
    try readNames()
    return state.withLock { $0.names ?? Names() }
  }

  /// Reads the responses for their names, if they have not been read.
  ///
  /// - Parameter progress: Called for each response; if it throws, the work ends with that error.
  package func readNames(
    progress: ((ArchiveProgress) throws -> Void)? = nil
  ) throws {
    guard state.withLock({ $0.names == nil }) else { return }
    var done = ArchiveProgress(records: 0, bytes: 0)
    try forEachResponse { response, size in
      done.records += response.items.count
      done.bytes += size
      try progress?(done)
    }
  }

  /// A container with the content of all responses.
  func container(
    _ progress: (@Sendable (ArchiveProgress) throws -> Void)? = nil
  ) throws -> ContainerStore {
    if let sorted = state.withLock({ $0.sorted }) { return sorted.container }
    let folder = try TemporaryFolder()
    let path = folder.file("responses.sqlite")
    var archiver = Archiver()
    archiver.conflictPolicy = .replace
    archiver.progress = progress
    _ = try folder.whileWriting {
      try archiver.run(from: [.responses(self)], into: .newContainer(path: path))
    }
    let container = try ContainerStore.open(path: path, mode: .readOnly)
    state.withLock { $0.sorted = (container, folder) }
    return container
  }

  /// Reads each response, and notes its errors.
  ///
  /// - Throws: `BundleError` with the name of a file that is not a response; ``ImportError`` if the
  ///   server returned only errors.
  func forEachResponse(_ body: (ResponseContents, _ size: Int) throws -> Void) throws {
    var errors: [String] = []
    var names = Names()
    var hasContent = false
    for source in sources {
      let (response, size) = try source.response()
      let found = response.items.compactMap(\.error)
      errors += found.map { "\(source.name): \($0)" }
      if found.count < response.items.count { hasContent = true }
      names.add(response, database)
      try body(response, size)
    }
    if let first = errors.first, !hasContent { throw ImportError.onlyErrors(first) }
    state.withLock { ($0.errors, $0.names) = (errors, names) }
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
