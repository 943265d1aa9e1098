import RecordModel
import RecordSchema
import RecordStore

extension ContainerImport {
  /// Adds the info of a source to that of the container.
  ///
  /// The container keeps its identifier, environment and signed-in user. Its schema and users get what
  /// those of the source have beside. A different value of both is a conflict.
  ///
  /// - Throws: ``ArchiveError/otherUser(source:user:containerUser:)``: the zones of both users would have
  ///   one owner, `__defaultOwner__`; ``ArchiveError/otherVersion(source:version:containerVersion:)``;
  ///   and, under the policy `.fail`, the error of a conflict.
  func add(_ info: ContainerInfo, of source: ArchiveReader) throws {
    var own = try writer.info()
    if let user = info.currentUserRecordName, let other = own.currentUserRecordName,
      !user.sameScalars(as: other), try hasPrivateRecords(source),
      try [.private, .shared].contains(where: { try !writer.recordTypes(in: $0).isEmpty })
    {
      throw ArchiveError.otherUser(source: source.name, user: user, containerUser: other)
    }
    let hasRecords = try DatabaseScope.allCases.contains { try !writer.recordTypes(in: $0).isEmpty }
    if let version = info.schemaVersion, let other = own.schemaVersion, version != other, hasRecords
    {
      throw ArchiveError.otherVersion(
        source: source.name, version: version, containerVersion: other)
    }
    own.identifier = own.identifier ?? info.identifier
    own.environment = own.environment ?? info.environment
    own.currentUserRecordName = own.currentUserRecordName ?? info.currentUserRecordName
    if own.schemaVersion == nil || own.schemaVersion == info.schemaVersion {
      // The records of the container may be of any version.
      if own.schema == nil, !hasRecords { own.schemaVersion = info.schemaVersion }
      try addSchema(info, of: source, to: &own)
    }
    try add(info.accounts, to: &own.accounts)
    for member in info.otherMembers where own.otherMembers[member.name] == nil {
      own.otherMembers.set(member.name, to: member.value)
    }
    try writer.setInfo(own, replacingDamage: archiver.conflictPolicy == .replace)
  }

  private func hasPrivateRecords(_ source: ArchiveReader) throws -> Bool {
    var filter = archiver.filter
    filter.databases = (filter.databases ?? Set(DatabaseScope.allCases)).subtracting([.public])
    return try !source.sections(filter).isEmpty
  }

  /// Adds the record types, fields and roles that only the source has.
  private func addSchema(
    _ info: ContainerInfo, of source: ArchiveReader, to own: inout ContainerInfo
  ) throws {
    guard let text = info.schema else { return }
    guard let ownText = own.schema else { return own.schema = text }
    guard !ownText.sameScalars(as: text) else { return }
    let replaces = archiver.conflictPolicy == .replace
    guard let theirs = try? SchemaDocument(parsing: text).validSchema(),
      let ours = try? SchemaDocument(parsing: ownText).validSchema()
    else {
      // A text that is no schema has no parts.
      try conflict(.schemaConflict(source: source.name, "which cannot be read"))
      if replaces { own.schema = text }
      return
    }
    let changes = SchemaDiff(from: ours, to: theirs).changes
    let different = changes.first { $0.isOfBoth }
    if let different {
      try conflict(.schemaConflict(source: source.name, "\(different.subject)"))
    }
    guard changes.contains(where: { $0.isAddition }) || replaces && different != nil else { return }
    let merged = replaces ? theirs.adding(whatIsMissing: ours) : ours.adding(whatIsMissing: theirs)
    own.schema = SchemaPrinter().print(merged.canonicalized())
  }

  private func add(_ accounts: [ContainerAccount], to own: inout [ContainerAccount]) throws {
    let known = Dictionary(
      own.indices.map { (ExactString(own[$0].userRecordName), $0) },
      uniquingKeysWith: { first, _ in first })
    for account in accounts {
      if let index = known[ExactString(account.userRecordName)] {
        try add(account, to: &own[index])
      } else {
        own.append(account)
      }
    }
    own.sort { compareUTF8($0.userRecordName, $1.userRecordName) < 0 }
  }

  /// Adds what is known of a user.
  private func add(_ account: ContainerAccount, to own: inout ContainerAccount) throws {
    let replaces = archiver.conflictPolicy == .replace
    let user = account.userRecordName
    func choose<Value: Equatable>(_ value: Value?, _ known: inout Value?) throws {
      guard let value, value != known else { return }
      if known != nil { try conflict(.userConflict(user)) }
      if known == nil || replaces { known = value }
    }
    try choose(account.nameComponents, &own.nameComponents)
    if let info = account.lookupInfo {
      var known = own.lookupInfo ?? info
      try choose(info.emailAddress, &known.emailAddress)
      try choose(info.phoneNumber, &known.phoneNumber)
      own.lookupInfo = known
    }
    for member in account.otherMembers where replaces || own.otherMembers[member.name] == nil {
      own.otherMembers.set(member.name, to: member.value)
    }
    for one in account.subscriptions {
      let id = one.subscription.subscriptionID
      let index = own.subscriptions.firstIndex {
        $0.databaseScope == one.databaseScope && $0.subscription.subscriptionID.sameScalars(as: id)
      }
      guard let index else {
        own.subscriptions.append(one)
        continue
      }
      guard own.subscriptions[index] != one else { continue }
      try conflict(.subscriptionConflict(id, one.databaseScope))
      if replaces { own.subscriptions[index] = one }
    }
    own.subscriptions.sort { $0.precedes($1) }
  }

  /// Throws an error under the policy that permits no conflict.
  private func conflict(_ error: ArchiveError) throws {
    if archiver.conflictPolicy == .fail { throw error }
  }
}
