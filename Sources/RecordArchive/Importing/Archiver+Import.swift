import RecordBundle
import RecordStore
import RecordCoding
import RecordModel

extension Archiver {
  func transaction(
    into container: ContainerStore, _ body: (ContainerImport) throws -> Void
  ) throws -> ImportReport {
    try filling(body) { resolve, fill in
      try container.importTransaction(onConflict: resolve, fill)
    }
  }

  /// Imports a bundle into a new container in memory.
  package func load(_ bundle: BundleReader, into container: NewContainer) throws {
    try ImportRun.load(bundle, into: container, self)
  }

  func build(
    _ path: String, _ info: ContainerInfo, _ body: (ContainerImport) throws -> Void
  ) throws -> ImportReport {
    try filling(body) { resolve, fill in
      try ContainerStore.build(path: path, info: info, onConflict: resolve, fill)
    }
  }

  /// Fills a new container.
  func fill(
    _ container: NewContainer, _ body: (ContainerImport) throws -> Void
  ) throws -> ImportReport {
    try filling(body) { resolve, fill in try container.fill(onConflict: resolve, fill) }
  }

  private typealias Resolve = (ImportConflict) throws -> ImportConflict.Resolution

  private func filling(
    _ body: (ContainerImport) throws -> Void,
    _ write: (@escaping Resolve, (ContainerWriter) throws -> ContainerWriter) throws ->
      ContainerWriter
  ) throws -> ImportReport {
    var current: ContainerImport?
    // Breaks the reference cycle: the writer retains the closure, the import the writer.
    defer { current = nil }
    let writer = try withoutActuallyEscaping(body) { body in
      try write({ try resolve($0, in: current) }) { writer in
        let target = ContainerImport(archiver: self, writer: writer)
        current = target
        try body(target)
        return writer
      }
    }
    return writer.counts
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
  /// Both sides as text.
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
