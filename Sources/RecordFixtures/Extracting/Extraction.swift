import Foundation
import RecordArchive
import RecordBundle
import RecordModel

/// Cuts records out of a bundle or a container, with what they need.
///
/// ```swift
/// let source = try ArchiveSource.open(["Customers.recordpack"])
/// let extraction = Extraction(of: source)
/// let report = try extraction.write(to: "one.recordpack") { ask in
///   for found in try source.records(named: "chat-42") { try ask(found.record, found.database) }
/// }
/// print(report.records)
/// ```
///
/// The result has the records, their zones, and the metadata of the container. It has no
/// subscriptions and no traces of deleted records.
public struct Extraction: Sendable {
  /// Where the records are.
  public let source: ArchiveSource
  /// What comes along.
  public var closure = ExtractionClosure.needed
  /// How many records of one type may come along by one relation; nil for any number.
  public var limit: Int?
  /// Called with each extracted record, in the order in which they are found.
  public var explain: (@Sendable (ExtractionReason) throws -> Void)?
  /// The options of the written bundle.
  public var bundleOptions = BundleWriter.Options()

  /// Creates an extraction.
  public init(of source: ArchiveSource) { self.source = source }

  /// Calls its argument with each record that is asked for.
  public typealias Choice =
    (_ ask: (ResultRecord, DatabaseScope) throws -> Void) throws -> Void

  /// Writes a bundle with the records that are asked for, and what comes along.
  ///
  /// - Parameters:
  ///   - path: the path of the bundle; `-` is standard output.
  ///   - overwrite: whether to replace an existing file.
  ///   - choose: asks for records of the source.
  /// - Throws: the errors of reading the source and of writing the bundle. An existing file is then
  ///   unchanged.
  @discardableResult
  public func write(
    to path: String, overwrite: Bool = true, _ choose: Choice
  ) throws -> ExtractionReport {
    let collector = try ExtractionCollector(self)
    try choose { try collector.ask($0, $1) }
    try collector.follow()
    let writer = try BundleWriter(
      path: path, container: try info(), options: bundleOptions, overwrite: overwrite)
    do {
      try collector.write(to: writer)
      _ = try writer.finish()
    } catch {
      writer.cancel()
      throw error
    }
    return collector.report
  }

  private func info() throws -> ContainerInfo {
    var info = try source.info()
    info.history = nil
    return info
  }
}
