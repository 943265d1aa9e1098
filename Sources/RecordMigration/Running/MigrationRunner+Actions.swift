import RecordCoding
import RecordModel

extension MigrationRunner {
  /// Returns the code of a step. If it throws, the record is unchanged.
  static func body(of action: MigrationAction) -> PreparedStep.Body {
    switch action {
    case .renameType(let name):
      return { _, record in
        record.retype(name)
        return .retyped
      }
    case .mergeTypes(let name, let discriminator):
      return { try $0.merge(into: name, discriminator, $1) }
    case .deleteType, .leaveBehind: return { _, _ in .gone }
    case .renameField(let name, let newName): return { try $0.rename(name, newName, $1) }
    case .addField(let name, let source, let type, let isEncrypted):
      let value = source.expression
      let fields = isEncrypted ? [] : value.valueFields
      return { runner, record in
        try runner.checkSecrecy(of: fields, name, record)
        return try runner.add(name, value, type, isEncrypted, record)
      }
    case .dropField(let name): return { $1.remove(name) ? .dropped : .unchanged }
    case .convert(let name, let conversion): return { try $0.convert(name, conversion, $1) }
    case .split(let name, let names, let separator):
      return { try $0.split(name, names, separator, $1) }
    case .join(let names, let name, let separator):
      return { try $0.join(names, name, separator, $1) }
    case .mapValues(let name, let map): return { try $0.mapValues(name, map, $1) }
    case .encrypt(let name): return { try $0.encrypt(name, $1) }
    case .decrypt(let name): return { $0.decrypt(name, $1) }
    case .setParent(let name, let keepsField): return { try $0.setParent(name, keepsField, $1) }
    case .setReference(let name, let action, let keepsParent):
      return { try $0.setReference(name, action, keepsParent, $1) }
    case .clearParent: return { $0.clearParent($1) }
    case .move(let zone, let source): return { try $0.move(to: zone, from: source, $1) }
    case .renameRecords(let expression, let reverse):
      let fields = expression.root.valueFields
      return { runner, record in
        if let field = fields.first(where: record.isEncrypted) {
          throw Misfit(
            nil,
            "'\(field)' is encrypted, and a record's name is not; the name must not be made of it")
        }
        return try runner.rename(by: expression, reverse, record)
      }
    case .custom(let step): return { try $0.run(step, $1) }
    }
  }

  private func merge(
    into name: String, _ discriminator: String?, _ record: EditableRecord
  ) throws -> Outcome {
    if let discriminator {
      guard !record.hasField(discriminator) else {
        throw Misfit(discriminator, "the field that should keep the former type has a value")
      }
      record.set(discriminator, to: .string(record.recordType))
    }
    record.retype(name)
    return .retyped
  }

  private func rename(
    _ name: String, _ newName: String, _ record: EditableRecord
  ) throws -> Outcome {
    guard record.hasField(name) else {
      return record.hasField(newName) ? .ambiguous : .unchanged
    }
    guard !record.hasField(newName) else {
      throw Misfit(name, "field '\(newName)' has a value already")
    }
    record.renameField(name, to: newName)
    return .changed(isExact: true)
  }

  private func add(
    _ name: String, _ source: ExpressionNode, _ type: ValueType?, _ isEncrypted: Bool,
    _ record: EditableRecord
  ) throws -> Outcome {
    guard !record.hasField(name) else { return .ambiguous }
    if let copy = source.copy(for: record), !isEncrypted, type == nil || type == copy.type,
      record.add(name, copying: copy.fields, asList: copy.isList, isEncrypted: false)
    {
      return .changed(isExact: true)
    }
    guard var value = try source.value(for: record).recordValue else { return .unchanged }
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
    if isEncrypted { try checkEncryptable(value.type, name, record.database) }
    record.set(name, to: value, isEncrypted: isEncrypted)
    return .changed(isExact: true)
  }

  /// Throws if a plain field would be derived from an encrypted value, which must stay encrypted.
  private func checkSecrecy(
    of fields: [String], _ name: String, _ record: EditableRecord
  ) throws {
    guard !fields.isEmpty, !record.hasField(name) else { return }
    guard let field = fields.first(where: record.isEncrypted) else { return }
    throw Misfit(
      name,
      "'\(field)' is encrypted, and this would be made of it in plain; make it ENCRYPTED too, or "
        + "decrypt '\(field)' before")
  }

  private func convert(
    _ name: String, _ conversion: Conversion, _ record: EditableRecord
  ) throws -> Outcome {
    guard let field = record.field(named: name) else { return .unchanged }
    let (value, isExact) = try conversion.convert(
      field.value, in: record.zoneID, assets: environment.assets)
    if field.isEncrypted {
      let type = value.type?.elementType ?? value.type
      if type == .asset || type == .reference {
        throw Misfit(name, "an encrypted value, which cannot become \(value.kindInWords)")
      }
    }
    record.set(field.replacing(value))
    return .changed(isExact: isExact)
  }

