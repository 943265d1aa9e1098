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
  package let source: ArchiveSource
  /// The relations by which other records come along.
  public var closure = ExtractionClosure.needed
  /// How many records of one type may come along by one relation; nil for any number.
  public var limit: Int?
  /// Called with each extracted record, in the order in which they are found.
  package var explain: (@Sendable (ExtractionReason) throws -> Void)?
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
    var info = try source.info()
    for index in info.accounts.indices { info.accounts[index].subscriptions = [] }
    let writer = try BundleWriter(
      path: path, container: info, options: bundleOptions, overwrite: overwrite)
    try collector.write(to: writer)
    _ = try writer.finish()
    return collector.report
  }
}

/// The records that come along with extracted records.
public struct ExtractionClosure: Sendable, Hashable {
  /// Why a record, or the bytes of an asset, belong to another record.
  public enum Relation: String, Sendable, Hashable, CaseIterable {
    /// The record above it in the sharing hierarchy.
    case parents
    /// The records that its fields refer to, and those that the relationships of Core Data name: those
    /// to one object, and in a store those to several without an inverse.
    case references
    /// The objects that Core Data's many-to-many relationships link with it. A link whose two objects
    /// come along comes along, too.
    case links
    /// The share that it is in, and the share of its zone.
    case shares
    /// The bytes of its assets.
    case assets
    /// The records below it in the sharing hierarchy.
    case children
  }

  /// How many steps of each relation are followed from the records that were asked for; a relation
  /// that is not in there is not followed.
  public var depths: [Relation: Int]

  /// No limit.
  public static let unlimited = Int.max

  /// Everything that a record needs: all relations but the children, without limits, and one step over
  /// links. The second step would lead from a note over its tags to all notes.
  public static let needed = ExtractionClosure(
    depths: [
      .parents: unlimited, .references: unlimited, .links: 1, .shares: unlimited,
      .assets: unlimited,
    ])

  /// Nothing comes along.
  package static let nothing = ExtractionClosure(depths: [:])

  /// Creates a closure.
  public init(depths: [Relation: Int]) { self.depths = depths }

  /// Whether the bytes of assets come along.
  var hasAssets: Bool { self[.assets] > 0 }

  subscript(relation: Relation) -> Int {
    get { depths[relation] ?? 0 }
    set { depths[relation] = newValue }
  }

  /// Returns the rest to follow after a step of a relation; nil if it must not be made.
  func after(_ relation: Relation) -> ExtractionClosure? {
    let depth = self[relation]
    guard depth > 0 else { return nil }
    var rest = self
    if depth != Self.unlimited { rest[relation] = depth - 1 }
    return rest
  }

  /// Whether it follows all that another one follows.
  func covers(_ other: ExtractionClosure) -> Bool {
    other.depths.allSatisfy { self[$0.key] >= $0.value }
  }
}

extension [ExtractionClosure] {
  /// Adds what is left to follow by another path. The rests of two paths are two: the greatest number of each relation
  /// would allow more steps than any path has.
  ///
  /// - Returns: Whether the rest leads further than those of the other paths.
  mutating func add(_ closure: ExtractionClosure) -> Bool {
    guard !contains(where: { $0.covers(closure) }) else { return false }
    removeAll { closure.covers($0) }
    append(closure)
    return true
  }
}

/// The result of an extraction.
public struct ExtractionReport: Sendable {
  /// A record type, and the relation by which its records came.
  package struct Group: Sendable, Hashable, Comparable {
    /// The record type.
    package var recordType: String
    /// The relation.
    package var relation: ExtractionClosure.Relation

    /// Orders groups by type and relation.
    package static func < (lhs: Self, rhs: Self) -> Bool {
      let order = compareUTF8(lhs.recordType, rhs.recordType)
      return order != 0 ? order < 0 : lhs.relation.rawValue < rhs.relation.rawValue
    }
  }

  /// The number of records that were asked for.
  package var asked = 0
  /// The number of records that came along.
  package var added: [Group: Int] = [:]
  /// The number of records that did not come along, because there were too many.
  package var cut: [Group: Int] = [:]
  /// The records of each database that others refer to within the closure, and that the source does
  /// not have.
  package var missing: [DatabaseScope: Set<RecordID>] = [:]
  /// The number of assets whose bytes came along.
  package var assets = 0
  /// The number of assets whose bytes the source does not have.
  package var missingAssets = 0

  /// The number of all extracted records.
  public var records: Int { added.values.reduce(asked, +) }
  /// The number of missing records.
  public var missingRecords: Int { missing.values.reduce(0) { $0 + $1.count } }
}

/// Why a record was extracted.
package struct ExtractionReason: Sendable, Hashable {
  /// The record.
  package var recordID: RecordID
  /// The type of the record.
  package var recordType: String
  /// The database of the record.
  package var database: DatabaseScope
  /// The relation by which it came along, and the record that brought it; nil for one that was
  /// asked for.
  package var cause: (relation: ExtractionClosure.Relation, recordID: RecordID)? {
    relation.flatMap { relation in origin.map { (relation, $0) } }
  }

  let relation: ExtractionClosure.Relation?
  let origin: RecordID?
}
