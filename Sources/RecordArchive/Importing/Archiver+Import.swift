import MockCloud
import RecordBundle
import RecordCoding
import RecordModel

extension Archiver {
  /// Imports a bundle, or the part that ``filter`` lets pass, into a container, in one transaction.
  ///
  /// A record that comes twice, or is there already, and is the same to the last byte, counts once.
  ///
  /// - Returns: what was done.
  /// - Throws: ``ImportError`` for a conflict under the policy `.fail`; ``RecordValidationError``
  ///   for records that ``validation`` refuses; `BundleError` and `FrameError` for what is wrong with
  ///   the bundle; `MockContainerError`; what ``progress`` throws. The container is as it was then.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, into container: MockContainer
  ) throws -> ImportReport {
    try transaction(into: container) { try fill($0, from: bundle) }
  }

  /// Imports a bundle into a new container file: the fastest way.
  ///
  /// - Parameter path: where the container will lie; nothing may lie there.
  /// - Throws: as ``importBundle(_:into:)``. Nothing lies at the path then.
  @discardableResult
  public func importBundle(
    _ bundle: BundleReader, creating path: String
  ) throws -> ImportReport {
    try build(path, bundle.container) { try fill($0, from: bundle) }
  }

  func fill(_ target: ContainerImport, from bundle: BundleReader) throws {
    try target.add(bundle.container)
    let filter = filter
    let counts = validation != nil
    var done = ArchiveProgress(records: 0, bytes: 0)
    done.totalBytes = bundle.indexes.reduce(0) { $0 + $1.bytes }
    done.totalRecords = filter == .all ? bundle.recordCount : nil
    let prepared = ResourcePool(keeping: threads + 2) { PreparedFrame() }
    try bundle.mapFrames(threads: threads) {
      let frame = try prepared.take()
      try frame.fill($0, filter, counts: counts)
      return frame
    } consume: { (frame: PreparedFrame) in
      defer { prepared.giveBack(frame) }
      try target.add(frame)
      done.records += frame.entries.count
      done.bytes += frame.size
      if let total = done.totalRecords { done.records = min(done.records, total) }
      try report(done)
    }
    try target.validate(from: bundle.fileNames.first ?? "the bundle", bundle.container)
  }

  func transaction(
    into container: MockContainer, _ body: (ContainerImport) throws -> Void
  ) throws -> ImportReport {
    var current: ContainerImport?
    // The writer knows the closure, and the import the writer.
    defer { current = nil }
    let (target, writer) = try container.importTransaction(
      onConflict: { try resolve($0, in: current) }
    ) { writer in
      let target = ContainerImport(archiver: self, writer: writer)
      current = target
      try body(target)
      return (target, writer)
    }
    return target.finish(writer.counts)
  }

  func build(
    _ path: String, _ info: ContainerInfo, _ body: (ContainerImport) throws -> Void
  ) throws -> ImportReport {
    var current: ContainerImport?
    // The writer knows the closure, and the import the writer.
    defer { current = nil }
    let (target, writer) = try MockContainer.build(
      path: path, info: info, onConflict: { try resolve($0, in: current) }
    ) { writer in
      let target = ContainerImport(archiver: self, writer: writer)
      current = target
      try body(target)
      return (target, writer)
    }
    return target.finish(writer.counts)
  }

  private func resolve(
    _ conflict: ImportConflict, in target: ContainerImport?
  ) throws -> ImportConflict.Resolution {
    try target?.refuseCollision(conflict)
    switch conflictPolicy {
    case .keep: return .keepExisting
    case .replace: return .replace
    case .fail: throw ImportError.conflict(conflict.named)
    }
  }
}

extension ImportConflict {
  /// Both sides in words.
  fileprivate var named: ImportError.RecordConflict {
    let reader = RecordJSONReader()
    let ours = try? reader.read(existing)
    let theirs = try? reader.read(incoming)
    var fields: [String] = []
    if let ours, let theirs {
      fields = RecordDifference(from: ours, to: theirs).fields.map(\.name)
    }
    return ImportError.RecordConflict(
      database: scope, recordID: recordID, existing: Self.describe(ours, existingType),
      incoming: Self.describe(theirs, incomingType), differingFields: fields)
  }

  private static func describe(_ record: ResultRecord?, _ type: String) -> String {
    let tag = record?.recordChangeTag.map { ", change tag \($0)" } ?? ""
    let date = record?.modificationDate.map { ", modified \($0.inWords)" } ?? ""
    return "a '\(type)'\(tag)\(date)"
  }
}
