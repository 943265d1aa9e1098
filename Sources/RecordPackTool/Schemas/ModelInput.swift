import AppModel
import AppStores
import Foundation
import RecordArchive
import RecordCoding
import RecordSchema
import RecordStore
import RecordText

/// Reads a schema argument that is the model of an app: a Core Data model, or Swift code.
struct ModelInput {
  private let options: ModelOptions

  init(_ options: ModelOptions) { self.options = options }

  /// Returns the schema of a model, and says on standard error what was read.
  ///
  /// - Parameter argument: A path, or a path and the name of a version: `App.xcdatamodeld#App 2`,
  ///   `Sources/Models#SchemaV1`.
  /// - Parameters:
  ///   - name: The display name, if it is not the argument.
  ///   - fileName: The name of a file in findings, if it is not its path.
  /// - Returns: nil if the argument is no model.
  func document(
    _ argument: String, named name: String? = nil, fileName: ((String) -> String)? = nil
  ) throws -> SchemaDocument? {
    guard let (path, version) = Self.place(of: argument),
      var model = try model(at: path, version)
    else { return nil }
    let argument = name ?? argument
    if let fileName {
      model.name = argument
      model.renameFiles(fileName)
    }
    ErrorReport.note(
      "'\(argument)' is a model of \(model.kind.title): "
        + Numbers.count(
          model.entities.count, model.kind.noun.one, plural: model.kind.noun.many) + " in "
        + Numbers.count(model.fileCount, "file"))
    return SchemaDocument(model)
  }

  /// The path of an argument, and the version behind its number sign; nil if there is no such file.
  private static func place(of argument: String) -> (path: String, version: String?)? {
    if argument == "-" { return nil }
    if FileManager.default.fileExists(atPath: argument) { return (argument, nil) }
    guard let sign = argument.lastIndex(of: "#") else { return nil }
    let path = String(argument[..<sign])
    let version = String(argument[argument.index(after: sign)...])
    guard !version.isEmpty, FileManager.default.fileExists(atPath: path) else { return nil }
    return (path, version)
  }

  private func model(at path: String, _ version: String?) throws -> MirroredModel? {
    let trimmed = path.hasSuffix("/") ? String(path.dropLast()) : path
    if trimmed.hasSuffix(".xcdatamodeld") || trimmed.hasSuffix(".xcdatamodel") {
      return try dataModel(at: trimmed, version)
    }
    if trimmed.hasSuffix(".mom") || trimmed.hasSuffix(".momd") || trimmed.hasSuffix(".omo") {
      throw CommandError("'\(path)' is a compiled model; name the .xcdatamodeld of the project")
    }
    if Inputs.isDirectory(trimmed) { return try folder(trimmed, version) }
    if trimmed.hasSuffix(".swift") {
      return try swift(SwiftCode(reading: [trimmed]), named: trimmed, version)
    }
    if trimmed.hasSuffix(".sql") {
      let text = try Inputs.text(of: trimmed, "SQL", atMost: ForeignDatabase.maxLength)
      return try tables(of: text, named: trimmed)
    }
    let head = Inputs.head(of: trimmed, 100)
    if SchemaInput.isForeignDatabase(head) { return try database(at: trimmed) }
    guard Self.isDataModelFile(trimmed) else { return nil }
    return try contents(of: trimmed, named: trimmed)
  }

  // MARK: - SQLite

  /// Reads the tables of an app's file.
  private func database(at path: String) throws -> MirroredModel {
    if AppStoreFile.isCoreData(path) { return try AppStoreSource(path: path).model() }
    guard let sql = try ForeignDatabase.statements(at: path) else {
      throw CommandError("the tables of '\(path)' are too many to be read")
    }
    return try tables(of: sql, named: path)
  }

  private func tables(of sql: String, named path: String) throws -> MirroredModel {
    if let kind = options.model, kind != .sqliteData {
      throw CommandError("'\(path)' has tables of SQL, not a model of \(kind.title)")
    }
    let model = SQLiteDataModel.read(sql, file: path, named: path)
    guard !model.entities.isEmpty || !model.problems.isEmpty else {
      throw CommandError("'\(path)' has no tables")
    }
    return model
  }

  // MARK: - Core Data

  /// Whether a file is the XML of a model, such as `contents` in an `.xcdatamodel`.
  private static func isDataModelFile(_ path: String) -> Bool {
    let start = String(decoding: Inputs.head(of: path, 2000), as: UTF8.self)
    return start.contains("<model ") && start.contains("DataModel")
  }

  private func dataModel(at path: String, _ version: String?) throws -> MirroredModel {
    guard path.hasSuffix(".xcdatamodeld") else {
      return try contents(of: path + "/contents", named: path)
    }
    let current =
      try version.map { $0.hasSuffix(".xcdatamodel") ? $0 : $0 + ".xcdatamodel" }
      ?? currentVersion(of: path)
    guard Inputs.isDirectory(path + "/" + current) else {
      throw CommandError("'\(path)' has no version '\(current)'")
    }
    return try contents(of: path + "/" + current + "/contents", named: path)
  }

