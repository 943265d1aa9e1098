import Foundation
import RecordModel
import RecordSchema

/// The form of a record: as it is opened, and as it is sent.
struct RecordForm {
  /// The database and zone in the container.
  var zone: ZoneLocation
  var recordType: String
  /// The name of the record; empty for one that is made when it is saved.
  var recordName = ""
  /// The change tag that the record had when the form was opened; nil for a new record.
  var tag: String?
  /// The record whose values the new record gets, where the form does not show them; nil for none.
  var source: RecordLocation?
  /// The change tag that this record had when the form was opened.
  var sourceTag = ""
  var parentName = ""
  /// The parent when the form was opened.
  var openedParent = ""
  var fields: [FieldInput] = []
  /// The errors that no field has.
  var errors: [String] = []

  var isNew: Bool { tag == nil }
  var recordID: RecordID { RecordID(recordName: recordName, zoneID: zone.zoneID) }

  // MARK: Opening

  /// Opens the form of a new record.
  init(newOf recordType: String, in zone: ZoneLocation, _ context: ConsoleRequest) throws {
    self.zone = zone
    self.recordType = recordType
    fields = try context.fields(of: recordType).compactMap { field in
      field.type.map { FieldInput(field.name, $0) }
    }
  }

  /// Opens the form of a record.
  ///
  /// - Parameter isCopy: whether the form makes a new record of its values.
  init(_ record: ResultRecord, in database: DatabaseScope, isCopy: Bool, _ context: ConsoleRequest)
    throws
  {
    zone = ZoneLocation(database, record.recordID.zoneID)
    recordType = record.recordType
    let location = RecordLocation(database, record.recordID)
    if isCopy {
      source = location
      sourceTag = record.recordChangeTag ?? ""
    } else {
      recordName = record.recordID.recordName
      tag = record.recordChangeTag ?? ""
    }
    parentName = record.parent?.recordID.recordName ?? ""
    openedParent = isCopy ? "" : parentName
    let types = try context.fields(of: recordType)
    fields = types.compactMap { declared in
      guard let field = record.field(named: declared.name) else {
        return declared.type.map { FieldInput(declared.name, $0) }
      }
      let type = declared.type.flatMap { $0.fits(field) ? $0 : nil }
      return FieldInput(field, declared: type, in: zone.zoneID)
    }
    let known = NameSet(types.map(\.name))
    fields += record.fields.filter { !known.contains($0.name) }
      .compactMap { FieldInput($0, declared: nil, in: zone.zoneID) }
    for index in fields.indices { fields[index].opened = fields[index].digest }
  }

  // MARK: Reading what was sent

  /// The number of fields of a form.
  private static let maxFields = 1000
  /// The number of bytes of a name in a form, in which each byte can be percent-encoded.
  private static let maxName = 10_000

  /// - Throws: ``WebError``: `BAD_REQUEST` for a form that is not one of the console.
  init(_ form: ConsoleForm) throws {
    // Names are on the page many times, and no name is as long.
    for name in [
      "zone", "type", "record", "name", "source", "source-tag", "parent", "opened-parent", "tag",
      "as",
    ] {
      guard try form.text(name).utf8.count <= Self.maxName else {
        throw WebError(.badRequest, "the input '\(name)' has more than \(Self.maxName) bytes")
      }
    }
    zone = try ZoneLocation(formText: try form.required("zone"))
    recordType = try form.required("type")
    recordName =
      try form.value("record").map { text in
        guard let name = text.percentDecoded else { throw Self.unreadable("record") }
        return name
      } ?? form.text("name")
    tag = form.has("tag") ? try form.text("tag") : nil
    source = try form.value("source").map { try RecordLocation(formText: $0) }
    sourceTag = try form.text("source-tag")
    parentName = try form.text("parent")
    openedParent = try form.text("opened-parent")
    let names = try form.text("fields").split(separator: ",").map { text in
      guard let name = text.percentDecoded, !name.isEmpty else { throw Self.unreadable("fields") }
      return name
    }
    guard names.count <= Self.maxFields, NameSet(names).names.count == names.count else {
      throw WebError(.badRequest, "the form names a field twice, or more than \(Self.maxFields)")
    }
    fields = try names.map { try FieldInput($0, form) }
  }

