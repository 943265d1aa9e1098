import Foundation
import MockCloud
import RecordBundle
import RecordCoding
import RecordModel

extension Archiver {
  /// A response with records, its dialect, and where it comes from.
  public struct ResponseSource: Sendable {
    /// The file's path, or "standard input".
    public var name: String
    /// The dialect of the response.
    public var dialect: ResponseDialect
    /// Reads the response; called once.
    public var read: @Sendable () throws -> Data

    /// Makes a source.
    public init(
      name: String, dialect: ResponseDialect = .webServices,
      read: @escaping @Sendable () throws -> Data
    ) {
      self.name = name
      self.dialect = dialect
      self.read = read
    }

    /// A file.
    public init(path: String, dialect: ResponseDialect = .webServices) {
      self.init(name: path, dialect: dialect) {
        try Data(contentsOf: URL(fileURLWithPath: path))
      }
    }
  }

  /// Imports responses into a container, in one transaction.
  ///
  /// Records, deleted records, zones and subscriptions are taken in, in the order they come: a
  /// record that one response holds and a later one calls deleted is deleted, whatever the
  /// ``conflictPolicy`` says of records that were there before. What the model does not know is
  /// kept, and what a dialect's reader could not take is in ``ImportReport/errorItems``. Zones that
  /// records name are created where no response describes them.
  ///
  /// - Parameter database: the database they come from, which responses do not say.
  /// - Throws: as ``importBundle(_:into:)``; `BundleError` names the file of what is no response;
  ///   ``ImportError/onlyErrors(_:)`` where the server sent errors and nothing else;
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
  /// Reads the response; its size is that of its text in bytes.
  ///
  /// - Throws: `BundleError` names the file of what is no response.
  func response() throws -> (response: ResponseContents, size: Int) {
    let data = try read()
    do {
      return (try ResponseContents(data, reader: ResponseReader(dialect)), data.count)
    } catch let error as RecordCodingError {
      throw BundleError(.malformed, in: name, "not a response of \(dialect.owner): \(error)")
    }
  }
}
