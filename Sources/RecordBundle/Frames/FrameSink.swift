import Foundation

/// Where a ``FrameWriter``'s bytes go.
///
/// Calls come from one thread at a time, but not always from the same one.
package protocol FrameSink: AnyObject, Sendable {
  /// What errors call the destination.
  var name: String { get }

  /// Takes all of the bytes, after those of the calls before.
  func write(_ bytes: UnsafeRawBufferPointer) throws

  /// Does what ``commit()`` would take long for, where several are committed together.
  func prepareToCommit() throws

  /// Makes what was written final. The writer does not call this; the one who made the sink
  /// does, once everything that belongs together has been written.
  func commit() throws

  /// Gives up what was written as far as that is possible. Does nothing after ``commit()``.
  func discard()
}

extension FrameSink {
  package func prepareToCommit() throws {}
}

/// Opens destinations.
package enum FrameOutput {
  /// Standard output, which nothing can be taken back from.
  package static var standardOutput: any FrameSink { DescriptorSink.standardOutput }

  /// Opens the destination that a path names: a file is written beside and put in place at the
  /// end, a pipe or a device is written to as it is.
  /// - Parameters:
  ///   - path: the destination.
  ///   - mustNotExist: refuse to replace an existing file.
  package static func open(path: String, mustNotExist: Bool = false) throws -> any FrameSink {
    if let type = try AtomicFile.existingType(path), type == S_IFIFO || type == S_IFCHR {
      return try DescriptorSink(openingPath: path)
    }
    return try AtomicFile(path: path, mustNotExist: mustNotExist)
  }
}
