import Foundation
import RecordModel

/// A reader of a bundle: of one file, or of all files of a split bundle.
///
/// ```swift
/// let bundle = try BundleReader(path: "Tact.recordpack")
/// try bundle.forEachRecord(RecordFilter(recordTypes: ["Chat"])) { record, database in
///   if let title: String = record["title"] { print(database, title) }
/// }
/// ```
///
/// Opening reads only the header and the index. The reader checks the bytes that
/// it reads against the index's digests, zstd's checksums and the format; ``verify(threads:progress:)`` checks the rest.
public final class BundleReader: Sendable {
  let files: [BundleFile]

  /// The header of the first file.
  package var header: BundleHeader { files[0].header }
  /// The description of the container.
  public var container: ContainerInfo { header.container }
  /// The index of each file.
  package var indexes: [BundleIndex] { files.map(\.index) }
  /// The names of the files.
  package var fileNames: [String] { files.map(\.name) }
  /// The total size of the files in bytes.
  public var size: UInt64 { files.reduce(0) { $0 + $1.frames.file.size } }

  /// Opens a bundle; `-` is standard input.
  ///
  /// - Parameter path: the path of the file, or of any file of a split bundle in one directory.
  public convenience init(path: String) throws {
    try self.init(paths: [path])
  }

  /// Opens a bundle of one or several files.
  ///
  /// - Parameter paths: the paths of the files of one bundle, in any order.
  /// - Throws: ``BundleError``, which says what the file is, or which is missing.
  public convenience init(paths: [String]) throws {
    var files = try paths.map { try BundleFile(path: $0) }
    guard let first = files.first else {
      throw BundleError(.notFound, in: "bundle", "no file was given")
    }
    if files.count == 1, let shard = first.header.shard {
      files = try Self.siblings(of: first, shard) { try BundleFile(path: $0) }
    }
    try self.init(files: files)
  }

  /// Returns the files of the split bundle that a file belongs to, found by their names.
  ///
  /// - Parameter open: opens the file at a path.
  static func siblings(
    of file: BundleFile, _ shard: BundleHeader.Shard, open: (String) throws -> BundleFile
  ) throws -> [BundleFile] {
    var files: [BundleFile] = []
    while files.last?.index.isLastShard != true {
      let number = files.count + 1
      guard number <= ShardOutput.maxShards,
        let path = ShardNames.sibling(number, of: file.name, numbered: shard.number)
      else { break }
      if number == shard.number {
        files.append(file)
      } else if FileManager.default.fileExists(atPath: path) {
        files.append(try open(path))
      } else {
        break
      }
    }
    // Without the first file there is no order; the error says that it is missing.
    if files.isEmpty { return [file] }
    guard files.contains(where: { $0 === file }) || files.last?.index.isLastShard != true else {
      throw BundleError(
        .shards, in: file.name,
        "this is file \(shard.number) of a bundle, but the bundle in its directory ends with file "
          + "\(files.count); the file is left from an older one")
    }
    return files
  }

  init(files: [BundleFile]) throws {
    self.files = try Self.inOrder(files)
  }

  private static func inOrder(_ files: [BundleFile]) throws -> [BundleFile] {
    guard files.count > 1 || files[0].header.shard != nil else { return files }
    try checkBelongTogether(files)
    let sorted = files.sorted {
      ($0.header.shard?.number ?? 0) < ($1.header.shard?.number ?? 0)
    }
    var previous: BundleFile?
    for file in sorted {
      guard let shard = file.header.shard else {
        throw BundleError(
          .shards, in: file.name, "this is a whole bundle, not a file of a split bundle")
      }
      let expected = (previous?.header.shard?.number ?? 0) + 1
      guard shard.number == expected else {
        throw BundleError(
          .shards, in: file.name,
          shard.number < expected
            ? "file \(shard.number) of the bundle was given twice"
            : "this is file \(shard.number) of the bundle, and file \(expected) is missing: give "
              + "all its files")
      }
      guard shard.previousSHA256 == previous?.indexSHA256 else {
        throw BundleError(
          .shards, in: file.name,
          "this file does not follow '\(previous?.name ?? "")': they belong to different bundles")
      }
      if let previous, previous.index.isLastShard == true {
        throw BundleError(
          .shards, in: file.name,
          "the bundle ends with '\(previous.name)', the file before this one")
      }
      previous = file
    }
    guard let last = previous, last.index.isLastShard == true else {
      throw BundleError(
        .shards, in: sorted.last?.name ?? "",
        "the bundle continues after this file, and file \(sorted.count + 1) is missing: give all "
          + "its files")
    }
    return sorted
  }

  /// Checks that the headers describe the same container.
  /// - Throws: ``BundleError`` if a file belongs to another bundle.
  private static func checkBelongTogether(_ files: [BundleFile]) throws {
    for file in files.dropFirst() where file.header.container != files[0].header.container {
      throw BundleError(
        .shards, in: file.name,
        "its header describes another container than that of '\(files[0].name)': they belong to "
          + "different bundles")
    }
  }

  /// The sections of all files. One that continues in another file has the frames of its first.
  public var sections: [BundleSection] {
    var merged: [BundleSection] = []
    for (number, file) in files.enumerated() {
      for section in file.index.sections {
        // The zones are repeated in every file.
        if number > 0 && section.kind == .zone { continue }
        // Sections are in order, so only the last one can continue in the next file.
        if let last = merged.last, !last.key.precedes(section.key) {
          merged[merged.count - 1].lines += section.lines
          merged[merged.count - 1].bytes += section.bytes
          merged[merged.count - 1].assets += section.assets
        } else {
          merged.append(section)
        }
      }
    }
    return merged
  }

  /// The content hash, 16 lowercase hexadecimal digits: the same for the same lines, whatever the
  /// compression level, the version of zstd, and the number and size of files.
  ///
  /// It does not protect against tampering; for that, keep ``indexDigests``.
  public var contentHash: String { ContentHash(of: indexes).description }

  /// SHA-256 of the index frame of each file, 64 lowercase hexadecimal digits. It changes with
  /// every bit of the file that is read.
  public var indexDigests: [String] { files.map(\.indexSHA256) }

  /// The number of records.
  public var recordCount: Int {
    sections.reduce(0) { $0 + ($1.kind == .record ? $1.lines : 0) }
  }
}

extension BundleReader {
  /// Opens a bundle.
  ///
  /// - Parameter url: the URL of the file, or of any file of a split bundle in one directory.
  /// - Throws: as ``init(paths:)``.
  public convenience init(url: URL) throws {
    try self.init(path: url.filePath())
  }

  /// Opens a bundle in memory.
  ///
  /// - Parameters:
  ///   - data: the bytes of a whole bundle, not of a file of a split one.
  ///   - name: the name of the bundle in errors.
  /// - Throws: as ``init(paths:)``.
  public convenience init(data: Data, name: String = "data") throws {
    try self.init(files: [BundleFile(RandomAccessFile(data, name: name))])
  }
}
