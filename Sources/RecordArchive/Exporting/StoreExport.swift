import AppStores
import Foundation
import RecordBundle
import RecordModel
import RecordPlatform

extension Archiver {
  /// Fills a copy of an app's store with the records of a reader. The file appears when it is complete.
  ///
  /// - Parameters:
  ///   - template: The path of the store that the app made, which stays as it is.
  ///   - path: The path of the new store.
  func fillStore(
    _ template: String, from reader: ArchiveReader, as path: String, _ overwrite: Bool
  ) throws -> FilledStore {
    guard AppStoreFile.isCoreData(template) else {
      throw ArchiveError.unsupported(
        "'\(template)' is not a store of Core Data or SwiftData; name a store that the app made")
    }
    guard overwrite || !FileManager.default.fileExists(atPath: path) else {
      throw BundleError(.fileExists, in: path, "the file already exists")
    }
    for log in ["-wal", "-journal"] where FileManager.default.fileExists(atPath: path + log) {
      throw ArchiveError.unsupported(
        "'\(path + log)' is the log of an earlier store, which would be added to the new one; "
          + "remove it, or name another file")
    }
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let connection = try AppStoreFile.open(template) { folder.path }
    defer { try? connection.close() }
    let filter = self.filter
    let assets = try reader.assetLookup()
    // Each record is read up to three times.
    var done = ArchiveProgress(records: 0, bytes: 0)
    var source = StoreFiller.Source(
      forEachRecord: { part, body in
        var all = filter
        if let types = part.recordTypes {
          all.recordTypes = NameSet(
            types.names.filter { filter.recordTypes?.contains($0) != false })
        }
        try reader.forEachRecord(all) { record, scope in
          done.records += 1
          if done.records % 1024 == 0 { try report(done) }
          try body(record, scope)
        }
      }, asset: { try assets($0) })
    source.takesValues = takesValuesOfStore
    do {
      let target = try PartialFile(for: path.hasPrefix("/") ? path : "./" + path)
      let filled = try StoreFiller.fill(connection, at: template, to: target.path, with: source)
      try target.publish(replacing: overwrite)
      return filled
    } catch let error as SystemError {
      throw BundleError(
        error.number == EEXIST ? .fileExists : .inputOutput, in: path, "cannot \(error.action)")
    }
  }
}