  private func encrypt(_ name: String, _ record: EditableRecord) throws -> Outcome {
    guard let index = record.index(ofField: name) else { return .unchanged }
    guard !record.isEncrypted(at: index) else { return .ambiguous }
    try checkEncryptable(record.valueType(at: index), name, record.database)
    record.setEncrypted(true, at: index)
    return .changed(isExact: true)
  }

  private func decrypt(_ name: String, _ record: EditableRecord) -> Outcome {
    guard let index = record.index(ofField: name) else { return .unchanged }
    guard record.isEncrypted(at: index) else { return .ambiguous }
    record.setEncrypted(false, at: index)
    return .changed(isExact: true)
  }

  private func checkEncryptable(
    _ type: ValueType?, _ name: String, _ database: DatabaseScope
  ) throws {
    guard database != .public else {
      throw Misfit(name, "a record of the public database, which has no encrypted values")
    }
    switch type?.elementType ?? type {
    case .asset, .reference, nil:
      throw Misfit(name, "\(ValueType.inWords(type)), which cannot be encrypted")
    default: break
    }
  }

  private func setParent(
    _ name: String, _ keepsField: Bool, _ record: EditableRecord
  ) throws -> Outcome {
    guard let index = record.index(ofField: name) else {
      return keepsField || !record.hasParent ? .unchanged : .ambiguous
    }
    let hadParent = record.hasParent
    if record.adoptParent(fromFieldAt: index) {
      if !keepsField { record.remove(name) }
      return .changed(isExact: !hadParent)
    }
    let field = record.field(at: index)
    guard case .reference(let reference) = field.value else {
      throw Misfit(name, "\(field.value.kindInWords), and a parent is a reference")
    }
    guard !field.isEncrypted else {
      throw Misfit(name, "an encrypted value, and a parent is not")
    }
    guard reference.recordID.zoneID == record.zoneID else {
      throw Misfit(name, "a reference to another zone, and a parent lies in the record's own")
    }
    let isExact =
      !hadParent
      && (keepsField
        || reference.action == .none && reference.otherMembers.isEmpty
          && field.otherMembers.isEmpty)
    if !keepsField { record.remove(name) }
    record.parent = Reference(recordID: reference.recordID)
    return .changed(isExact: isExact)
  }

  private func setReference(
    _ name: String, _ action: Reference.Action, _ keepsParent: Bool,
    _ record: EditableRecord
  ) throws -> Outcome {
    guard let parent = record.parent else {
      return record.hasField(name) ? .ambiguous : .unchanged
    }
    guard !record.hasField(name) else {
      throw Misfit(name, "the field has a value already")
    }
    record.set(name, to: .reference(Reference(recordID: parent.recordID, action: action)))
    let isExact =
      keepsParent
      || parent == Reference(recordID: parent.recordID)
        && parent.recordID.zoneID == record.zoneID
    if !keepsParent { record.parent = nil }
    return .changed(isExact: isExact)
  }

  private func clearParent(_ record: EditableRecord) -> Outcome {
    guard record.hasParent else { return .unchanged }
    record.parent = nil
    return .dropped
  }

  private func move(
    to zone: ZoneID, from source: ZoneID?, _ record: EditableRecord
  ) throws -> Outcome {
    let own = record.zoneID
    guard own != zone else { return .ambiguous }
    guard source.map({ $0 == own }) ?? true else { return .unchanged }
    guard record.database != .public || zone.isDefault else {
      throw Misfit(nil, "the public database has no zone but the default one")
    }
    // A record and its parent must be in the same zone; moving the parent is a separate step.
    record.move(to: zone)
    return .changed(isExact: true)
  }

  private func rename(
    by expression: RecordExpression, _ reverse: RecordExpression?, _ record: EditableRecord
  ) throws -> Outcome {
    let value = try expression.value(for: record)
    let zone = record.zoneID
    let oldName = record.recordID.recordName
    if value == .null || value == .value(.string(oldName)) {
      // The reverse expression must keep the name as well.
      guard let reverse else { return .unchanged }
      let back = try? reverse.value(for: record)
      return back == .null || back == .value(.string(oldName)) ? .unchanged : .ambiguous
    }
    guard case .value(.string(let name)) = value else {
      throw Misfit(nil, "the new name is \(value.kind), and a record's name is text")
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
    record.rename(to: name)
    let isExact = reverse.map { back in
      (try? back.value(for: record)) == .value(.string(oldName))
    }
    return .changed(isExact: isExact ?? true)
  }

  private func run(
    _ step: MigrationAction.CustomStep, _ record: EditableRecord
  ) throws -> Outcome {
    let drafts: [DraftRecord]
    do {
      drafts = try step.body(DraftRecord(record.resultRecord))
    } catch {
      throw Misfit(nil, "\(error)")
    }
    let results = drafts.map {
      EditableRecord(
        ResultRecord(systemFields: $0.systemFields, fields: $0.fields), in: record.database)
    }
    if !step.changesIdentity {
      guard results.count == 1, results[0].recordID == record.recordID,
        results[0].recordType.sameScalars(as: record.recordType)
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
