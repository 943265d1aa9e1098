/// The files of a damaged bundle, in order, and which of them are missing.
///
/// Each file's header repeats the digest of the previous index. It distinguishes a file of another
/// set, such as an older one of the same container, from the next file of this set.
struct DamagedBundle {
  /// The files, in order.
  private(set) var sources: [RecoveryFile] = []
  /// The contents known to be missing; each is a sentence.
  private(set) var losses: [String] = []
  /// The unresolved questions; each is a sentence.
  private(set) var unknowns: [String] = []
  /// Files in the same directory that belong to another bundle; each is a sentence.
  private(set) var notes: [String] = []
  private var unreadable: [(number: Int?, error: BundleError)] = []

  /// The only file that was given or found.
  var only: RecoveryFile? { sources.count == 1 && unreadable.isEmpty ? sources[0] : nil }

  /// Whether the bundle is known to have only one file.
  var isOneFile: Bool { sources.contains(where: \.isWhole) }

  /// Scans the files, and sorts them.
  ///
  /// - Throws: ``BundleError`` for given files of several bundles, and if none is
  ///   readable.
  init(_ files: RecoveryFiles, progress: RecoveryProgress) throws {
    func scan(_ entry: RecoveryFiles.Entry) throws -> RecoveryFile? {
      switch entry.file {
      case .success(let file):
        return try RecoveryFile(file) { try progress.scan(entry.path, $0) }
      case .failure(let error):
        unreadable.append((entry.number, error))
        return nil
      }
    }
    let named = try files.named.compactMap(scan)
    sources = named
    try check()
    if !isOneFile {
      for entry in files.siblings {
        do {
          if let source = try scan(entry) { add(source, numbered: entry.number) }
        } catch let error as BundleError where [.tooNew, .shards].contains(error.code) {
          notes.append("'\(entry.path)' was left out: \(error.message)")
        }
      }
    }
    guard !sources.isEmpty else {
      throw unreadable.first?.error
        ?? BundleError(.misuse, in: "bundle", "no file was given")
    }
    try keepOneBundle(named)
    addProblems()
  }

  /// Adds a file that was found by its name.
  private mutating func add(_ source: RecoveryFile, numbered number: Int?) {
    // A whole bundle with a similar name does not belong to the set.
    guard !source.isWhole else { return }
    guard source.number == number else {
      notes.append("'\(source.name)' was left out: its header does not have the number of its name")
      return
    }
    sources.append(source)
  }

  /// Checks that the given files may belong to one bundle.
  private func check() throws {
    let known = sources.filter { $0.header != nil }
    if sources.count > 1, let whole = sources.first(where: \.isWhole) {
      throw Self.twoBundles(whole, sources.first { $0 !== whole } ?? whole)
    }
    for source in known.dropFirst() where source.header?.container != known[0].header?.container {
      throw Self.twoBundles(source, known[0])
    }
    let numbers = sources.compactMap(\.number)
    guard Set(numbers).count == numbers.count else {
      throw BundleError(
        .shards, in: sources[0].name, "a file of the split bundle was given twice")
    }
  }

  private static func twoBundles(_ source: RecoveryFile, _ other: RecoveryFile) -> BundleError {
    BundleError(
      .shards, in: source.name,
      "the file and '\(other.name)' belong to two bundles; recover them separately")
  }
}

extension DamagedBundle {
  /// Sorts the files, and drops those that do not belong to the bundle of the given ones.
  private mutating func keepOneBundle(_ named: [RecoveryFile]) throws {
    let numbered = sources.filter { $0.number != nil }
      .sorted { ($0.number ?? 0) < ($1.number ?? 0) }
    var runs: [[RecoveryFile]] = []
    for source in numbered {
      if let run = runs.last, Self.continues(run, with: source) {
        runs[runs.count - 1].append(source)
      } else {
        runs.append([source])
      }
    }
    if runs.count > 1 {
      let isNamed = { (source: RecoveryFile) in named.contains { $0 === source } }
      let own = runs.firstIndex { $0.contains(where: isNamed) } ?? 0
      for (place, run) in runs.enumerated() where place != own {
        if let source = run.first(where: isNamed) { throw Self.twoBundles(source, runs[own][0]) }
        notes += run.map { "'\($0.name)' was left out: it belongs to another bundle" }
      }
      runs = [runs[own]]
    }
    sources = (runs.first ?? []) + sources.filter { $0.number == nil }
  }

