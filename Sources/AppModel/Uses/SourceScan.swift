import RecordSchema

/// Finds the record types and fields that the Swift source code of an app uses.
///
/// ```swift
/// let scan = SourceScan(files: [("Sources/Note.swift", bytes)], named: "Sources")
/// let report = try SchemaChecker().check(scan.uses, against: production)
/// ```
///
/// Only the code is read, without a compiler. A subscript counts only if the code tells that it is
/// that of a record: a `CKRecord`, `DraftRecord` or `ResultRecord` that is declared, created, passed
/// or returned as such in the scanned files. Unknown uses are left out, and keys that are
/// computed are counted. Files that import `XCTest` or `Testing` are left out if there are others,
/// because production need not have what tests use.
public struct SourceScan: Sendable {
  /// The maximum size of a file in bytes. Larger files are data, not code that people write.
  package static let maxSize = 4 << 20

  /// The record types and fields that the files use.
  public let uses: SourceUses

  /// Scans files, which are seen as one program: a constant of one file can be a key in another.
  ///
  /// Any bytes are accepted. Takes time linear in the size of the files.
  ///
  /// - Parameters:
  ///   - files: The name and the content of each file.
  ///   - name: The display name of the files as a whole.
  ///   - allowsCloudKit: Whether the app's entitlements allow CloudKit, as far as they are known.
  public init(
    files: [(name: String, bytes: [UInt8])], named name: String, allowsCloudKit: Bool = true
  ) {
    let all = files.map { SourceFile(name: $0.name, bytes: $0.bytes) }
    let files = all.allSatisfy(\.isOfTests) ? all : all.filter { !$0.isOfTests }
    let index = SourceIndex(files)
    var uses = SourceUses(source: name, files: files.count, uses: [])
    for file in files {
      var scanner = UseScanner(file, index)
      scanner.scan()
      uses.uses += scanner.uses.sorted { $0.location.span.offset < $1.location.span.offset }
      uses.computed += scanner.computed.sorted { $0.span.offset < $1.span.offset }
      uses.comments += file.suppressions
    }
    uses.addGaps(of: files, allowsCloudKit: allowsCloudKit)
    self.uses = uses
  }
}
