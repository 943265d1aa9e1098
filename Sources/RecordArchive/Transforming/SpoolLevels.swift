import Synchronization

/// Sorted runs in temporary files.
///
/// The runs of a file are merged into one run of the next file when there are too many, because
/// each needs memory while they are merged.
final class SpoolLevels: @unchecked Sendable {
  // Unchecked: one thread at a time uses it.
  private struct Level {
    let file: SpoolFile
    var runs: [Range<UInt64>] = []
  }

  private let maxRuns: Int
  private let makePath: @Sendable () throws -> String
  private var levels: [Level] = []
  /// Whether lines that are not written stay in memory.
  private let isStopped = Atomic(false)

  init(maxRuns: Int, _ makePath: @escaping @Sendable () throws -> String) {
    self.maxRuns = maxRuns
    self.makePath = makePath
  }

  /// Lets ``write(_:)``, on another thread, end soon.
  func stop() { isStopped.store(true, ordering: .relaxed) }

  /// Writes lines as one run, and removes those that are written.
  func write(_ run: SortRun) throws {
    do {
      try write(to: 0) { file in
        try run.removeAll(while: { !isStopped.load(ordering: .relaxed) }, file.append)
      }
    } catch {
      run.removeAll()
      throw error
    }
    var index = 0
    while levels[index].runs.count >= maxRuns, !isStopped.load(ordering: .relaxed) {
      let level = levels[index]
      try write(to: index + 1) { file in try merge(level, file.append) }
      try level.file.removeAll()
      levels[index].runs = []
      index += 1
    }
  }

  private func write(to index: Int, _ body: (SpoolFile) throws -> Void) throws {
    if index == levels.count { levels.append(Level(file: try SpoolFile(path: makePath()))) }
    let file = levels[index].file
    let start = file.end
    try body(file)
    try file.finishBlock()
    levels[index].runs.append(start..<file.end)
  }

  /// Calls `body` with all lines in order, also those of sorted runs in memory, and removes those
  /// in files.
  func drain(
    with sorted: [SortRun],
    _ body: (UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    defer { levels = [] }
    var heap = RunHeap(try levels.flatMap(runs) + sorted.map(SpoolRun.init))
    try heap.forEach(body)
  }

  private func merge(
    _ level: Level,
    _ body: (UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var heap = RunHeap(try runs(of: level))
    try heap.forEach(body)
  }

  private func runs(of level: Level) throws -> [SpoolRun] {
    try level.runs.map { try SpoolRun(level.file, $0) }
  }
}

/// Runs by their next lines, the least one first.
private struct RunHeap {
  private var runs: [SpoolRun]

  init(_ runs: [SpoolRun]) {
    self.runs = runs.filter { !$0.isAtEnd }
    for index in stride(from: self.runs.count / 2 - 1, through: 0, by: -1) { sink(index) }
  }

  mutating func forEach(
    _ body: (UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    while let run = runs.first {
      try body(run.rank, run.name, run.line)
      try run.advance()
      if run.isAtEnd {
        runs.swapAt(0, runs.count - 1)
        runs.removeLast()
      }
      sink(0)
    }
  }

  private mutating func sink(_ start: Int) {
    var parent = start
    while true {
      let child = 2 * parent + 1
      guard child < runs.count else { return }
      let hasOther = child + 1 < runs.count
      let least = hasOther && runs[child + 1].precedes(runs[child]) ? child + 1 : child
      guard runs[least].precedes(runs[parent]) else { return }
      runs.swapAt(parent, least)
      parent = least
    }
  }
}
