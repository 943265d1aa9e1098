extension BundleReader {
  /// Opens several files at once: each whole bundle, and the files of each split bundle put
  /// together, in the order of their first files.
  ///
  /// - Parameter paths: bundles, and files of split bundles: all files of one, or some, and the
  ///   others are looked for beside them. `-` is standard input.
  /// - Throws: as ``init(paths:)``.
  public static func open(_ paths: [String]) throws -> [BundleReader] {
    try openEach(paths).map { try $0.get() }
  }

  /// Opens several files as ``open(_:)`` does, and goes on where one cannot be opened.
  ///
  /// Every path is opened once, so that it may be a pipe.
  ///
  /// - Returns: the bundles, and an error for each file and each split bundle that cannot be opened.
  public static func openEach(_ paths: [String]) -> [Result<BundleReader, any Error>] {
    var opened = OpenedFiles()
    for path in paths { opened.add(path) }
    var results: [Result<BundleReader, any Error>] = opened.errors.map { .failure($0) }
    var told = Set(opened.errors.map { "\($0)" })
    var read: Set<String> = []
    for group in opened.groups() {
      // Files that the ones before have brought, or that were named twice.
      if group[0].header.shard != nil, group.allSatisfy({ read.contains($0.name) }) { continue }
      let result = Result { try BundleReader(completing: group, opened) }
      switch result {
      case .success(let reader):
        read.formUnion(reader.fileNames)
        results.append(result)
      case .failure(let error):
        if told.insert("\(error)").inserted { results.append(result) }
      }
    }
    return results
  }

  /// - Parameter group: files that follow each other; where they are not all files of a split
  ///   bundle, the others are looked for beside the first.
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
  /// Why files could not be opened.
  private(set) var errors: [any Error] = []

  mutating func add(_ path: String) {
    let result = Result { try BundleFile(path: path) }
    if results[path] == nil { results[path] = result }
    switch result {
    case .success(let file): files.append(file)
    case .failure(let error): errors.append(error)
    }
  }

  /// The file of a path, opened now where it was not among those.
  func file(at path: String) throws -> BundleFile {
    try results[path]?.get() ?? BundleFile(path: path)
  }

  /// Where the next file of a split bundle lies, if it is named like this one.
  private func path(after file: BundleFile) -> String? {
    guard let number = file.header.shard?.number, number < ShardOutput.mostShards else {
      return nil
    }
    return ShardNames.sibling(number + 1, of: file.name, numbered: number)
  }

  /// The files in chains: those of a split bundle name the digest of the file before them.
  func groups() -> [[BundleFile]] {
    let shards = files.filter { $0.header.shard != nil }
    let digests = Set(shards.map(\.indexSHA256))
    let followers = Dictionary(grouping: shards) { $0.header.shard?.previousSHA256 ?? "" }
    var rest = Set(files.map { ObjectIdentifier($0) })
    var groups: [[BundleFile]] = []
    func follower(of file: BundleFile, among candidates: [BundleFile]) -> BundleFile? {
      let candidates = candidates.filter { rest.contains(ObjectIdentifier($0)) }
      // Of two copies of a set, each stays by itself.
      guard let path = path(after: file), results[path] != nil else { return candidates.first }
      return candidates.first { $0.name == path }
    }
    func follow(_ first: BundleFile) {
      var group: [BundleFile] = []
      var next: BundleFile? = first
      while let file = next, rest.remove(ObjectIdentifier(file)) != nil {
        group.append(file)
        guard file.header.shard != nil else { break }
        next = follower(of: file, among: followers[file.indexSHA256] ?? [])
      }
      if !group.isEmpty { groups.append(group) }
    }
    for file in files {
      let previous = file.header.shard?.previousSHA256
      if previous.map({ !digests.contains($0) }) ?? true { follow(file) }
    }
    // Those that were given twice.
    for file in files { follow(file) }
    return groups
  }
}
