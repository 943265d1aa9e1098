import Foundation
import RecordModel

/// The files of a damaged bundle: which they are, in which order, and which are missing.
enum RecoverySet {
  /// Opens the files, and puts them in order.
  ///
  /// - Throws: ``BundleError`` where they come from several bundles, as far as headers tell.
  static func sources(_ paths: [String], upgrade: FormatUpgrade) throws -> [RecoverySource] {
    var sources = try paths.map { path in
      try RecoverySource(
        path == "-"
          ? RandomAccessFile.standardInput(beginning: .anything)
          : RandomAccessFile(path: path, beginning: .anything),
        upgrade: upgrade)
    }
    guard let first = sources.first else {
      throw BundleError(.notFound, in: "bundle", "no file was named")
    }
    if sources.count == 1 { sources += try siblings(of: first, upgrade) }
    try check(sources)
    return sources.enumerated().sorted {
      let (left, right) = ($0.element.number ?? .max, $1.element.number ?? .max)
      return left != right ? left < right : $0.offset < $1.offset
    }.map(\.element)
  }

  /// The other files of the same bundle, found by their names.
  private static func siblings(
    of source: RecoverySource, _ upgrade: FormatUpgrade
  ) throws -> [RecoverySource] {
    guard let own = ShardNames.number(in: source.name),
      source.header.map({ $0.shard != nil }) ?? true
    else { return [] }
    return try (1...ShardOutput.mostShards).compactMap { number in
      guard number != own,
        let path = ShardNames.sibling(number, of: source.name, numbered: own),
        FileManager.default.fileExists(atPath: path)
      else { return nil }
      let sibling = try RecoverySource(
        RandomAccessFile(path: path, beginning: .anything), upgrade: upgrade)
      // A whole bundle of a similar name is not one of the set.
      return sibling.header.map { $0.shard != nil } ?? true ? sibling : nil
    }
  }

  private static func check(_ sources: [RecoverySource]) throws {
    let known = sources.filter { $0.header != nil }
    for source in known.dropFirst() {
      guard source.header?.container == known[0].header?.container,
        source.header?.shard != nil, known[0].header?.shard != nil
      else {
        throw BundleError(
          .shards, in: source.name,
          "the file and '\(known[0].name)' come from two bundles; recover each by itself")
      }
    }
    let numbers = sources.compactMap(\.number)
    guard Set(numbers).count == numbers.count else {
      throw BundleError(
        .shards, in: sources[0].name, "a file of the split bundle was given twice")
    }
  }

  /// Which files are missing, and what cannot be known of that.
  static func problems(of sources: [RecoverySource]) -> (losses: [String], unknowns: [String]) {
    guard sources.contains(where: \.isShard) || sources.count > 1 else { return ([], []) }
    let numbers = Set(sources.compactMap(\.number))
    let last = sources.last { $0.index?.isLastShard == true }
    let end = last?.number ?? numbers.max() ?? sources.count
    var losses = (1...max(1, end)).filter { !numbers.contains($0) }.map {
      "file \($0) of the split bundle was not given: all its lines"
    }
    var unknowns: [String] = []
    if last == nil {
      // The index of the last file that is there may tell that another follows.
      if let known = sources.last, known.number == end, known.index?.isLastShard == false {
        losses.append("file \(end + 1) of the split bundle was not given: all its lines")
        unknowns.append("how many files followed file \(end) of the split bundle is unknown")
      } else {
        unknowns.append("whether further files followed file \(end) of the bundle is unknown")
      }
    }
    return (losses, unknowns)
  }
}
