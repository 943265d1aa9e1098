import AppStores
import ArgumentParser
import Foundation
import RecordArchive
import RecordBundle
import RecordCoding
import RecordSchema
import RecordStore
import RecordText

/// Reads a schema argument: a file, standard input, a git revision, the schema of a bundle or
/// container, or the model of an app.
enum SchemaInput {
  static func document(
    _ argument: String, _ options: ModelOptions = .standard
  ) throws -> SchemaDocument {
    if let model = try ModelInput(options).document(argument) { return model }
    if argument == "-" || FileManager.default.fileExists(atPath: argument) {
      let isReadOnce = argument == "-" || Inputs.isPipe(argument)
      return try Inputs.reading(argument, "a schema") {
        try document(
          from: $0, named: Inputs.name(argument), at: isReadOnce ? nil : argument)
      }
    }
    if argument.contains(":") {
      return try GitRevision.model(argument, options) ?? GitRevision.document(argument)
    }
    throw CommandError(
      "there is no file '\(argument)'; a schema in git is named by revision and path: "
        + "main:CloudKit/schema.ckdb")
  }

  /// Reads a schema like ``document(_:_:)``. Ends the command with all diagnostics if it is invalid.
  ///
  /// - Parameter format: The report format; `github` adds annotations.
  static func valid(
    _ argument: String, _ format: SchemaReportFormat, _ options: ModelOptions = .standard
  ) throws -> SchemaDocument {
    let document = try document(argument, options)
    if document.hasErrors { try refuse(document, format) }
    return document
  }

  /// Reads a schema for a command that does not report the findings of a model.
  ///
  /// - Parameter format: The format of the command's report, which has the notes on a model; nil if the
  ///   command has no report.
  ///
  /// Ends the command if declarations of a model were not read, because its schema would lack them. So it
  /// does if the model is not mirrored or has no such configuration, because its schema would be empty. Where
  /// the types of a field contradict each other, its schema would have one of them.
  static func whole(
    _ argument: String, _ options: ModelOptions = .standard,
    _ format: SchemaReportFormat? = nil
  ) throws -> SchemaDocument {
    let document = try valid(argument, format ?? .text, options)
    guard let model = document.model else { return document }
    if format == nil { document.tellNotes() }
    let report = try SchemaChecker().validate(document)
    let incomplete: Set<SchemaRule.ID> = [
      "MODEL_NOT_MIRRORED", "MODEL_CONFIGURATION", "MODEL_FIELD_CONFLICT",
    ]
    if let finding = report.findings.first(where: { incomplete.contains($0.rule) }) {
      let place = finding.location.map { "\($0): " } ?? ""
      let file =
        model.kind == .coreData
        ? "name the .xcdatamodeld"
        : "name the classes without this file: their folder, or their .swift file"
      let advice =
        finding.rule == "MODEL_NOT_MIRRORED"
        ? "; to read the model as a mirrored one, \(file)" : finding.hint.map { "; \($0)" } ?? ""
      ErrorReport.report("\(place)\(finding.message)\(advice)", .findings)
      throw ExitCode.findings
    }
    let unread = report.findings.filter { $0.rule == "MODEL_NOT_READ" }
    if unread.isEmpty { return document }
    for finding in unread.prefix(20) {
      let place = finding.location.map { "\($0): " } ?? ""
      ErrorReport.warn(place + finding.message)
    }
    ErrorReport.report(
      "\(Numbers.count(unread.count, "declaration")) of '\(document.name)' not read, so the schema "
        + "would lack fields; write the types in the code, or allow them with a comment: "
        + "// recordpack:allow MODEL_NOT_READ reason", .findings)
    throw ExitCode.findings
  }

  static func refuse(_ document: SchemaDocument, _ format: SchemaReportFormat) throws
    -> Never
  {
    ProgressBar.clearLine()
    if format == .github {
      let output = StandardOutput()
      try output.write(document.gitHubAnnotations)
      try output.flush()
    }
    var text = document.diagnosticText()
    if ErrorReport.isJSON {
      ErrorReport.report(text, .failed, at: ["file": document.name])
      throw ExitCode.failed
    }
    if format == .github {
      // The runner reads commands from this stream too, so no line may start with text from a file.
      text =
        text.split(separator: "\n").map { "recordpack: " + $0 }.joined(separator: "\n")
        .separatingCommands
    }
    StandardError.write(text + "\n")
    throw ExitCode.failed
  }

  /// The size limit of a piped bundle in bytes.
  private static let maxPiped = 1 << 30

  /// Reads a schema, a bundle or a container, recognized by its first bytes.
  ///
  /// - Parameter path: The path to open again; nil for input that can be read only once.
  private static func document(
    from file: FileHandle, named name: String, at path: String?
  ) throws -> SchemaDocument {
    var bytes = try Inputs.bytes(of: file, named: name, atMost: SchemaDocument.maxSize)
    guard isArchive(bytes) else { return SchemaDocument(parsing: bytes, name: name) }
    let source: ArchiveSource
    if let path {
      source = try Inputs.source(path)
    } else {
      bytes += try Inputs.bytes(of: file, named: name, atMost: maxPiped)
      guard bytes.count <= maxPiped else {
        throw CommandError("'\(name)' is larger than \(Numbers.size(maxPiped)); name a file")
      }
      source = .bundle(try BundleReader(data: Data(bytes), name: name))
    }
    guard let document = try source.info().schemaDocument(of: name) else {
      throw CommandError(
        "'\(name)' has no schema; 'recordpack schema infer' creates one from its records")
    }
    return document
  }

