import RecordModel

/// A record while a migration changes it: an object, because a record has some twenty parts, and
/// handing a structure of them from step to step costs more than the steps.
final class WorkingRecord {
  let database: DatabaseScope
  var system: SystemFields
  /// In the order of the UTF-8 bytes of their names, none twice.
  private(set) var fields: [Field]

  init(_ record: ResultRecord, _ database: DatabaseScope) {
    self.database = database
    if let values = record.storage.values {
      system = values.systemFields
      fields = values.fields
    } else {
      system = record.storage.systemFields
      let storage = record.storage
      let count = storage.fieldCount
      fields = []
      fields.reserveCapacity(count + 2)
      for index in 0..<count { fields.append(storage.field(at: index)) }
    }
  }

  /// - Parameter fields: in any order.
  init(database: DatabaseScope, system: SystemFields, fields: [Field]) {
    self.database = database
    self.system = system
    self.fields = ValueStorage(systemFields: system, fields: fields).fields
  }

  var recordType: String { system.recordType }
  var recordID: RecordID { system.recordID }

  var resultRecord: ResultRecord {
    if system.archive != nil { system.archive = nil }
    return ResultRecord(storage: ValueStorage(systemFields: system, fields: fields))
  }

  private func index(of name: String) -> Int? {
    fields.firstIndex { $0.name == name }
  }

  func field(named name: String) -> Field? {
    index(of: name).map { fields[$0] }
  }

  /// Puts a field in its place, over one of the same name.
  func set(_ field: Field) {
    if let known = index(of: field.name) {
      fields[known] = field
      return
    }
    let place = fields.firstIndex { compareUTF8(field.name, $0.name) < 0 }
    fields.insert(field, at: place ?? fields.endIndex)
  }

  @discardableResult
  func remove(_ name: String) -> Field? {
    index(of: name).map { fields.remove(at: $0) }
  }

  /// Replaces the value of a field, and keeps the rest of it.
  func setValue(_ value: RecordValue, of field: Field) {
    set(
      Field(
        interned: field.interned, value: value, isEncrypted: field.isEncrypted,
        otherMembers: field.otherMembers))
  }

  /// Changes every value that is or holds a reference.
  func mapReferences(_ body: (Reference) -> Reference?) {
    for index in fields.indices {
      let field = fields[index]
      switch field.value {
      case .reference(let reference):
        guard let changed = body(reference) else { continue }
        fields[index] = field.replacing(.reference(changed))
      case .referenceList(let list):
        var isChanged = false
        let mapped = list.map { reference in
          guard let changed = body(reference) else { return reference }
          isChanged = true
          return changed
        }
        if isChanged { fields[index] = field.replacing(.referenceList(mapped)) }
      default: continue
      }
    }
    if let parent = system.parent, let changed = body(parent) { system.parent = changed }
    if let share = system.share, let changed = body(share) { system.share = changed }
  }

  func value(of name: ExpressionNode.SystemName) -> ExpressionValue {
    switch name {
    case .recordName: .value(.string(recordID.recordName))
    case .recordType: .value(.string(recordType))
    case .zoneName: .value(.string(recordID.zoneID.zoneName))
    case .ownerName: .value(.string(recordID.zoneID.ownerName))
    case .database: .value(.string(database.rawValue))
    case .parent: system.parent.map { .value(.reference($0)) } ?? .null
    }
  }
}

extension Field {
  /// The field with another value.
  func replacing(_ value: RecordValue) -> Field {
    Field(
      interned: interned, value: value, isEncrypted: isEncrypted, otherMembers: otherMembers)
  }

  /// The field under another name.
  func renamed(_ name: String) -> Field {
    Field(name: name, value: value, isEncrypted: isEncrypted, otherMembers: otherMembers)
  }

  /// The field, encrypted or not.
  func encrypted(_ isEncrypted: Bool) -> Field {
    Field(
      interned: interned, value: value, isEncrypted: isEncrypted, otherMembers: otherMembers)
  }
}
