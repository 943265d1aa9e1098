import ArgumentParser
import RecordArchive
import RecordStore

/// The rows of damaged containers that a command leaves out, and the values of apps' stores that could
/// not be decoded.
final class DamagedRows {
  private static let maxShown = 20
  /// The end of a message about a zone that keeps its identity.
  static let identityStays = "except for its name, owner and records, it is left out"

  private let log = DamageLog()
  private var sources: [ArchiveSource] = []

  var isEmpty: Bool { log.count == 0 }

  /// Opens a source. Of a damaged container, it has everything that can be read.
  func source(_ path: String) throws -> ArchiveSource {
    guard !Inputs.isDirectory(path), ArchiveSource.isContainer(path) else {
      let source = try Inputs.source(path)
      sources.append(source)
      return source
    }
    return .container(try ContainerStore.open(path: path, leavingOut: log))
  }

  /// Opens a container as it is.
  func container(_ path: String) throws -> ContainerStore {
    try Inputs.container(path, leavingOut: log)
  }

  /// Names the rows and values that could not be read.
  ///
  /// - Parameter rest: Writes the other findings of the command.
  /// - Throws: `ExitCode.findings` if there are any.
  func finish(_ rest: () throws -> Void = {}) throws {
    let errors = log.errors.prefix(Self.maxShown)
    for error in errors {
      ErrorReport.warn("\(error); " + (error.keepsIdentity ? Self.identityStays : "it is left out"))
    }
    if log.count > errors.count {
      ErrorReport.warn("and \(log.count - errors.count) more; 'recordpack verify' names them")
    }
    let hasLosses = ErrorReport.warn(ofValuesIn: sources)
    try rest()
    if hasLosses || !isEmpty { throw ExitCode.findings }
  }
}