  fileprivate static func unreadable(_ name: String) -> WebError {
    WebError(.badRequest, "the input '\(name)' of the form cannot be read")
  }
}

extension FieldInput {
  /// The beginning of the names of a field's inputs.
  static func prefix(_ name: String) -> String { "f/\(name.percentEncoded)/" }

  /// Reads the inputs of a field.
  fileprivate init(_ name: String, _ form: ConsoleForm) throws {
    let prefix = Self.prefix(name)
    guard let type = CloudSchema.FieldType(formText: try form.text(prefix + "type")) else {
      throw WebError(.badRequest, "the form has no type for the field '\(name.prefix(255))'")
    }
    self.init(name, type)
    items = []
    hasCovered = form.has(prefix + "covered")
    blank = try form.value(prefix + "blank").flatMap(Blank.init) ?? .none
    opened = try form.value(prefix + "opened")
    listText = form.has(prefix + "list") ? try form.text(prefix + "list") : nil
    let count = try form.value(prefix + "count").map { Int($0) ?? -1 } ?? (type.isList ? 0 : 1)
    guard (0...Self.maxItems * 2).contains(count) else {
      throw WebError(.badRequest, "the field '\(name.prefix(255))' has a wrong number of elements")
    }
    for index in 0..<count { items.append(try item(form, "\(prefix)\(index)/")) }
    guard type.isList else { return }
    let new = try item(form, prefix + "new/")
    if !new.isBlank { items.append(new) }
    items += form.files(prefix + "files").map { FieldItem(file: $0) }
  }

  private func item(_ form: ConsoleForm, _ prefix: String) throws -> FieldItem {
    var item = FieldItem()
    for name in ValueInput.all(of: type.primitive).map(\.name) + ["action"] {
      item[name] = try form.text(prefix + name)
    }
    item.file = form.files(prefix + "file").first
    item.isRemoved = form.has(prefix + "remove")
    if let stored = try form.value(prefix + "stored") {
      let numbers = stored.split(separator: "/").map { Int64($0) }
      guard let place = numbers.first ?? nil, (0..<100_000).contains(place) else {
        throw RecordForm.unreadable("stored")
      }
      item.storedAsset = (Int(place), numbers.count > 1 ? numbers[1] : nil)
    }
    return item
  }
}

// MARK: - Identities in a form

extension ZoneLocation {
  /// The database, name and owner, each percent-encoded: forms change line breaks and lose others.
  var formText: String {
    [database.rawValue, zoneID.zoneName, zoneID.ownerName].map(\.percentEncoded)
      .joined(separator: "/")
  }

  /// - Throws: ``WebError``: `BAD_REQUEST`.
  init(formText: String) throws {
    let parts = formText.split(separator: "/", omittingEmptySubsequences: false).map(
      \.percentDecoded)
    guard parts.count == 3, let database = parts[0].flatMap(DatabaseScope.init),
      let name = parts[1], let owner = parts[2], !name.isEmpty, !owner.isEmpty
    else { throw RecordForm.unreadable("zone") }
    self.init(database, ZoneID(zoneName: name, ownerName: owner))
  }
}

extension RecordLocation {
  var formText: String { "\(zone.formText)/\(recordID.recordName.percentEncoded)" }

  /// - Throws: ``WebError``: `BAD_REQUEST`.
  init(formText: String) throws {
    let parts = formText.split(separator: "/", omittingEmptySubsequences: false)
    guard let name = parts.last?.percentDecoded, !name.isEmpty else {
      throw RecordForm.unreadable("source")
    }
    let zone = try ZoneLocation(formText: parts.dropLast().joined(separator: "/"))
    self.init(zone.database, RecordID(recordName: name, zoneID: zone.zoneID))
  }
}

extension CloudSchema.FieldType {
  /// - Parameter formText: the type as forms and requests have it.
  init?(formText: String) {
    let types = CloudSchema.Primitive.allCases.flatMap { primitive in
      [false, true].flatMap { isList in
        [false, true].map { Self(primitive, isList: isList, isEncrypted: $0) }
      }
    }
    guard let type = types.first(where: { $0.serverName == formText }) else { return nil }
    self = type
  }
}
