import Foundation
import RecordPlatform

/// Sorts lines by a rank and a name, in bounded memory: what exceeds it is sorted in runs, which
/// lie compressed in temporary files and are merged.
///
/// While a run is sorted and written on a thread of its own, the next one is collected.
final class SortSpool {
  private let limit: Int
  private let levels: SpoolLevels
  private let background: BackgroundWork?
  private var run = SortRun()
  private var otherRun = SortRun()
  private var isSpilled = false

  /// - Parameters:
  ///   - limit: The number of bytes of lines to keep in memory.
  ///   - maxRuns: The number of runs in a file before they are merged into one.
  ///   - threads: 1 to write runs on the caller's thread.
  ///   - makePath: Returns the path of a temporary file, which is created when it is needed; by
  ///     default, one in a folder that is removed with the spool.
  init(
    limit: Int = 64 << 20, maxRuns: Int = 64, threads: Int,
    makePath: @escaping @Sendable () throws -> String = SpoolFolder().nextFile
  ) {
    self.limit = limit
    levels = SpoolLevels(maxRuns: maxRuns, makePath)
    background = threads > 1 ? BackgroundWork(name: "recordpack.sort") : nil
  }

  deinit { try? background?.wait() }

  /// Adds lines.
  ///
  /// - Parameter release: Called, on any thread, when they are not needed any more.
  func add(_ lines: UnsortedLines, release: @escaping @Sendable () -> Void) throws {
    // One run is collected while another is written.
    if run.size + lines.buffer.count > limit / 2, !run.isEmpty { try spill() }
    run.add(lines, release: release)
  }

  /// Writes the lines in memory to a file, as one run.
  private func spill() throws {
    isSpilled = true
    try background?.wait()
    let full = run
    let write = { @Sendable [levels] in try levels.write(full) }
    if let background { try background.start(write) } else { try write() }
    swap(&run, &otherRun)
  }

  /// Calls `body` with all lines in order, and removes them.
  func drain(
    _ body: (UInt32, _ name: UnsafeRawBufferPointer, _ line: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    defer {
      run.removeAll()
      otherRun.removeAll()
    }
    guard isSpilled else { return try run.removeAll(while: { true }, body) }
    // The last run, and what is not yet written of the one before, need no file.
    levels.stop()
    run.sort()
    try background?.wait()
    try levels.drain(with: [otherRun, run], body)
  }
}

/// A temporary folder that is created when it is needed.
private final class SpoolFolder: @unchecked Sendable {
  // Unchecked: one thread at a time uses it.
  private var folder: TemporaryFolder?
  private var count = 0

  @Sendable func nextFile() throws -> String {
    let folder = try self.folder ?? TemporaryFolder()
    self.folder = folder
    count += 1
    return folder.file("sorted-\(count)")
  }
}
