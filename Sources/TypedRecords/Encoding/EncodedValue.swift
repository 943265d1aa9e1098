import Foundation
import RecordModel

/// What a property was encoded as.
enum EncodedValue {
  /// A nil: the field is removed.
  case none
  case scalar(EncodedScalar)
  case list([EncodedScalar], type: ListKind)
  case json(EncodedJSON)
}

/// One value, with the way back: what a field holds is the same as the value if the property's type
/// reads it and writes it as the value.
struct EncodedScalar {
  let value: RecordValue
  let rewritten: (RecordValue) -> RecordValue?
}

extension EncodedScalar {
  init<T: FieldScalar>(_ scalar: T) throws(ValueFailure) {
    value = try scalar.fieldValue()
    rewritten = { stored in
      do throws(ValueFailure) { return try T.read(stored).fieldValue() } catch { return nil }
    }
  }

  init<T: RecordValueConvertible>(convertible: T) {
    value = convertible.recordValue
    rewritten = { T(recordValue: $0)?.recordValue }
  }

  init(_ decimal: Decimal) throws(ValueFailure) {
    value = try DecimalText.value(of: decimal)
    rewritten = { stored in
      do throws(ValueFailure) { return try DecimalText.value(of: DecimalText.read(stored)) } catch {
        return nil
      }
    }
  }

  /// Whether a field already holds the value.
  func isHeld(by stored: RecordValue) -> Bool { stored == value || rewritten(stored) == value }
}

/// What is known of a list beside its elements.
struct ListKind {
  /// The type of the elements as the Swift type says it; it counts for an empty list.
  var elementType: ValueType?
  var isSet = false
  /// The list as JSON, if its elements can be nested: an empty list does not tell.
  var json: EncodedJSON?
}

/// A value with properties, as JSON.
struct EncodedJSON {
  let data: Data
  let form: JSONForm
  let rewritten: (Data) -> Data?

  /// Whether a field already holds the value, in whatever form.
  func isHeld(by stored: RecordValue) -> Bool {
    guard let text = stored.jsonText else { return false }
    return text == data || rewritten(text) == data
  }
}

/// An encoded property, with its field.
struct EncodedField {
  let name: String
  var value: EncodedValue
  var isEncrypted: Bool
}
