import Foundation

/// A destination for the bytes of a ``FrameWriter``.
///
/// Calls come from one thread at a time, but not always from the same one; a sink is handed over
/// under a lock.
package protocol FrameSink: AnyObject, Sendable {
  /// The name of the destination in errors.
  var name: String { get }

  func write(_ bytes: UnsafeRawBufferPointer) throws

  /// Does the slow part of ``commit()`` in advance, for several sinks that are committed together.
  func prepareToCommit() throws

  /// Makes the written bytes final. The writer does not call this; the owner of the sink does, once
  /// everything that belongs together has been written.
  func commit() throws

  /// Discards the written bytes as far as possible. Does nothing after ``commit()``.
  func discard()
}

extension FrameSink {
  package func prepareToCommit() throws {}
}

/// Opens destinations.
package enum FrameOutput {
  /// Opens the destination at a path: a file is written beside the path and renamed at the end, a
  /// pipe or a device is written in place.
  /// - Parameters:
  ///   - path: the path of the destination; `-` is standard output.
  ///   - overwrite: whether to replace an existing file; if not, one is an error.
  package static func open(path: String, overwrite: Bool = true) throws -> any FrameSink {
    if path == "-" { return DescriptorSink(descriptor: STDOUT_FILENO, name: "standard output") }
    if let type = try AtomicFile.existingType(path), type == S_IFIFO || type == S_IFCHR {
      return try DescriptorSink(openingPath: path)
    }
    return try AtomicFile(path: path, overwrite: overwrite)
  }

  /// Opens a destination, and commits what `body` writes to it.
  package static func write<R>(
    to path: String, overwrite: Bool, _ body: (any FrameSink) throws -> R
  ) throws -> R {
    let sink = try open(path: path, overwrite: overwrite)
    do {
      let result = try body(sink)
      try sink.commit()
      return result
    } catch {
      sink.discard()
      throw error
    }
  }
}