  /// Whether a file may be a later file of the same bundle.
  private static func continues(_ run: [RecoveryFile], with source: RecoveryFile) -> Bool {
    guard let last = run.last, last.index?.isLastShard != true else { return false }
    let known = run.last { $0.header != nil }?.header?.container
    if let known, let header = source.header, header.container != known { return false }
    return follows(last, source) ?? true
  }

  /// Whether a file directly follows another; nil if that is unknown.
  private static func follows(_ source: RecoveryFile, _ next: RecoveryFile) -> Bool? {
    guard let number = source.number, next.number == number + 1,
      let digest = source.indexDigest, let shard = next.header?.shard
    else { return nil }
    return shard.previousSHA256 == digest.description
  }
}

extension DamagedBundle {
  /// Adds which files are missing, and what is unknown about that.
  private mutating func addProblems() {
    let isSplit = sources.contains(where: \.isShard)
    guard isSplit || sources.count > 1 || !unreadable.isEmpty else { return }
    let numbered = sources.filter { $0.number != nil }
    for source in sources where source.number == nil {
      unknowns.append("the number of '\(source.name)' in the split bundle is unknown")
    }
    let last = numbered.last { $0.index?.isLastShard == true }?.number
    addUnreadable(upTo: last)
    var present = Set(numbered.compactMap(\.number) + unreadable.compactMap(\.number))
    if let last { present = present.filter { $0 <= last } }
    if let end = last ?? present.max() { addMissing(from: present, upTo: end) }
    if last == nil { addUnknownEnd(numbered.last, present.max()) }
    for (source, next) in zip(numbered, numbered.dropFirst())
    where Self.follows(source, next) == nil {
      unknowns.append(
        "whether '\(next.name)' belongs to the same bundle as '\(source.name)' is unknown")
    }
  }

  private mutating func addUnreadable(upTo last: Int?) {
    for (number, error) in unreadable {
      let name = "'\(error.source)'"
      if let number, let last, number > last {
        notes.append("\(name) was left out: the bundle ends with file \(last)")
        continue
      }
      let which = number.map { "file \($0) of the split bundle" } ?? "a file of the split bundle"
      losses.append("\(which): all its lines (\(name): \(error.message))")
    }
  }

  private mutating func addMissing(from present: Set<Int>, upTo end: Int) {
    var missing = (1...end).filter { !present.contains($0) }[...]
    while let first = missing.first {
      let range = missing.enumerated().prefix { $0.element == first + $0.offset }
      missing = missing.dropFirst(range.count)
      let isOne = range.count == 1
      let files = isOne ? "file \(first)" : "files \(first) to \(first + range.count - 1)"
      if sources.contains(where: { $0.number == nil }) {
        unknowns.append(
          "whether \(files) of the split bundle \(isOne ? "was" : "were") given is unknown")
      } else {
        losses.append(
          "\(files) of the split bundle \(isOne ? "was" : "were") not given: all "
            + "\(isOne ? "its" : "their") lines")
      }
    }
  }

  /// Adds that the last file is not among the readable ones.
  private mutating func addUnknownEnd(_ known: RecoveryFile?, _ end: Int?) {
    guard let end else { return }
    // The index of the last file found may say that another follows.
    if let known, known.number == end, known.index?.isLastShard == false {
      losses.append("file \(end + 1) of the split bundle was not given: all its lines")
      unknowns.append("how many files followed file \(end) of the split bundle is unknown")
    } else {
      unknowns.append("whether further files followed file \(end) of the bundle is unknown")
    }
  }
}
