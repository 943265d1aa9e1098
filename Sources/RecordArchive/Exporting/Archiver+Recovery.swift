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
  /// The rows that the container counts and the bundle does not have: `3 of 37 records of the private
  /// database`.
  public let losses: [String]

  /// Whether the container is intact, so that nothing is missing in the bundle.
  public var isComplete: Bool { faults == 0 && losses.isEmpty }
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
    try recover(container, knowing: [], to: path, overwrite, maxIssues)
  }

  /// Writes everything that is intact in the container at a path, which may be truncated, to a bundle.
  package func recover(
    containerAt source: String, to path: String, overwrite: Bool, maxIssues: Int = 1_000
  ) throws -> ContainerRecoveryReport {
    let (container, issues) = try ContainerStore.openDamaged(path: source)
    defer { _ = try? container.close() }
    return try recover(container, knowing: issues, to: path, overwrite, maxIssues)
  }

  private func recover(
    _ container: ContainerStore, knowing known: [VerificationIssue], to path: String,
    _ overwrite: Bool, _ maxIssues: Int
  ) throws -> ContainerRecoveryReport {
    var issues = known
    // The progress of an export follows.
    let start = ArchiveProgress(records: 0, bytes: 0)
    let check = try container.verify(progress: { _ in try report(start) }) {
      if issues.count < maxIssues { issues.append($0) }
    }
    let recovered = try container.recovered { try report(start) }
    let result = try run(
      from: [.container(recovered)], into: .bundle(path: path, overwrite: overwrite))
    return ContainerRecoveryReport(
      bundle: result.bundle, faults: known.count + check.faults, issues: issues,
      losses: try container.losses(in: recovered))
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

  /// The rows that this container counts, and a copy of everything that is intact does not have.
  fileprivate func losses(in copy: ContainerStore) throws -> [String] {
    try copy.snapshot { copy in try snapshot { try $0.losses(in: copy) } }
  }

  /// Opens a container for reading.
  ///
  /// - Parameter damage: gets the errors of rows that cannot be read. All else is read: if not even the
  ///   tables can be read by which records are found, from a temporary copy of everything that is intact.
  package static func open(path: String, leavingOut damage: DamageLog) throws -> ContainerStore {
    let (store, issues) = try openDamaged(path: path, leavingOut: damage)
    if issues.isEmpty, try store.hasReadableSections() { return store }
    defer { _ = try? store.close() }
    func add(_ issue: VerificationIssue) {
      damage.add(.damaged(detail: "\(issue)", keepsIdentity: issue.keepsIdentity))
    }
    issues.forEach(add)
    _ = try store.verify(add)
    let recovered = try store.recovered()
    for loss in try store.losses(in: recovered) {
      damage.add(.damaged(detail: "\(loss) cannot be read"))
    }
    return recovered
  }

  private func hasReadableSections() throws -> Bool {
    do {
      return try snapshot { try $0.hasReadableSections() }
    } catch let error as ContainerStoreError where error.code == .damaged {
      return false
    }
  }

  /// Opens a container for reading, even if its file was truncated: then a temporary copy, in which the
  /// missing pages are empty.
  ///
  /// - Returns: the container, and the problem of its file.
  package static func openDamaged(
    path: String, leavingOut damage: DamageLog? = nil
  ) throws -> (container: ContainerStore, issues: [VerificationIssue]) {
    do {
      return (try open(path: path, mode: .readOnly, leavingOut: damage), [])
    } catch let error as ContainerStoreError where error.code == .damaged {
      let folder = try TemporaryFolder()
      let copy = folder.file("completed.sqlite")
      return try folder.whileWriting {
        guard let sizes = try completeTruncated(path: path, to: copy) else { throw error }
        // A file without its first page has no tables.
        guard let completed = try? open(path: copy, mode: .readOnly) else { throw error }
        defer { _ = try? completed.close() }
        let issue = VerificationIssue(
          place: "the file",
          problem:
            "it is truncated: it has \(sizes.size) bytes, and its header says \(sizes.expected)"
        )
        return (try completed.temporaryCopy(), [issue])
      }
    }
  }
}
