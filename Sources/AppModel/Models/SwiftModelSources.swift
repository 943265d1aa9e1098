import RecordSchema

/// The Swift files of an app, read for its models.
///
/// Add the files one by one: only what they declare is kept, so memory grows with the number of
/// declarations.
package struct SwiftModelSources: Sendable {
  private var files: [SwiftDeclarations] = []

  package init() {}

  /// Reads a file. Any bytes are accepted. Takes time linear in the size.
  package mutating func add(_ name: String, _ bytes: [UInt8]) {
    files.append(SwiftDeclarations(SourceFile(name: name, bytes: bytes)))
  }

  /// The kinds of models that the files have.
  package var kinds: Set<MirroredModel.Kind> {
    var kinds: Set<MirroredModel.Kind> = []
    for file in files {
      if file.types.contains(where: \.isModel) { kinds.insert(.swiftData) }
      if file.types.contains(where: \.isTable) { kinds.insert(.sqliteData) }
    }
    return kinds
  }

  /// The place where the code shares records; nil if it shares none.
  package var sharing: SchemaLocation? { files.lazy.compactMap(\.sharing).first }

  /// The place where the code makes a model of Core Data, which is not read.
  package var modelInCode: SchemaLocation? {
    files.lazy.compactMap { $0.mentions["NSEntityDescription"] }.first
  }

  /// CloudKit's containers that the code names for mirrored stores, each once.
  ///
  /// A name in another place counts if the code has no other one.
  package var containers: [MirroredModel.Container] {
    let all = files.filter { $0.imports.isDisjoint(with: ["XCTest", "Testing"]) }
      .flatMap(\.containerNames)
    let certain = all.filter(\.isCertain)
    var known: Set<String> = []
    let names = (certain.isEmpty ? all : certain).map(\.container)
      .filter { known.insert($0.name).inserted }
    return certain.isEmpty && names.count > 1 ? [] : names
  }

  /// Returns why no container mirrors a model to CloudKit; nil if one may.
  ///
  /// - Parameter entitlements: A file of the app's entitlements, if they do not allow CloudKit. Then
  ///   only a container that names its database in code can be mirrored.
  package func unmirrored(
    _ kind: MirroredModel.Kind, without entitlements: String?
  ) -> MirroredModel.Problem? {
    func place(_ word: String) -> SchemaLocation? {
      files.lazy.compactMap { $0.mentions[word] }.first
    }
    if kind == .coreData, place("NSPersistentCloudKitContainer") == nil,
      let plain = place("NSPersistentContainer")
    {
      return .init(
        "MODEL_NOT_MIRRORED",
        "the app has an 'NSPersistentContainer', which is not mirrored to CloudKit, so none of its "
          + "entities was checked", location: plain)
    }
    guard let entitlements, kind != .sqliteData, !namesDatabase else { return nil }
    return .init(
      "MODEL_NOT_MIRRORED",
      "the entitlements do not allow CloudKit, and no container names its database, so the model was "
        + "not checked", location: SchemaLocation(file: entitlements))
  }

  /// Whether a container names its database in code, so that it does not depend on the entitlements.
  package var namesDatabase: Bool {
    files.contains { file in SourceFile.databaseNames.contains { file.mentions[$0] != nil } }
  }

  /// Returns the model of the `@Model` classes.
  ///
  /// - Parameters:
  ///   - name: The display name.
  ///   - version: The name of a `VersionedSchema`; nil for the current one.
  package func swiftData(named name: String, version: String? = nil) -> MirroredModel {
    SwiftDataModelReader.read(files, names: DeclaredTypes(files), named: name, version: version)
  }

  /// Returns the model of the types with `@Table`.
  package func sqliteData(named name: String) -> MirroredModel {
    SQLiteDataModelReader.read(files, names: DeclaredTypes(files), named: name)
  }
}

/// The tables of an app with SQLiteData, as SQL.
package enum SQLiteDataModel {
  /// Reads the statements that create the tables. Any text is accepted.
  ///
  /// - Parameters:
  ///   - sql: The statements, separated by semicolons.
  ///   - file: The name of the file in findings.
  ///   - name: The display name of the model.
  package static func read(_ sql: String, file: String, named name: String) -> MirroredModel {
    SQLiteDataModelReader.read(
      sql: sql, at: SchemaLocation(file: file, span: .start), named: name)
  }
}
