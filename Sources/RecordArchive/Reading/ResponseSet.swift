import Foundation
import RecordBundle
import RecordCoding
import RecordModel
import RecordPlatform
import RecordStore
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

  /// The size limit of a file in bytes, that of `ResponseContents`.
  private static let maxSize = ResponseContents.maxSize

  /// Returns the responses at a path: the file, or all `.json` files in a directory and its
  /// subdirectories, ordered by the UTF-8 bytes of their paths. `-` is standard input.
  ///
  /// - Throws: `BundleError` if the path does not exist, or the directory contains no such file.
  package static func sources(
    at path: String, dialect: ResponseDialect = .webServices
  ) throws -> [Self] {
    if path == "-" { return [.standardInput(dialect)] }
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw BundleError(.notFound, in: path, "there is no such file")
    }
    guard isDirectory.boolValue else { return [.file(path, dialect)] }
    let names = try FileManager.default.subpathsOfDirectory(atPath: path).filter {
      $0.hasSuffix(".json")
    }
    guard !names.isEmpty else {
      throw BundleError(.notFound, in: path, "the directory contains no .json files")
    }
    return names.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
      .sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
      .map { .file($0, dialect) }
  }

  /// Creates a source that reads a file of limited size.
  static func file(_ path: String, _ dialect: ResponseDialect) -> Self {
    Self(name: path, dialect: dialect) {
      if FileIdentity(path: path).map(OpenContainers.contains) == true {
        throw BundleError(
          .malformed, in: path,
          "it is a container that this process has open, not a response")
      }
      let descriptor = InputWait.open(path)
      guard descriptor >= 0 else {
        throw BundleError(
          .notFound, in: path, "cannot open it: \(String(cString: strerror(errno)))")
      }
      defer { close(descriptor) }
      return try read(descriptor, path, dialect)
    }
  }

  /// Creates a source that reads standard input to its end.
  static func standardInput(_ dialect: ResponseDialect) -> Self {
    let name = "standard input"
    return Self(name: name, dialect: dialect) { try read(STDIN_FILENO, name, dialect) }
  }

  private static func read(
    _ descriptor: Int32, _ name: String, _ dialect: ResponseDialect
  ) throws -> Data {
    var data = Data()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try InputWait.read(descriptor, into: buffer), count > 0 {
      data.append(contentsOf: buffer[..<count])
      guard data.count <= maxSize else {
        throw BundleError(
          .malformed, in: name,
          "it exceeds \(maxSize) bytes; a response of \(dialect.owner) has at most 200 records")
      }
    }
    guard !data.isEmpty else {
      throw BundleError(
        .malformed, in: name, "it is empty; a response of \(dialect.owner) is a JSON object")
    }
    return data
  }
}

/// Responses that are read together, in order. Later responses are newer.
public final class ResponseSet: Sendable {
  /// The responses.
  package let sources: [ResponseSource]
  /// The database of the responses, which they do not name.
  package let database: DatabaseScope
  /// The record name of the user whose data the responses are; nil for the owner that responses of
  /// a private database name.
  package let user: String?

  private struct State {
    var users = ImportedUsers()
    var errors: [String] = []
    /// The content of all responses, in the order of a bundle, once it was needed.
    var sorted: (container: ContainerStore, folder: TemporaryFolder)?
  }

  private let state = Mutex(State())

  /// Creates a set of responses of one database.
  ///
  /// The data is that of the user with the given record name, or that of the owner whom responses of a
  /// private database name.
  public init(
    _ sources: [ResponseSource], database: DatabaseScope = .private, asUser user: String? = nil
  ) {
    self.sources = sources
    self.database = database
    self.user = user
  }

  /// The errors among the results, and what could not be read, when the responses were last read.
  package internal(set) var errors: [String] {
    get { state.withLock { $0.errors } }
    set { state.withLock { $0.errors = newValue } }
  }

  /// The users of the responses, when they were last imported.
  package internal(set) var users: ImportedUsers {
    get { state.withLock { $0.users } }
    set { state.withLock { $0.users = newValue } }
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
  package func sort(progress: (@Sendable (ArchiveProgress) throws -> Void)? = nil) throws {
    _ = try container(progress)
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

  /// Reads each response, and notes its errors. Of several files, JSON of another kind is an error beside
  /// the others.
  ///
  /// - Throws: `BundleError` with the name of a file that is not JSON, or of the only file if it is not a
  ///   response; ``ArchiveError`` if the responses contain only errors.
  func forEachResponse(_ body: (ResponseContents, _ size: Int) throws -> Void) throws {
    var errors: [String] = []
    var hasContent = false
    for source in sources {
      let (response, size): (ResponseContents, Int)
      do {
        (response, size) = try source.response()
      } catch let error as RecordCodingError {
        guard sources.count > 1, error.code == .invalidValue else { throw source.naming(error) }
        errors.append("\(source.naming(error))")
        continue
      }
      let found = response.items.compactMap(\.error)
      errors += found.map { "\(source.name): \($0)" }
      if found.count < response.items.count { hasContent = true }
      try body(response, size)
    }
    if let first = errors.first, !hasContent { throw ArchiveError.onlyErrors(first) }
    self.errors = errors
  }
}

extension ResponseSource {
  /// Reads the response. Returns it with the size of its text in bytes.
  ///
  /// - Throws: `RecordCodingError`; see ``naming(_:)``.
  func response() throws -> (response: ResponseContents, size: Int) {
    let data = try read()
    return (try ResponseContents(data, dialect: dialect), data.count)
  }

  /// Returns the error of a file that is not a response.
  fileprivate func naming(_ error: RecordCodingError) -> BundleError {
    BundleError(.malformed, in: name, "not a response of \(dialect.owner): \(error)")
  }
}
