import protocol Foundation.LocalizedError

/// An error in reading a keyed archive or a value in it.
///
/// Cases contain the place (byte offset, object index or path from the archive's top), what was
/// found, and what was expected. They contain the kinds of values but never values, which may be
/// confidential.
public enum KeyedArchiveError: Error, Hashable, Sendable {
  /// The bytes are not a property list. `found` describes their start.
  case notPropertyList(found: String)
  /// The property list is not in the supported format (`bplist00`).
  case unsupportedPropertyList(found: String)
  /// A size or count exceeds a limit of the reader.
  case tooLarge(what: String, found: UInt64, limit: UInt64)
  /// The binary property list is invalid at `byteOffset`.
  case damaged(byteOffset: Int, objectIndex: Int?, found: String, expected: String)
  /// An array, set or dictionary of the property list contains itself.
  case cyclicContainers(objectIndex: Int)
  /// The property list is valid, but not a keyed archive.
  case notKeyedArchive(found: String, expected: String)
  /// The object at `path` lacks a required key.
  case missingKey(path: String, key: String)
  /// The value at `path` is not of the expected type.
  case wrongType(path: String, found: String, expected: String)
  /// The object at `path` is not of an expected class.
  case wrongClass(path: String, found: String, expected: [String])
  /// The value at `path` has the expected type, but is invalid.
  case invalidValue(path: String, found: String, expected: String)
  /// The value at `path` refers to an object that does not exist.
  case danglingReference(path: String, found: UInt64, objectCount: Int)
  /// The object at `path` contains itself.
  case cyclicReference(path: String)
  /// The objects at `path` are nested too deeply.
  case nestedTooDeep(path: String, limit: Int)
}

extension KeyedArchiveError: CustomStringConvertible, LocalizedError {
  /// The same text as ``description``.
  public var errorDescription: String? { description }

  /// The error in one sentence: the place, what was found, and what was expected.
  public var description: String {
    switch self {
    case .notPropertyList(let found):
      "not a keyed archive: found \(found), expected a binary property list (\"bplist00\")"
    case .unsupportedPropertyList(let found):
      "found \(found), expected a binary property list (\"bplist00\"); "
        + "convert it with `plutil -convert binary1`"
    case .tooLarge(let what, let found, let limit):
      "\(what) is \(found), which exceeds the limit of \(limit)"
    case .damaged(let offset, let index, let found, let expected):
      "damaged property list at byte \(offset)"
        + (index.map { " (object \($0))" } ?? "") + ": found \(found), expected \(expected)"
    case .cyclicContainers(let index):
      "damaged property list: object \(index) contains itself"
    case .notKeyedArchive(let found, let expected):
      "a property list, but not a keyed archive: found \(found), expected \(expected)"
    case .missingKey(let path, let key):
      "\(path): key \"\(key)\" is missing"
    case .wrongType(let path, let found, let expected):
      "\(path): found \(found), expected \(expected)"
    case .wrongClass(let path, let found, let expected):
      "\(path): found an object of class \(found), expected \(expected.joined(separator: " or "))"
    case .invalidValue(let path, let found, let expected):
      "\(path): found \(found), expected \(expected)"
    case .danglingReference(let path, let found, let count):
      "\(path): refers to object \(found), but the archive has \(count) objects"
    case .cyclicReference(let path):
      "\(path): the object contains itself"
    case .nestedTooDeep(let path, let limit):
      "\(path): objects are nested more than \(limit) levels deep"
    }
  }
}
