import protocol Foundation.LocalizedError

/// Why bytes could not be read as a keyed archive, or a value in it not as what was asked for.
///
/// Every case says where (byte offset, object index or path from the archive's top), what was
/// found, and what was expected. Values never appear in it, only their kinds: they may be secret.
public enum KeyedArchiveError: Error, Hashable, Sendable {
  /// The bytes are no binary property list at all. `found` describes their beginning.
  case notPropertyList(found: String)
  /// A property list, but not in the one form that is read (`bplist00`).
  case unsupportedPropertyList(found: String)
  /// A size that the file states, or has, is over the limit of the reader.
  case tooLarge(what: String, found: UInt64, limit: UInt64)
  /// The binary property list contradicts itself at `byteOffset`.
  case damaged(byteOffset: Int, objectIndex: Int?, found: String, expected: String)
  /// An array, set or dictionary of the property list contains itself.
  case cyclicContainers(objectIndex: Int)
  /// A sound property list that is not the work of `NSKeyedArchiver`.
  case notKeyedArchive(found: String, expected: String)
  /// The object at `path` lacks a key that it must have.
  case missingKey(path: String, key: String)
  /// The value at `path` is of another kind than the one that belongs there.
  case wrongType(path: String, found: String, expected: String)
  /// The object at `path` is an instance of another class than the ones that belong there.
  case wrongClass(path: String, found: String, expected: [String])
  /// The value at `path` has the right type and an impossible content.
  case invalidValue(path: String, found: String, expected: String)
  /// The value at `path` refers to an object that the archive does not have.
  case danglingReference(path: String, found: UInt64, objectCount: Int)
  /// The object at `path` is reached from within itself.
  case cyclicReference(path: String)
  /// The objects on the way to `path` are nested deeper than any real archive.
  case nestedTooDeep(path: String, limit: Int)
}

extension KeyedArchiveError: CustomStringConvertible, LocalizedError {
  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The error in one sentence, with the place, what was found, and what was expected.
  public var description: String {
    switch self {
    case .notPropertyList(let found):
      "not a keyed archive: found \(found), expected a binary property list (\"bplist00\")"
    case .unsupportedPropertyList(let found):
      "found \(found), expected a binary property list (\"bplist00\"); "
        + "convert it with `plutil -convert binary1`"
    case .tooLarge(let what, let found, let limit):
      "\(what) is \(found), over the limit of \(limit)"
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
      "\(path): objects are nested more than \(limit) deep"
    }
  }
}