  private func currentVersion(of path: String) throws -> String {
    let file = path + "/.xccurrentversion"
    let hasFile = FileManager.default.fileExists(atPath: file)
    if hasFile {
      let bytes = try Inputs.bytes(of: file, "a property list", atMost: 1 << 20)
      if let name = CurrentModelVersion.read(bytes) ?? Self.binaryVersion(bytes) { return name }
    }
    // Xcode names a version once there is a second one.
    let versions = try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(".xcdatamodel") }
    guard let only = versions.first, versions.count == 1 else {
      throw CommandError(
        "'\(path)' has \(Numbers.count(versions.count, "version")) and "
          + (hasFile ? "its .xccurrentversion names none" : "no .xccurrentversion")
          + "; name one: '\(path)#NAME'")
    }
    return only
  }

  /// Reads the name of the version in a binary property list, as `plutil` writes it.
  private static func binaryVersion(_ bytes: [UInt8]) -> String? {
    guard let plist = try? BinaryPlist(decoding: Data(bytes)),
      case .dictionary(let entries) = plist.objects[Int(plist.top)]
    else { return nil }
    for entry in entries {
      if case .string(CurrentModelVersion.key) = plist.objects[Int(entry.key)],
        case .string(let name) = plist.objects[Int(entry.value)]
      {
        return name
      }
    }
    return nil
  }

  private func contents(of file: String, named name: String) throws -> MirroredModel {
    if let kind = options.model, kind != .coreData {
      throw CommandError("'\(name)' is a Core Data model, not one of \(kind.title)")
    }
    guard FileManager.default.fileExists(atPath: file) else {
      throw CommandError("there is no file '\(file)'")
    }
    let bytes = try Inputs.bytes(of: file, "a model", atMost: CoreDataModel.maxSize)
    return CoreDataModel.read(
      bytes, file: file, named: name, configuration: options.modelConfiguration)
  }

  // MARK: - Folders and Swift

  private func folder(_ path: String, _ version: String?) throws -> MirroredModel {
    let files = try FolderFiles(path)
    if options.model == .coreData { return try dataModel(in: files.dataModels, of: path, version) }
    let code = try SwiftCode(reading: [path])
    if options.model == nil, !files.dataModels.isEmpty {
      let kinds = code.sources.kinds.union([.coreData])
      guard kinds.count == 1 else { throw Self.ambiguous(path, kinds) }
      var model = try dataModel(in: files.dataModels, of: path, version)
      model.sharing = code.sources.sharing
      return try mirrored(model, code, files)
    }
    return try mirrored(swift(code, named: path, version), code, files)
  }

  /// Returns a model with its container, or without entities if the code around it, or its entitlements,
  /// say that no container is mirrored. A model that is named itself counts as mirrored.
  private func mirrored(
    _ model: MirroredModel, _ code: SwiftCode, _ files: FolderFiles
  ) throws -> MirroredModel {
    guard !model.entities.isEmpty else { return model }
    let entitlements = try files.entitlements(
      nearestTo: model.entities.compactMap { $0.location?.file })
    let lacking = entitlements.flatMap { $0.allowsCloud ? nil : $0.file }
    if let problem = code.sources.unmirrored(model.kind, without: lacking) {
      return MirroredModel(
        name: model.name, kind: model.kind, entities: [], problems: [problem],
        fileCount: model.fileCount, comments: model.comments)
    }
    var model = model
    model.containers = code.sources.containers
    if model.containers.isEmpty, let entitlements, let name = entitlements.container {
      model.containers = [.init(name, location: SchemaLocation(file: entitlements.file))]
    }
    if files.hasProject, entitlements == nil, model.kind != .sqliteData,
      !code.sources.namesDatabase
    {
      model.notes.append(
        "the Xcode project has no .entitlements file, so the model counts as mirrored to CloudKit")
    }
    return model
  }

  private func dataModel(
    in models: [String], of path: String, _ version: String?
  ) throws -> MirroredModel {
    guard let only = models.first, models.count == 1 else {
      throw CommandError(
        models.isEmpty
          ? "'\(path)' has no .xcdatamodeld"
          : "'\(path)' has \(models.count) Core Data models; name one: "
            + models.joined(separator: ", "))
    }
    return try dataModel(at: only, version)
  }

  private static func ambiguous(_ path: String, _ kinds: Set<MirroredModel.Kind>) -> CommandError {
    CommandError(
      "'\(path)' has models of \(kinds.map(\.title).sorted().joined(separator: " and ")); choose with "
        + "--model")
  }

  private func swift(
    _ code: SwiftCode, named name: String, _ version: String?
  ) throws -> MirroredModel {
    let kinds = code.sources.kinds
    guard let kind = options.model ?? kinds.first else {
      if let place = code.sources.modelInCode {
        throw CommandError(
          "'\(name)' makes its model in code, at \(place), which is not read; write the model as an "
            + ".xcdatamodeld to check it")
      }
      throw CommandError(
        "'\(name)' has no model: no .xcdatamodeld, no class with @Model, and no type with @Table")
    }
    guard options.model != nil || kinds.count == 1 else { throw Self.ambiguous(name, kinds) }
    var model: MirroredModel
    switch kind {
    case .swiftData: model = code.sources.swiftData(named: name, version: version)
    case .sqliteData: model = code.sources.sqliteData(named: name)
    case .coreData: throw CommandError("'\(name)' has no .xcdatamodeld")
    }
    model.containers = code.sources.containers
    for file in code.skipped {
      model.problems.append(
        .init(
          "MODEL_NOT_READ", "the file was not read: \(file.reason)",
          location: SchemaLocation(file: file.name)))
    }
    return model
  }
}

/// The Swift files at some paths.
private struct SwiftCode {
  private(set) var sources = SwiftModelSources()
  private(set) var skipped: [SwiftFiles.Skipped] = []

  init(reading paths: [String]) throws {
    var sources = SwiftModelSources()
    skipped = try SwiftFiles.each(paths) { sources.add($0, $1) }
    self.sources = sources
  }
}

extension MirroredModel.Kind {
  /// The name of a part of a model, in the singular and in the plural.
  var noun: (one: String, many: String) {
    switch self {
    case .coreData: ("entity", "entities")
    case .swiftData: ("class", "classes")
    case .sqliteData: ("table", "tables")
    }
  }
}
