import RecordBundle
import RecordModel
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
    let check = try container.verify { if issues.count < maxIssues { issues.append($0) } }
    let folder = try TemporaryFolder()
    let file = folder.file("recovered.sqlite")
    try folder.whileWriting {
      _ = try ContainerStore.build(path: file, onConflict: { _ in .keepExisting }) { target in
        try container.snapshot { try ContainerRecovery.recover($0, into: target) }
      }
    }
    let recovered = try ContainerStore.open(path: file, mode: .readOnly)
    defer { _ = try? recovered.close() }
    let result = try run(
      from: [.container(recovered)], into: .bundle(path: path, overwrite: overwrite))
    return ContainerRecoveryReport(bundle: result.bundle, faults: check.faults, issues: issues)
  }
}