  /// Whether a schema argument is the path of a bundle or container, or of a store of Core Data.
  static func isArchive(at argument: String) -> Bool {
    let head = Inputs.head(of: argument, 100)
    return isArchive(head) && (!isForeignDatabase(head) || AppStoreFile.isCoreData(argument))
  }

  /// Whether the first 100 bytes are those of a database that is no container. A container has an
  /// identifier of its own in its header.
  static func isForeignDatabase(_ head: [UInt8]) -> Bool {
    head.count == 100 && head.starts(with: "SQLite format 3\u{0}".utf8)
      && !head[68..<72].elementsEqual("RPck".utf8)
  }

  /// Whether bytes start with the SQLite header or the magic number of a zstd frame.
  private static func isArchive(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: Array("SQLite format 3\u{0}".utf8)) { return true }
    guard bytes.count >= 4 else { return false }
    return bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
      || bytes[0] & 0xF0 == 0x50 && bytes[1..<4].elementsEqual([0x2A, 0x4D, 0x18])
  }
}

extension SchemaDocument {
  /// Writes the notes on a model that no report has to standard error.
  func tellNotes() {
    for note in model?.notes ?? [] { ErrorReport.note("'\(name)': \(note)") }
  }
}

/// Reads a file from a revision of the git repository around the working directory.
enum GitRevision {
  /// - Parameter name: A revision and a path, `main:CloudKit/schema.ckdb`. A path that starts with
  ///   `./` is relative to the working directory, any other to the root of the repository.
  static func document(_ name: String) throws -> SchemaDocument {
    guard !name.hasPrefix("-") else { throw CommandError("'\(name)' is not a git revision") }
    let (status, output, errors) = try run(["cat-file", "blob", name])
    guard status == 0 else {
      throw CommandError(
        "'\(name)' is neither a file nor a file in git: "
          + (errors.split(separator: "\n").first.map(String.init) ?? "git ended with \(status)"))
    }
    return SchemaDocument(parsing: Array(output), name: name)
  }

  /// Reads the model of an app in a revision: a folder, an `.xcdatamodeld` or a Swift file, with a version
  /// behind a number sign.
  ///
  /// - Returns: nil if the name is that of another file.
  static func model(_ argument: String, _ options: ModelOptions) throws -> SchemaDocument? {
    let parts = argument.split(separator: "#", maxSplits: 1).map(String.init)
    guard let colon = parts[0].firstIndex(of: ":"), !argument.hasPrefix("-") else { return nil }
    let path = String(parts[0][parts[0].index(after: colon)...])
    let type = try run(["cat-file", "-t", parts[0]])
    let isFolder = type.status == 0 && String(decoding: type.output, as: UTF8.self) == "tree\n"
    guard isFolder || path.hasSuffix(".swift") else { return nil }
    let place = FileManager.default.temporaryDirectory
      .appendingPathComponent("recordpack-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: place) }
    let name = path.split(separator: "/").last.map(String.init) ?? "model"
    let copy = place + "/" + (isFolder ? "tree/" + name : name)
    if isFolder {
      // An index of its own, so that the repository's is not touched.
      let index = ["GIT_INDEX_FILE": place + "/index"]
      for arguments in [
        ["read-tree", "--prefix=" + name + "/", parts[0]],
        ["checkout-index", "--all", "--prefix=" + place + "/tree/"],
      ] {
        let (status, _, errors) = try run(arguments, index)
        guard status == 0 else { throw CommandError("git cannot read '\(parts[0])': \(errors)") }
      }
    } else {
      let (status, output, _) = try run(["cat-file", "blob", parts[0]])
      guard status == 0 else { return nil }
      try output.write(to: URL(fileURLWithPath: copy))
    }
    let version = parts.count > 1 ? "#" + parts[1] : ""
    return try ModelInput(options).document(copy + version, named: argument) { file in
      file.hasPrefix(copy) ? path + file.dropFirst(copy.count) : file
    }
  }

  private static func run(
    _ arguments: [String], _ environment: [String: String] = [:]
  ) throws -> (status: Int32, output: Data, errors: String) {
    #if os(macOS) || os(Linux)
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["git"] + arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      let (output, errors) = (Pipe(), Pipe())
      process.standardOutput = output
      process.standardError = errors
      process.standardInput = FileHandle.nullDevice
      do {
        try process.run()
      } catch {
        throw CommandError("cannot run git: \(error.reason)")
      }
      // Git writes at most one line of errors here, which fits into the pipe's buffer.
      var data = Data()
      while let piece = try output.fileHandleForReading.read(upToCount: 1 << 16), !piece.isEmpty {
        if data.count <= SchemaDocument.maxSize { data.append(piece) }
      }
      let text = try errors.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      return (process.terminationStatus, data, String(decoding: text, as: UTF8.self))
    #else
      throw CommandError("git does not run on this platform")
    #endif
  }
}
