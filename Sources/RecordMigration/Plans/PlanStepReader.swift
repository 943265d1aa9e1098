import RecordModel
import RecordSchema

/// Parses a step of a plan.
struct PlanStepReader {
  private let node: PlanNode
  private let members: PlanMembers

  /// The keys that every step may have.
  private static let common = ["do", "type", "database", "zone", "where", "misfit", "note"]

  /// The steps with their keys, in addition to the common ones.
  static let keys: [String: [String]] = [
    "rename-type": ["to"],
    "merge-types": ["into", "discriminator"],
    "delete-type": [],
    "leave-behind": [],
    "rename-field": ["field", "to"],
    "add-field": ["field", "as", "value", "from", "expression"],
    "drop-field": ["field"],
    "convert": ["field", "from", "to", "format", "multiply", "divide"],
    "split": ["field", "into", "separator"],
    "join": ["fields", "into", "separator"],
    "map-values": ["field", "values", "otherwise"],
    "encrypt": ["field"],
    "decrypt": ["field"],
    "set-parent": ["field", "keep-field"],
    "set-reference": ["field", "action", "keep-parent"],
    "clear-parent": [],
    "move": ["to-zone", "from-zone"],
    "rename-records": ["name", "reverse"],
  ]

  init(_ node: PlanNode) throws {
    self.node = node
    if let word = node.node.scalar?.string, Self.keys[word] != nil {
      throw node.error("a step is a mapping: write 'do: \(word)', and its keys below")
    }
    members = try node.members("a step")
  }

  func step() throws -> MigrationStep {
    guard let name = members["do"] else { throw nameless() }
    let word = try name.text("do")
    guard let keys = Self.keys[word] else {
      let known = Self.keys.keys.sorted()
      throw name.error("there is no step '\(word)'" + NearWord.advice(word, among: known))
    }
    try members.allow(Self.common + keys, in: "'\(word)'")
    var step = MigrationStep(
      try selection(), try action(word), where: try members["where"]?.expression("where"),
      misfit: try misfit(), place: name.place)
    step.places = places
    return step
  }

  private func nameless() -> PlanError {
    let known = Self.keys.keys
    guard let key = members.pairs.first(where: { known.contains($0.key.node.scalar?.string ?? "") })
    else {
      return PlanError(members.place, "'do' is missing: the step's name, such as rename-field")
    }
    return key.key.error(
      "a step is named by 'do': write 'do: \(key.key.node.scalar?.string ?? "")', and its keys below"
    )
  }

  /// The locations of the values of all keys, of nested values as `key.inner`, and of names in
  /// expressions.
  private var places: [String: PlanPlace] {
    var places: [String: PlanPlace] = [:]
    for (key, value) in members.pairs {
      let name = key.node.scalar?.string ?? ""
      places[name] = value.place
      if ["where", "expression", "name", "reverse"].contains(name) {
        places["\(name)."] = value.place(ofColumn: 1)
        for (word, place) in value.placesOfNames() { places["\(name).\(word)"] = place }
      }
      for (inner, innerValue) in value.node.mapping?.map({ ($0.key, $0.value) }) ?? [] {
        let node = name == "values" ? inner : innerValue
        places["\(name).\(inner.scalar?.string ?? "")"] =
          PlanNode(node: node, file: value.file).place
      }
    }
    return places
  }

  private func selection() throws -> MigrationStep.Selection {
    let types = try members.required("type", "the record type, a list of them, or '*' for all")
      .texts("type")
    var databases: Set<DatabaseScope>?
    if let node = members["database"] {
      databases = Set(
        try node.texts("database").map { name in
          guard let scope = DatabaseScope(rawValue: name) else {
            throw node.error(
              "there is no database '\(name)'"
                + NearWord.advice(name, among: ["public", "private", "shared"]))
          }
          return scope
        })
    }
    return MigrationStep.Selection(
      types == ["*"] ? nil : Set(types), databases: databases,
      zoneNames: try members["zone"].map { Set(try $0.texts("zone")) })
  }

  private func misfit() throws -> MisfitPolicy {
    guard let node = members["misfit"] else { return .fail }
    if node.isNull { return .null }
    if node.node.mapping != nil {
      let members = try node.members("misfit")
      try members.allow(["keep-in"], in: "misfit")
      return .keep(in: try members.required("keep-in", "the field that takes it").text("keep-in"))
    }
    switch try node.text("misfit") {
    case "fail": return .fail
    case "null": return .null
    case "skip": return .skip
    case let other:
      let policies = ["fail", "null", "skip"]
      throw node.error(
        "there is no policy '\(other)'"
          + NearWord.advice(other, among: policies, also: "{keep-in: FIELD}"))
    }
  }

  private func field() throws -> String {
    try members.required("field", "the field's name").text("field")
  }

  private func text(_ key: String, _ purpose: String) throws -> String {
    try members.required(key, purpose).text(key)
  }

  private func separator() throws -> String {
    try members.required("separator", "what stands between the parts").anyText("separator")
  }

  private func flag(_ key: String, default value: Bool) throws -> Bool {
    try members[key]?.bool(key) ?? value
  }

