import Foundation
import RecordCoding
import RecordModel

/// Reads a bundle: one file, or all files of one that was split.
///
/// Opening reads the header and the index, whatever the size. Everything that is read is checked
/// against zstd's checksums and the format; the SHA-256 digests are for ``verify(threads:progress:)``.
public final class BundleReader: Sendable {
  let files: [BundleFile]

  /// The header of the first file.
  public var header: BundleHeader { files[0].header }
  /// What is known of the container.
  public var container: ContainerInfo { header.container }
  /// The index of each file.
  public var indexes: [BundleIndex] { files.map(\.index) }
  /// The names of the files.
  public var fileNames: [String] { files.map(\.name) }
  /// The size of the files in bytes.
  public var size: UInt64 { files.reduce(0) { $0 + $1.frames.file.size } }

  /// Opens a bundle; `-` is standard input.
  ///
  /// - Parameter path: of a split bundle, any file: the others are looked for beside it.
  public convenience init(path: String) throws {
    try self.init(paths: [path])
  }

  /// Opens a bundle of one or several files.
  ///
  /// - Parameter paths: the files of one bundle, in any order.
  /// - Throws: ``FrameError`` and ``BundleError``, which say what the file is instead, or which
  ///   file is missing.
  public convenience init(paths: [String]) throws {
    try self.init(paths: paths, upgrade: .standard)
  }

  /// Opens a bundle whose format version may be any that the steps lead on from.
  init(paths: [String], upgrade: FormatUpgrade) throws {
    var files = try paths.map { path in
      try BundleFile(
        path == "-" ? RandomAccessFile.standardInput() : RandomAccessFile(path: path),
        upgrade: upgrade)
    }
    guard let first = files.first else {
      throw BundleError(.notFound, in: "bundle", "no file was named")
    }
    if files.count == 1, let shard = first.header.shard {
      files = try Self.siblings(of: first, shard)
    }
    self.files = try Self.inOrder(files)
  }

  /// The files that belong to one of a split bundle, found by their names.
  private static func siblings(
    of file: BundleFile, _ shard: BundleHeader.Shard
  ) throws -> [BundleFile] {
    guard ShardNames.sibling(1, of: file.name, numbered: shard.number) != nil else {
      return [file]
    }
    var files: [BundleFile] = []
    while files.last?.index.isLastShard != true {
      let number = files.count + 1
      guard number <= ShardOutput.mostShards,
        let path = ShardNames.sibling(number, of: file.name, numbered: shard.number)
      else { break }
      if number == shard.number {
        files.append(file)
      } else if FileManager.default.fileExists(atPath: path) {
        files.append(try BundleFile(RandomAccessFile(path: path), upgrade: file.upgrade))
      } else {
        break
      }
    }
    return files
  }

  /// Puts files together that belong to one bundle.
  init(files: [BundleFile]) throws {
    self.files = try Self.inOrder(files)
  }

  private static func inOrder(_ files: [BundleFile]) throws -> [BundleFile] {
    guard files.count > 1 || files[0].header.shard != nil else { return files }
    let sorted = files.sorted {
      ($0.header.shard?.number ?? 0) < ($1.header.shard?.number ?? 0)
    }
    var previous: BundleFile?
    for file in sorted {
      guard let shard = file.header.shard else {
        throw BundleError(
          .shards, in: file.name, "this is a whole bundle, not one of several files of one")
      }
      let expected = (previous?.header.shard?.number ?? 0) + 1
      guard shard.number == expected else {
        throw BundleError(
          .shards, in: file.name,
          shard.number < expected
            ? "file \(shard.number) of the bundle was given twice"
            : "this is file \(shard.number) of the bundle, and file \(expected) is missing: give all "
              + "its files")
      }
      guard shard.previousContentDigest == previous?.index.contentDigest else {
        throw BundleError(
          .shards, in: file.name,
          "this file does not follow '\(previous?.name ?? "")': they come from two bundles")
      }
      previous = file
    }
    guard let last = previous, last.index.isLastShard == true else {
      throw BundleError(
        .shards, in: sorted.last?.name ?? "",
        "the bundle goes on after this file, and file \(sorted.count + 1) is missing: give all its "
          + "files")
    }
    return sorted
  }

  /// What lies where, the files' sections put together.
  public var sections: [BundleSection] {
    var merged: [BundleSection] = []
    var places: [String: Int] = [:]
    for (number, file) in files.enumerated() {
      for section in file.index.sections {
        // The zones stand in every file again.
        if number > 0 && section.kind == .zone { continue }
        let zone = section.zoneID.map { "\($0.zoneName)\u{0}\($0.ownerName)" } ?? ""
        let key =
          "\(section.kind) \(section.database?.rawValue ?? "")\u{0}\(zone)\u{0}\(section.recordType ?? "")"
        if let place = places[key] {
          merged[place].lines += section.lines
          merged[place].bytes += section.bytes
          merged[place].assets += section.assets
        } else {
          places[key] = merged.count
          merged.append(section)
        }
      }
    }
    return merged
  }

  /// The number of records.
  public var recordCount: Int {
    sections.filter { $0.kind == .record }.reduce(0) { $0 + $1.lines }
  }
}
