import ArgumentParser
import Foundation
import RecordSchema
import RecordText
import SourceScan

struct SchemaScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Check whether production has what an app's Swift code uses.",
    discussion: """
      Reads Swift source code, and reports record types and fields that the schema
      lacks, and fields that the code uses encrypted and the schema has plain, or
      the other way round, with file, line and column.

      Only the code is read: subscripts and calls of what is declared as a CKRecord,
      a DraftRecord or a ResultRecord, records that are created, and queries. What
      the code does not tell is left out. Names that are computed are counted.

      A comment in the line, or above it, allows a known finding:
        // recordpack:allow FIELD_NOT_DEPLOYED is deployed with the next version

      EXAMPLES
        recordpack schema scan Sources --schema production.ckdb
        recordpack schema scan Sources --schema main:CloudKit/schema.ckdb --json
        recordpack schema scan Sources --schema Tact.recordpack --format github
      """)

  @Argument(help: "Swift files, and folders with Swift files.", completion: .file())
  var sources: [String]

  @Option(
    help: ArgumentHelp("The schema of production.", valueName: "schema"), completion: .file())
  var schema: String

  @OptionGroup var report: SchemaReportOptions

  func run() throws {
    let configuration = try report.configuration()
    let document = try SchemaInput.valid(schema, report.format)
    let files = try SwiftFiles.read(sources)
    let scan = SourceScan(files: files, named: sources.joined(separator: ", "))
    let found = try SchemaChecker(configuration: configuration).check(
      scan.uses, against: document)
    try report.tell(found, configuration, ReportedSchemas(to: document))
  }
}

/// Reads Swift files and folders of them.
private enum SwiftFiles {
  /// The maximum total size in bytes.
  private static let maxTotal = 1 << 30

  /// Returns the Swift files at some paths, each once, sorted within a folder.
  ///
  /// Hidden files and folders are left out, such as the products of a build in `.build`.
  ///
  /// Warns of files that are too large or no text, and leaves them out.
  ///
  /// - Throws: ``CommandError`` if a path does not exist, a file cannot be read, or there is no Swift file.
  static func read(_ paths: [String]) throws -> [(name: String, bytes: [UInt8])] {
    var names: [String] = []
    for path in paths { names += try files(at: path) }
    var seen: Set<String> = []
    var total = 0
    var files: [(name: String, bytes: [UInt8])] = []
    for name in names {
      let identity = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
      guard seen.insert(identity).inserted else { continue }
      let bytes = try Inputs.bytes(of: name, "a Swift file", atMost: SourceScan.maxSize)
      guard bytes.count <= SourceScan.maxSize else {
        ErrorReport.warn(
          "'\(name)' is larger than \(Numbers.size(SourceScan.maxSize)) and is not scanned")
        continue
      }
      if let broken = UTF8Check.firstBrokenSpan(in: bytes) {
        ErrorReport.warn(
          "'\(name)' is not scanned: byte \(broken.offset) is not UTF-8, as Swift code is")
        continue
      }
      total += bytes.count
      guard total <= maxTotal else {
        throw CommandError("the Swift files have more than \(Numbers.size(maxTotal))")
      }
      files.append((name, bytes))
    }
    guard !files.isEmpty else {
      throw CommandError("there is no Swift file in '\(paths.joined(separator: "', '"))'")
    }
    return files
  }

  private static func files(at path: String) throws -> [String] {
    guard FileManager.default.fileExists(atPath: path) else {
      throw CommandError("there is no file or folder '\(path)'")
    }
    guard Inputs.isDirectory(path) else {
      guard path.hasSuffix(".swift") else {
        throw CommandError("'\(path)' is no Swift file: its name does not end in '.swift'")
      }
      return [path]
    }
    guard let walk = FileManager.default.enumerator(atPath: path) else {
      throw CommandError("cannot read the folder '\(path)'")
    }
    var found: [String] = []
    for case let name as String in walk {
      if URL(fileURLWithPath: name).lastPathComponent.hasPrefix(".") {
        walk.skipDescendants()
      } else if name.hasSuffix(".swift") {
        found.append(name)
      }
    }
    let folder = path.hasSuffix("/") ? path : path + "/"
    // A folder can have such a name too, as `GRDB.swift` does.
    return found.sorted().map { folder + $0 }.filter { !Inputs.isDirectory($0) }
  }
}