  private func action(_ word: String) throws -> MigrationAction {
    switch word {
    case "rename-type": return .renameType(to: try text("to", "the type's new name"))
    case "merge-types":
      return .mergeTypes(
        into: try text("into", "the type they become"),
        discriminator: try members["discriminator"]?.text("discriminator"))
    case "delete-type": return .deleteType
    case "leave-behind": return .leaveBehind
    case "rename-field":
      return .renameField(try field(), to: try text("to", "the field's new name"))
    case "add-field": return try addField()
    case "drop-field": return .dropField(try field())
    case "convert": return .convert(try field(), try conversion())
    case "split":
      return .split(
        try field(), into: try members.required("into", "the fields of the parts").texts("into"),
        separator: try separator())
    case "join":
      return .join(
        try members.required("fields", "the fields that are joined").texts("fields"),
        into: try text("into", "the field that takes the text"), separator: try separator())
    case "map-values": return .mapValues(try field(), try valueMap())
    case "encrypt": return .encrypt(try field())
    case "decrypt": return .decrypt(try field())
    case "set-parent":
      return .setParent(from: try field(), keepsField: try flag("keep-field", default: true))
    case "set-reference":
      return .setReference(
        try field(), try referenceAction(), keepsParent: try flag("keep-parent", default: true))
    case "clear-parent": return .clearParent
    case "move":
      return .move(
        to: try zone("to-zone") ?? .default, from: try zone("from-zone"))
    default:
      return .renameRecords(
        try members.required("name", "an expression that gives the new name").expression("name"),
        reverse: try members["reverse"]?.expression("reverse"))
    }
  }

  private func addField() throws -> MigrationAction {
    let name = try field()
    let type = try members["as"]?.fieldType("as")
    let valueType = type.flatMap(ValueType.init)
    let given = ["value", "from", "expression"].filter { members[$0] != nil }
    guard given.count == 1, let source = given.first, let node = members[source] else {
      throw PlanError(
        members.place,
        given.isEmpty
          ? "a new field needs one of 'value', 'from' (another field) and 'expression'"
          : "a new field has one source, and here are \(given.joined(separator: " and "))")
    }
    let isEncrypted = type?.isEncrypted ?? false
    switch source {
    case "value":
      return .addField(
        name, .constant(try node.constant("value", as: valueType)), type: valueType,
        isEncrypted: isEncrypted)
    case "from":
      return .addField(
        name, .field(try node.text("from")), type: valueType, isEncrypted: isEncrypted)
    default:
      return .addField(
        name, .expression(try node.expression("expression")), type: valueType,
        isEncrypted: isEncrypted)
    }
  }

  private func conversion() throws -> Conversion {
    var conversion = Conversion(to: nil)
    conversion.type = try members["to"]?.fieldType("to").valueType
    conversion.original = try members["from"]?.fieldType("from").valueType
    conversion.dateForm = try members["format"]?.dateForm("format")
    if members["multiply"] != nil || members["divide"] != nil {
      let scale = UnitScale(
        multiplyBy: try factor("multiply"), divideBy: try factor("divide"))
      guard let scale else {
        let member = members["multiply"] ?? members["divide"] ?? node
        throw member.error("factors are whole numbers from 1 to 10^12")
      }
      conversion.scale = scale
    }
    return conversion
  }

  private func factor(_ key: String) throws -> Int64 {
    guard let node = members[key] else { return 1 }
    guard let number = Int64(try node.text(key)) else {
      throw node.error("'\(key)' is a whole number; for 0.001 write 'divide: 1000'")
    }
    return number
  }

  private func valueMap() throws -> MigrationAction.ValueMap {
    let node = try members.required("values", "which value becomes which")
    var values: [RecordValue: RecordValue] = [:]
    for (key, value) in try node.members("values").pairs {
      values[try key.constant("a value")] = try value.constant("a value")
    }
    guard !values.isEmpty else { throw node.error("'values' lists no values") }
    var map = MigrationAction.ValueMap(values)
    guard let otherwise = members["otherwise"] else { return map }
    if otherwise.node.mapping != nil {
      let inner = try otherwise.members("otherwise")
      try inner.allow(["value"], in: "otherwise")
      map.otherwise = .value(try inner.required("value", "the value").constant("value"))
      return map
    }
    switch try otherwise.text("otherwise") {
    case "misfit": map.otherwise = .misfit
    case "keep": map.otherwise = .keep
    case let other:
      throw otherwise.error(
        "'otherwise' is not '\(other)'"
          + NearWord.advice(other, among: ["misfit", "keep"], also: "{value: …}"))
    }
    return map
  }

  private func referenceAction() throws -> Reference.Action {
    guard let node = members["action"] else { return .none }
    guard let action = Reference.Action(rawValue: try node.text("action")) else {
      let known = Reference.Action.allCases.map(\.rawValue)
      throw node.error(
        "there is no action '\(try node.text("action"))'"
          + NearWord.advice(try node.text("action"), among: known))
    }
    return action
  }

  /// Parses `NAME` or `NAME/OWNER`.
  private func zone(_ key: String) throws -> ZoneID? {
    guard let node = members[key] else {
      if key == "to-zone" { _ = try members.required(key, "the zone records move to") }
      return nil
    }
    let text = try node.text(key)
    guard let slash = text.lastIndex(of: "/") else { return ZoneID(zoneName: text) }
    let (name, owner) = (String(text[..<slash]), String(text[text.index(after: slash)...]))
    guard !name.isEmpty, !owner.isEmpty else {
      throw node.error("\(key) is NAME or NAME/OWNER, and a part of '\(text)' is empty")
    }
    return ZoneID(zoneName: name, ownerName: owner)
  }
}

extension Schema.FieldType {
  var valueType: ValueType? { ValueType(self) }
}
