import RecordModel

extension StageRunner {
  /// Does what a step says. Where it throws, the record is as it was.
  func apply(_ action: MigrationAction, _ record: WorkingRecord) throws -> Outcome {
    switch action {
    case .renameType(let name):
      record.system.recordType = name
      return .changed(isExact: true)
    case .mergeTypes(let name, let discriminator):
      return try merge(into: name, discriminator, record)
    case .deleteType, .leaveBehind: return .gone
    case .renameField(let name, let newName): return try rename(name, newName, record)
    case .addField(let name, let source, let type, let isEncrypted):
      return try add(name, source, type, isEncrypted, record)
    case .dropField(let name): return record.remove(name) == nil ? .unchanged : .dropped
    case .convert(let name, let conversion): return try convert(name, conversion, record)
    case .split(let name, let names, let separator):
      return try split(name, names, separator, record)
    case .join(let names, let name, let separator):
      return try join(names, name, separator, record)
    case .mapValues(let name, let map): return try mapValues(name, map, record)
    case .encrypt(let name): return try encrypt(name, record)
    case .decrypt(let name):
      guard let field = record.field(named: name) else { return .unchanged }
      guard field.isEncrypted else { return .ambiguous }
      record.set(field.encrypted(false))
      return .changed(isExact: true)
    case .setParent(let name, let keepsField):
      return try setParent(name, keepsField, record)
    case .setReference(let name, let action, let keepsParent):
      return try setReference(name, action, keepsParent, record)
    case .clearParent:
      guard record.system.parent != nil else { return .unchanged }
      record.system.parent = nil
      return .dropped
    case .move(let zone, let source): return try move(to: zone, from: source, record)
    case .renameRecords(let expression, let reverse):
      return try rename(by: expression, reverse, record)
    case .custom(let step): return try run(step, record)
    }
  }

  private func merge(
    into name: String, _ discriminator: String?, _ record: WorkingRecord
  ) throws -> Outcome {
    if let discriminator {
      guard record.field(named: discriminator) == nil else {
        throw Misfit(discriminator, "the field that should keep the former type has a value")
      }
      record.set(Field(name: discriminator, value: .string(record.recordType)))
    }
    record.system.recordType = name
    return .changed(isExact: true)
  }

  private func rename(
    _ name: String, _ newName: String, _ record: WorkingRecord
  ) throws -> Outcome {
    guard let field = record.field(named: name) else {
      return record.field(named: newName) == nil ? .unchanged : .ambiguous
    }
    guard record.field(named: newName) == nil else {
      throw Misfit(name, "field '\(newName)' has a value already")
    }
    record.remove(name)
    record.set(field.renamed(newName))
    return .changed(isExact: true)
  }

  private func add(
    _ name: String, _ source: MigrationAction.FieldSource, _ type: ValueType?,
    _ isEncrypted: Bool, _ record: WorkingRecord
  ) throws -> Outcome {
    guard record.field(named: name) == nil else { return .ambiguous }
    let value: RecordValue?
    switch source {
    case .constant(let constant): value = constant
    case .field(let other): value = record.field(named: other)?.value
    case .expression(let expression): value = try expression.value(for: record).recordValue
    }
    guard var value else { return .unchanged }
    if let type, value.type != type {
      if value == .emptyList, type.isList {
        value = .empty(type)
      } else if case .int64(let number) = value, type == .double,
        let exact = Double(exactly: number)
      {
        value = .double(exact)
      } else {
        throw Misfit(name, "the value is \(value.kindInWords), and \(type.rawValue) was expected")
      }
    }
    if isEncrypted { try checkEncryptable(value, name, record.database) }
    record.set(Field(name: name, value: value, isEncrypted: isEncrypted))
    return .changed(isExact: true)
  }

  private func convert(
    _ name: String, _ conversion: Conversion, _ record: WorkingRecord
  ) throws -> Outcome {
    guard let field = record.field(named: name) else { return .unchanged }
    let (value, isExact) = try conversion.convert(
      field.value, in: record.recordID.zoneID, assets: environment.assets)
    if case .asset = value, field.isEncrypted {
      throw Misfit(name, "an encrypted value, which cannot become an asset")
    }
    record.setValue(value, of: field)
    return .changed(isExact: isExact)
  }

  private func encrypt(_ name: String, _ record: WorkingRecord) throws -> Outcome {
    guard let field = record.field(named: name) else { return .unchanged }
    guard !field.isEncrypted else { return .ambiguous }
    try checkEncryptable(field.value, name, record.database)
    record.set(field.encrypted(true))
    return .changed(isExact: true)
  }

