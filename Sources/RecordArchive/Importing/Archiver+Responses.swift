import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordModel

extension Archiver {
  /// A response with records, its dialect and its origin.
  public struct ResponseSource: Sendable {
    /// The path of the file, or "standard input".
    public var name: String
    /// The dialect of the response.
    public var dialect: ResponseDialect
    /// Reads the response. Called once.
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

    /// Creates a source that reads a file.
    public init(path: String, dialect: ResponseDialect = .webServices) {
      self.init(name: path, dialect: dialect) {
        try Data(contentsOf: URL(fileURLWithPath: path))
      }
    }
  }

  /// Imports responses into a container, in one transaction.
  ///
  /// Records, deleted records, zones and subscriptions are imported in order. If a later response
  /// deletes a record of an earlier one, the record is deleted under every ``conflictPolicy``.
  /// Unknown members are preserved; what a dialect's reader could not read is in
  /// ``ImportReport/errorItems``. A zone that no response describes is created when a record names
  /// it.
  ///
  /// - Parameters:
  ///   - sources: The responses.
  ///   - database: The database of the responses, which they do not name.
  ///   - container: The container.
  /// - Throws: The errors of `importBundle(_:into:)`; `BundleError` with the name of a file that
  ///   is not a response; ``ImportError/onlyErrors(_:)`` if the server returned only errors;
  ///   ``ImportError/notSelected(_:known:)`` under ``requiresSelected``.
  @discardableResult
  public func importResponses(
    _ sources: [ResponseSource], database: DatabaseScope, into container: MockContainer
  ) throws -> ImportReport {
    try transaction(into: container) { try fill($0, from: sources, database) }
  }

  /// Imports responses into a new container file.
  @discardableResult
  public func importResponses(
    _ sources: [ResponseSource], database: DatabaseScope, creating path: String
  ) throws -> ImportReport {
    try build(path, ContainerInfo()) { try fill($0, from: sources, database) }
  }

  private func fill(
    _ target: ContainerImport, from sources: [ResponseSource], _ database: DatabaseScope
  ) throws {
    guard filter.contains(database: database) else { return }
    var done = ArchiveProgress(records: 0, bytes: 0)
    let responses = ResponseImport(target, database, filter)
    var selection = SelectionCheck(filter)
    for source in sources {
      let (response, size) = try source.response()
      done.bytes += size
      if requiresSelected { selection.note(response) }
      try responses.add(response, of: source.name) {
        done.records += 1
        if done.records & 255 == 0 { try report(done) }
      }
      try report(done)
    }
    try responses.finish()
    if requiresSelected { try selection.finish() }
    try target.validate(from: sources.first?.name ?? "the responses", ContainerInfo())
  }
}

extension Archiver.ResponseSource {
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
