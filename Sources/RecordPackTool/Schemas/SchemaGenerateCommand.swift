import ArgumentParser
import Foundation
import RecordCoding
import RecordSchema
import RecordText

struct SchemaGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Generate Swift structs for the record types of a schema.",
    discussion: """
      Writes a file for each record type into a directory: a struct with a property
      for each field, the names of the fields, and code that reads it from a record
      and writes it to a draft. A PATH that ends in .swift gets all types in one
      file. Files are written only where they differ; files for types that the
      schema no longer has are removed, so that code that uses them does not build.

      With --check, nothing is written: files that are not what the schema gives are
      listed, and the exit code is 1 if there are any.

      EXAMPLES
        recordpack schema generate schema.ckdb --swift Sources/Model
        recordpack schema generate schema.ckdb --swift Model.swift --access public
        recordpack schema generate schema.ckdb --swift Sources/Model --check
        recordpack schema generate App.xcdatamodeld --swift Sources/Records
      """)

  @Argument(help: "A schema.", completion: .file())
  var schema: String

  @Option(
    help: ArgumentHelp("The directory, or the file, of the Swift code.", valueName: "path"),
    completion: .file())
  var swift: String

  @Option(help: ArgumentHelp("The access level: internal, package or public.", valueName: "level"))
  var access = SwiftSource.Options.Access.internal

  @Flag(help: "Add the change tag, the dates, the users and the share.")
  var systemFields = false

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      "A module to import in place of RecordCoding and RecordModel. May be given several times.",
      valueName: "module"))
  var modules: [String] = []

  @Flag(help: "List the files that would change, and exit with 1 if there are any.")
  var check = false

  @OptionGroup var models: ModelOptions
  @OptionGroup var report: ReportOptions

  func validate() throws {
    try refuse(report.givenColor, "to Swift code, which has no colours")
    if swift.isEmpty { throw ValidationError("--swift has an empty path") }
    for module in modules where !SchemaNames.isPlain(module) {
      throw ValidationError("'\(module)' is not the name of a module")
    }
  }

  func run() throws {
    let document = try SchemaInput.whole(schema, models)
    var options = SwiftSource.Options()
    options.access = access
    options.hasSystemFields = systemFields
    if !modules.isEmpty { options.imports = modules }
    let source = SwiftSource(document.schema, options)
    guard !source.files.isEmpty else { throw CommandError("the schema has no record types") }
    let files = try GeneratedFiles(source, at: swift)
    let changes = try check ? files.changes() : files.write()
    let list = ChangeList(changes: changes, isCheck: check)
    guard check else { return try report.tell(list) }
    try report.write(list)
    if !changes.isEmpty { throw ExitCode.findings }
  }
}

private struct ChangeList: CommandReport {
  static let format = "schema.swift"
  let changes: [GeneratedFiles.Change]
  /// Whether the files are only compared.
  let isCheck: Bool

  func lines(_ style: TerminalStyle) -> [String] {
    changes.map { "\($0.path.visible) \(isCheck ? $0.kind.staleText : $0.kind.doneText)" }
  }

  var json: JSONValue {
    let items = changes.map { change -> JSONValue in
      ["path": change.path, "change": change.kind.rawValue]
    }
    return isCheck ? ["stale": items] : ["written": items]
  }
}

extension SwiftSource.Options.Access: ExpressibleByArgument {}

/// Generated Swift code beside the files at its place.
struct GeneratedFiles {
  /// A file that is not what the schema gives.
  struct Change {
    enum Kind: String {
      case create, replace, remove

      var doneText: String {
        switch self {
        case .create, .replace: "written"
        case .remove: "removed: the schema does not have the type"
        }
      }

      var staleText: String {
        switch self {
        case .create: "is missing"
        case .replace: "is not what the schema gives"
        case .remove: "is of a type that the schema does not have"
        }
      }
    }

    let path: String
    let kind: Kind
    /// The content; nil for a file that is not there.
    let old: Data?
    /// The content to write; nil to remove the file.
    let text: String?
  }

  private let directory: String?
  /// The content of each file, by its path.
  private let files: [(path: String, text: String)]

  init(_ source: SwiftSource, at path: String) throws {
    if path.hasSuffix(".swift") {
      directory = nil
      files = [(path, source.merged)]
    } else {
      let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
      directory = folder
      files = source.files.map { (folder + "/" + $0.name, $0.text) }
    }
  }

  /// The files that differ, sorted by path.
  func changes() throws -> [Change] {
    var changes: [Change] = []
    for file in files {
      guard let old = try Self.content(of: file.path) else {
        changes.append(Change(path: file.path, kind: .create, old: nil, text: file.text))
        continue
      }
      if old == Data(file.text.utf8) { continue }
      guard Self.isGenerated(old) else {
        throw CommandError(
          "'\(file.path)' was not generated by this command; move it, or choose another directory")
      }
      changes.append(Change(path: file.path, kind: .replace, old: old, text: file.text))
    }
    return (changes + (try staleFiles())).sorted { $0.path < $1.path }
  }

  /// Generated files for types that the schema does not have.
  private func staleFiles() throws -> [Change] {
    guard let directory, FileManager.default.fileExists(atPath: directory) else { return [] }
    let known = Set(files.map(\.path))
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: directory)
    } catch {
      throw CommandError("'\(directory)' cannot be read as a directory")
    }
    return try names.sorted().compactMap { name in
      let path = directory + "/" + name
      guard name.hasSuffix(".swift"), !known.contains(path), let old = try Self.content(of: path),
        Self.isGenerated(old)
      else { return nil }
      return Change(path: path, kind: .remove, old: old, text: nil)
    }
  }

  /// Writes the files that differ, and removes those of other types.
  func write() throws -> [Change] {
    let changes = try changes()
    if let directory, !changes.isEmpty {
      do {
        try FileManager.default.createDirectory(
          atPath: directory, withIntermediateDirectories: true)
      } catch {
        throw CommandError("the directory '\(directory)' cannot be created")
      }
    }
    let old = try changes.map { change in
      try change.old.map { try FileChange(of: change.path, from: Array($0)) }
    }
    try Interruption.whileWriting {
      for (change, old) in zip(changes, old) {
        switch (old, change.text) {
        case (let old?, let text?): try old.replace(with: text)
        case (let old?, nil): try old.remove()
        case (nil, let text): try FileChange.create(change.path, text ?? "")
        }
      }
    }
    return changes
  }

  /// Returns the content of a file; nil if there is none.
  private static func content(of path: String) throws -> Data? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard !Inputs.isDirectory(path), let data = FileManager.default.contents(atPath: path) else {
      throw CommandError("'\(path)' cannot be read")
    }
    return data
  }

  private static func isGenerated(_ content: Data) -> Bool {
    content.starts(with: SwiftSource.firstLine.utf8)
  }
}
