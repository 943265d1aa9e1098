import RecordModel
import RecordSchema

extension MigrationStep {
  /// The error in a name of the step, if any. New names must be valid in CloudKit; existing names
  /// must not be empty.
  var faultOfNames: Fault? { faultOfSelection ?? faultOfKnownNames ?? faultOfNewNames }

  private var faultOfSelection: Fault? {
    let lists = [
      ("type", "record types", selection.recordTypes), ("zone", "zones", selection.zoneNames),
      ("database", "databases", selection.databases.map { Set($0.map(\.rawValue)) }),
    ]
    for case (let member, let what, let names?) in lists {
      if names.isEmpty {
        return Fault(member: member, message: "the list of \(what) is empty: it looks at nothing")
      }
      if names.contains("") {
        return Fault(member: member, message: "the list of \(what) has an empty name in it")
      }
    }
    return nil
  }

  private var faultOfKnownNames: Fault? {
    var names = action.readFields.map { (action.memberOfReadFields, $0) }
    for name in (condition?.fieldNames ?? []).sorted() { names.append(("where", name)) }
    for name in (action.expression?.fieldNames ?? []).sorted() {
      names.append(("expression", name))
    }
    if case .move(_, let source?) = action { names.append(("from-zone", source.zoneName)) }
    if case .custom(let custom) = action { names.append(("do", custom.name)) }
    guard let (member, _) = names.first(where: { $0.1.isEmpty }) else { return nil }
    return Fault(member: member, message: "a name is empty")
  }

  private var faultOfNewNames: Fault? {
    // A reversed step restores the former name, whether it is valid or not.
    guard !undecidedIsFalse else { return nil }
    for name in action.newFields {
      if let problem = Self.problem(ofName: name, "field") {
        return Fault(member: action.memberOfNewFields, message: problem)
      }
    }
    if case .mergeTypes(_, let discriminator?) = action,
      let problem = Self.problem(ofName: discriminator, "field")
    {
      return Fault(member: "discriminator", message: problem)
    }
    if case .keep(let overflow) = misfit, let problem = Self.problem(ofName: overflow, "field") {
      return Fault(member: "misfit", message: problem)
    }
    if let type = action.newType, let problem = Self.problem(ofName: type, "record type") {
      return Fault(member: action.name == "rename-type" ? "to" : "into", message: problem)
    }
    if case .move(let zone, _) = action, let problem = Self.problem(of: zone) {
      return Fault(member: "to-zone", message: problem)
    }
    return nil
  }

  private static func problem(ofName name: String, _ what: String) -> String? {
    let most = RecordLimits.cloudKit.keyLength
    if SchemaNames.isPlain(name), name.utf8.count <= most { return nil }
    return "\(quoted(name)) is no name of a \(what): a letter, then letters, digits and '_' of "
      + "ASCII, at most \(most)"
  }

  private static func problem(of zone: ZoneID) -> String? {
    let name = zone.zoneName
    let isPlain = name.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    let isServers = name.utf8.first == UInt8(ascii: "_") && !zone.isDefault
    if isPlain, !isServers, (1...RecordLimits.cloudKit.zoneNameLength).contains(name.utf8.count),
      !zone.ownerName.isEmpty
    {
      return nil
    }
    return "\(quoted(name)) is no name of a zone: 1 to \(RecordLimits.cloudKit.zoneNameLength) "
      + "characters of ASCII, not beginning with '_'"
  }

  private static func quoted(_ name: String) -> String {
    name.isEmpty ? "an empty text" : "'\(name.count > 60 ? name.prefix(60) + "…" : name)'"
  }
}

extension MigrationAction {
  /// The fields that the step names.
  fileprivate var newFields: [String] {
    switch self {
    case .renameField(_, let name), .join(_, let name, _), .setReference(let name, _, _),
      .addField(let name, _, _, _):
      [name]
    case .split(_, let names, _): names
    default: []
    }
  }

  fileprivate var memberOfNewFields: String {
    if case .addField = self { return "field" }
    return memberOfWrittenFields
  }
}
