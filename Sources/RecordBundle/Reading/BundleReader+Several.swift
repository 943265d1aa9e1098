extension BundleReader {
  /// Opens several bundles, and combines the files of split ones; in the order of their first
  /// files.
  ///
  /// - Parameter paths: the paths of whole bundles, and of all or some files of split bundles,
  ///   whose other files are searched in the same directory. `-` is standard input.
  /// - Throws: as ``init(paths:)``.
  public static func open(_ paths: [String]) throws -> [BundleReader] {
    try openEach(paths).map { try $0.get() }
  }

  /// Opens several files as `open(_:)`, and continues if one cannot be opened.
  ///
  /// Every path is opened once, so it may be a pipe.
  ///
  /// - Returns: the bundles, and an error for each file or bundle that cannot be opened.
  package static func openEach(_ paths: [String]) -> [Result<BundleReader, any Error>] {
    var opened = OpenedFiles()
    for path in paths { opened.add(path) }
    var results: [Result<BundleReader, any Error>] = opened.errors.map { .failure($0) }
    var reported = Set(opened.errors.map { "\($0)" })
    var read: Set<String> = []
    for group in opened.groups() {
      // Files of an earlier bundle, or files that were given twice.
      if group[0].header.shard != nil, group.allSatisfy({ read.contains($0.name) }) { continue }
      let result = Result { try BundleReader(completing: group, opened) }
      switch result {
      case .success(let reader):
        read.formUnion(reader.fileNames)
        results.append(result)
      case .failure(let error):
        if reported.insert("\(error)").inserted { results.append(result) }
      }
    }
    return results
  }

  /// Opens a bundle, and searches missing files in the directory of the first.
  /// - Parameter group: consecutive files.
  private convenience init(completing group: [BundleFile], _ opened: OpenedFiles) throws {
    var files = group
    if let shard = group[0].header.shard,
      shard.number > 1 || group.last?.index.isLastShard != true
    {
      let beside = try Self.siblings(of: group[0], shard) { path in try opened.file(at: path) }
      let isAmongThem = group.allSatisfy { file in beside.contains { $0 === file } }
      if isAmongThem { files = beside }
    }
    try self.init(files: files)
  }
}

/// Files that were opened together, each once.
private struct OpenedFiles {
  private var files: [BundleFile] = []
  private var results: [String: Result<BundleFile, any Error>] = [:]
  /// The errors of files that could not be opened.
  private(set) var errors: [any Error] = []

  mutating func add(_ path: String) {
    let result = Result { try BundleFile(path: path) }
    if results[path] == nil { results[path] = result }
    switch result {
    case .success(let file): files.append(file)
    case .failure(let error): errors.append(error)
    }
  }

  /// Returns the file at a path, and opens it if it is not yet open.
  func file(at path: String) throws -> BundleFile {
    try results[path]?.get() ?? BundleFile(path: path)
  }

  /// Returns the files in chains: each file of a split bundle has the digest of the previous one.
  func groups() -> [[BundleFile]] {
    let digests = Set(files.map(\.indexSHA256))
    let starts = files.filter { file in
      file.header.shard?.previousSHA256.map { !digests.contains($0) } ?? true
    }
    var rest = files
    var groups: [[BundleFile]] = []
    // The last ones are files that were given twice.
    for first in starts + files {
      var group: [BundleFile] = []
      var next: BundleFile? = first
      while let file = next, let place = rest.firstIndex(where: { $0 === file }) {
        rest.remove(at: place)
        group.append(file)
        next = follower(of: file, among: rest)
      }
      if !group.isEmpty { groups.append(group) }
    }
    return groups
  }

  /// Returns the next file of a split bundle.
  private func follower(of file: BundleFile, among rest: [BundleFile]) -> BundleFile? {
    guard let number = file.header.shard?.number, number < ShardOutput.maxShards else { return nil }
    let candidates = rest.filter { $0.header.shard?.previousSHA256 == file.indexSHA256 }
    // Two copies of a set are not mixed.
    guard let path = ShardNames.sibling(number + 1, of: file.name, numbered: number),
      results[path] != nil
    else { return candidates.first }
    return candidates.first { $0.name == path }
  }
}
