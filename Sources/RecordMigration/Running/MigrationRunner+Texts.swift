import Foundation
import RecordCoding
import RecordModel

extension MigrationRunner {
  func split(
    _ name: String, _ names: [String], _ separator: String, _ record: EditableRecord
  ) throws -> Outcome {
    guard let field = record.field(named: name) else {
      return names.contains(where: record.hasField) ? .ambiguous : .unchanged
    }
    guard case .string(let text) = field.value else {
      throw Misfit(name, "\(field.value.kindInWords), and only text can be split")
    }
    let parts = text.components(separatedBy: separator)
    guard parts.count == names.count else {
      throw Misfit(
        name,
        "a text of \(parts.count) \(parts.count == 1 ? "part" : "parts") for "
          + "\(names.count) fields")
    }
    for target in names where target != name && record.hasField(target) {
      throw Misfit(name, "field '\(target)' has a value already")
    }
    record.remove(name)
    for (target, part) in zip(names, parts) {
      record.set(target, to: .string(part), isEncrypted: field.isEncrypted)
    }
    // Strings are split at characters, which can have several Unicode representations, so the bytes
    // are compared.
    let isSame = Array(parts.joined(separator: separator).utf8) == Array(text.utf8)
    return .changed(isExact: isSame && field.otherMembers.isEmpty)
  }

  func join(
    _ names: [String], _ name: String, _ separator: String, _ record: EditableRecord
  ) throws -> Outcome {
    let fields = names.map { record.field(named: $0) }
    if fields.allSatisfy({ $0 == nil }) {
      return record.hasField(name) ? .ambiguous : .unchanged
    }
    var parts: [String] = []
    var isExact = true
    for (source, field) in zip(names, fields) {
      guard let field else { throw Misfit(source, "there is no value to join") }
      guard let text = TextForm.text(of: field.value) else {
        throw Misfit(source, "\(field.value.kindInWords), which cannot be joined to a text")
      }
      if case .string = field.value {} else { isExact = false }
      if text.contains(separator) || !field.otherMembers.isEmpty { isExact = false }
      parts.append(text)
    }
    guard names.contains(name) || !record.hasField(name) else {
      throw Misfit(name, "the field has a value already")
    }
    // A single encrypted part makes the result encrypted.
    let isEncrypted = fields.contains { $0?.isEncrypted == true }
    if fields.contains(where: { $0?.isEncrypted != isEncrypted }) { isExact = false }
    let size = parts.reduce((parts.count - 1) * separator.utf8.count) { $0 + $1.utf8.count }
    guard size <= ExpressionLimits.maximumSize else {
      throw Misfit(name, ExpressionLimits.tooLarge)
    }
    let text = parts.joined(separator: separator)
    if text.components(separatedBy: separator) != parts { isExact = false }
    for source in names { record.remove(source) }
    record.set(name, to: .string(text), isEncrypted: isEncrypted)
    return .changed(isExact: isExact)
  }

  func mapValues(
    _ name: String, _ map: MigrationAction.ValueMap, _ record: EditableRecord
  ) throws -> Outcome {
    guard let field = record.field(named: name) else { return .unchanged }
    var isExact = true
    let value: RecordValue
    if let elements = field.value.elements {
      var size = 0
      let mapped = try elements.map { element in
        let mapped = try replacement(of: element, field, map, &isExact)
        size += mapped.approximateSize
        guard size <= ExpressionLimits.maximumSize else {
          throw Misfit(name, ExpressionLimits.tooLarge)
        }
        return mapped
      }
      guard let list = RecordValue(elements: mapped, emptyOf: field.value.type?.elementType) else {
        throw Misfit(name, "a list whose elements would be of several types")
      }
      value = mapped.isEmpty ? field.value : list
    } else {
      value = try replacement(of: field.value, field, map, &isExact)
    }
    guard value != field.value else { return isExact ? .unchanged : .changed(isExact: false) }
    record.set(field.replacing(value))
    return .changed(isExact: isExact)
  }

  private func replacement(
    of value: RecordValue, _ field: Field, _ map: MigrationAction.ValueMap, _ isExact: inout Bool
  ) throws -> RecordValue {
    if let listed = map.values[value] {
      if !map.isReversible(listed) { isExact = false }
      return listed
    }
    switch map.otherwise {
    case .keep:
      // A kept value that is also a replacement for another cannot be distinguished afterwards.
      if map.values.values.contains(value) { isExact = false }
      return value
    case .value(let other):
      isExact = false
      return other
    case .misfit:
      throw Misfit(
        field.name, "\(Self.shown(value, field)) is not among the values that are mapped")
    }
  }

  /// Returns a value as shown in messages. The value of an encrypted field is not shown.
  static func shown(_ value: RecordValue, _ field: Field) -> String {
    guard !field.isEncrypted else { return "an encrypted value" }
    guard let text = TextForm.text(of: value) else { return value.kindInWords }
    return "'\(text.count > 40 ? text.prefix(40) + "…" : text)'"
  }
}

extension MigrationAction.ValueMap {
  /// Returns whether only one value is mapped to this one.
  func isReversible(_ new: RecordValue) -> Bool {
    values.values.count { $0 == new } == 1
  }
}
