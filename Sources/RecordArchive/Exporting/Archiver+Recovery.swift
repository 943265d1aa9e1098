import RecordBundle
import RecordStore

/// The result of saving what is intact in a damaged container.
public struct ContainerRecoveryReport: Sendable {
  /// The bundle with what is intact.
  public let bundle: BundleSummary
  /// The number of problems of the container.
  public let faults: Int
  /// The first problems of the container.
  public let issues: [VerificationIssue]

  /// Whether the container is intact, so that nothing is missing in the bundle.
  public var isComplete: Bool { faults == 0 }
}

extension Archiver {
  /// Writes everything that is intact in a damaged container to a bundle.
  ///
  /// - Parameters:
  ///   - container: the container, which is not changed.
  ///   - path: the path of the bundle; `-` is standard output.
  ///   - overwrite: whether a file at the path is replaced.
  ///   - maxIssues: the number of problems to report.
  public func recover(
    _ container: ContainerStore, to path: String, overwrite: Bool = true, maxIssues: Int = 1_000
  ) throws -> ContainerRecoveryReport {
    var issues: [VerificationIssue] = []
    // The progress of an export follows.
    let start = ArchiveProgress(records: 0, bytes: 0)
    let check = try container.verify(progress: { _ in try report(start) }) {
      if issues.count < maxIssues { issues.append($0) }
    }
    let recovered = try container.recovered { try report(start) }
    let result = try run(
      from: [.container(recovered)], into: .bundle(path: path, overwrite: overwrite))
    return ContainerRecoveryReport(bundle: result.bundle, faults: check.faults, issues: issues)
  }
}

extension ContainerStore {
  /// Returns a temporary container with everything that is intact in this one.
  ///
  /// - Parameter check: called for each row; may throw to end the recovery.
  package func recovered(check: @escaping () throws -> Void = {}) throws -> ContainerStore {
    let folder = try TemporaryFolder()
    let file = folder.file("recovered.sqlite")
    return try folder.whileWriting {
      _ = try ContainerStore.build(path: file, onConflict: { _ in .keepExisting }) { target in
        try snapshot { try ContainerRecovery.recover($0, into: target, check: check) }
      }
      let recovered = try ContainerStore.open(path: file, mode: .readOnly)
      defer { _ = try? recovered.close() }
      return try recovered.temporaryCopy()
    }
  }

  /// Opens a container for reading.
  ///
  /// - Parameter damage: gets the errors of rows that cannot be read. All else is read: if not even the
  ///   tables can be read by which records are found, from a temporary copy of everything that is intact.
  package static func open(path: String, leavingOut damage: DamageLog) throws -> ContainerStore {
    let store = try open(path: path, mode: .readOnly, leavingOut: damage)
    if try store.snapshot({ try $0.hasReadableSections() }) { return store }
    defer { _ = try? store.close() }
    _ = try store.verify { damage.add(.damaged(detail: "\($0)")) }
    return try store.recovered()
  }
}