  private func checkEncryptable(
    _ value: RecordValue, _ name: String, _ database: DatabaseScope
  ) throws {
    guard database != .public else {
      throw Misfit(name, "a record of the public database, which has no encrypted values")
    }
    let type = value.type?.elementType ?? value.type
    switch type {
    case .asset, .reference, nil:
      throw Misfit(name, "\(value.kindInWords), which cannot be encrypted")
    default: break
    }
  }

  private func setParent(
    _ name: String, _ keepsField: Bool, _ record: WorkingRecord
  ) throws -> Outcome {
    guard let field = record.field(named: name) else {
      return keepsField || record.system.parent == nil ? .unchanged : .ambiguous
    }
    guard case .reference(let reference) = field.value else {
      throw Misfit(name, "\(field.value.kindInWords), and a parent is a reference")
    }
    guard reference.recordID.zoneID == record.recordID.zoneID else {
      throw Misfit(name, "a reference to another zone, and a parent lies in the record's own")
    }
    let isExact =
      record.system.parent == nil
      && (keepsField
        || reference.action == .none && reference.otherMembers.isEmpty
          && field.otherMembers.isEmpty && !field.isEncrypted)
    if !keepsField { record.remove(name) }
    record.system.parent = Reference(recordID: reference.recordID)
    return .changed(isExact: isExact)
  }

  private func setReference(
    _ name: String, _ action: Reference.Action, _ keepsParent: Bool,
    _ record: WorkingRecord
  ) throws -> Outcome {
    guard let parent = record.system.parent else {
      return record.field(named: name) == nil ? .unchanged : .ambiguous
    }
    guard record.field(named: name) == nil else {
      throw Misfit(name, "the field has a value already")
    }
    record.set(
      Field(name: name, value: .reference(Reference(recordID: parent.recordID, action: action))))
    let isExact =
      keepsParent
      || parent == Reference(recordID: parent.recordID)
        && parent.recordID.zoneID == record.recordID.zoneID
    if !keepsParent { record.system.parent = nil }
    return .changed(isExact: isExact)
  }

  private func move(
    to zone: ZoneID, from source: ZoneID?, _ record: WorkingRecord
  ) throws -> Outcome {
    let own = record.recordID.zoneID
    guard own != zone else { return .ambiguous }
    guard source.map({ $0 == own }) ?? true else { return .unchanged }
    guard record.database != .public || zone.isDefault else {
      throw Misfit(nil, "the public database has no zone but the default one")
    }
    // What belongs together by parent must lie in one zone; the parent's own move is another step.
    record.system.recordID = RecordID(packedName: record.recordID.packedName, zoneID: zone)
    return .changed(isExact: true)
  }

  private func rename(
    by expression: RecordExpression, _ reverse: RecordExpression?, _ record: WorkingRecord
  ) throws -> Outcome {
    let value = try expression.value(for: record)
    if value == .null { return .unchanged }
    guard case .value(.string(let name)) = value else {
      throw Misfit(nil, "the new name is \(value.kind), and a record's name is text")
    }
    let zone = record.recordID.zoneID
    let oldName = record.recordID.recordName
    guard name != oldName else {
      let back = try? reverse?.value(for: record)
      return reverse == nil || back == .value(.string(oldName)) ? .unchanged : .ambiguous
    }
    let renamed = RecordID(recordName: name, zoneID: zone)
    do {
      try RecordLimits.cloudKit.check(recordID: renamed, recordType: record.recordType)
    } catch {
      throw Misfit(
        nil,
        "the new name is none that CloudKit takes: 1 to 255 ASCII characters, not "
          + "beginning with '_'")
    }
    record.system.recordID = renamed
    let isExact = reverse.map { back in
      (try? back.value(for: record)) == .value(.string(oldName))
    }
    return .changed(isExact: isExact ?? true)
  }

  private func run(
    _ step: MigrationAction.CustomStep, _ record: WorkingRecord
  ) throws -> Outcome {
    let drafts: [DraftRecord]
    do {
      drafts = try step.body(DraftRecord(record.resultRecord))
    } catch {
      throw Misfit(nil, "\(error)")
    }
    let results = drafts.map {
      WorkingRecord(database: record.database, system: $0.systemFields, fields: $0.fields)
    }
    if !step.changesIdentity {
      guard results.count == 1, results[0].recordID == record.recordID,
        results[0].recordType == record.recordType
      else {
        throw Misfit(
          nil,
          "the step changed names or types, or the number of records, and says it "
            + "does not")
      }
    }
    return .replaced(results)
  }
}
