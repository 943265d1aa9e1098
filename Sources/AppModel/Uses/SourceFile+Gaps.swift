import RecordSchema

extension SourceFile {
  /// The words with which code names the container of a mirrored store. Without them, the first one of
  /// the entitlements counts.
  static let databaseNames: Set<String> = [
    "NSPersistentCloudKitContainerOptions", "cloudKitDatabase",
  ]

  /// The libraries that write the app's records, as far as this file tells, each with its place.
  func mirroring() -> [MirroredModel.Kind: SchemaLocation] {
    var found: [MirroredModel.Kind: SchemaLocation] = [:]
    func add(_ kind: MirroredModel.Kind, _ index: Int) {
      if found[kind] == nil { found[kind] = location(of: index) }
    }
    for index in tokens.indices {
      let token = tokens[index]
      if token.isSymbol("@") {
        if isName(index + 1, "Model"), !isSymbol(index + 2, ".") { add(.swiftData, index + 1) }
        if isName(index + 1, "SwiftData"), isName(index + 3, "Model") { add(.swiftData, index + 3) }
      } else if token.kind == .name {
        switch token.text {
        case "NSPersistentCloudKitContainer": add(.coreData, index)
        // SQLiteData's engine is given tables; CKSyncEngine's wrappers in tests are not.
        case "SyncEngine" where isOpen(index + 1, "("):
          if arguments(of: index + 1).contains(where: { $0.label == "tables" }) {
            add(.sqliteData, index)
          }
        default: break
        }
      }
    }
    return found
  }

  /// The place where the file imports CloudKit.
  var cloudKitImport: SchemaLocation? {
    tokens.indices.first { isName($0, "import") && isName($0 + 1, "CloudKit") }
      .map { location(of: $0 + 1) }
  }
}

extension SourceUses {
  /// Adds what the uses of some files do not show: records that a library writes, and code that
  /// imports CloudKit without a use that was recognised.
  mutating func addGaps(of files: [SourceFile], allowsCloudKit: Bool) {
    var libraries: [MirroredModel.Kind: SchemaLocation] = [:]
    for file in files {
      libraries.merge(file.mirroring()) { first, _ in first }
    }
    // Every configuration says that SwiftData stays on the device.
    if libraries[.swiftData] != nil, ModelContainers.areLocal(files.map(ContainerReader.read)) {
      libraries[.swiftData] = nil
    }
    if !allowsCloudKit,
      !files.contains(where: { file in
        file.tokens.contains { $0.kind == .name && SourceFile.databaseNames.contains($0.text) }
      })
    {
      libraries[.coreData] = nil
      libraries[.swiftData] = nil
    }
    for kind in MirroredModel.Kind.allCases {
      guard let place = libraries[kind] else { continue }
      gaps.append(
        Gap(
          "MIRRORING_NOT_SCANNED",
          "\(kind.title) writes records of this app, by a model that a scan of the code does not see",
          location: place))
    }
    guard uses.isEmpty, libraries.isEmpty, let first = files.first else { return }
    let place = files.lazy.compactMap(\.cloudKitImport).first
    let scanned = files.count == 1 ? "it" : "\(files.count) files"
    gaps.append(
      Gap(
        "NO_USE_RECOGNISED",
        place != nil
          ? "the code imports CloudKit, and no use of a record was recognised in \(scanned)"
          : "the code does not import CloudKit, and no use of a record was recognised in \(scanned), "
            + "so nothing was checked",
        location: place ?? SchemaLocation(file: first.name, span: .start)))
  }
}
