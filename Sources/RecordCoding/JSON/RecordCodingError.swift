import protocol Foundation.LocalizedError
import RecordModel

/// An error in JSON, or in a keyed archive, that should represent a record, zone or other value of the
/// model.
///
/// It never contains the value of an encrypted field, nor a value of an archive.
///
/// ```swift
/// let response = try ResponseContents(data)
/// for error in response.unread {
///   // byte 149, at records[0].fields.title.value: found the string "Hiking club",
///   // expected a 64-bit integer
///   print(error)
/// }
/// ```
public struct RecordCodingError: Error, Sendable, Hashable {
  /// The kind of an error.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// The bytes are not JSON, or not a keyed archive.
    case malformed
    /// A value is missing, or has another form than expected.
    case invalidValue
    /// A size or count exceeds a limit of the reader.
    case limitExceeded
  }

  /// The kind of the error.
  public var code: Code
  /// The byte offset of the error; nil if there are no bytes, as in a `Codable` decoder.
  public var offset: Int?
  /// The path to the error from the outermost value, such as `records[3].fields.title.value` or
  /// `$top.RecordID`; empty for the outermost value.
  public var path: String
  /// The thing found, as a noun, such as `a string`.
  package var found: String
  /// The thing expected, as a noun, such as `an integer`.
  package var expected: String
  /// The name of a member that an object does not have; nil for another problem.
  package var missingMember: String?

  /// Creates an error.
  package init(
    _ code: Code = .invalidValue, offset: Int? = nil, path: String = "", found: String,
    expected: String
  ) {
    self.code = code
    self.offset = offset
    self.path = path
    self.found = found
    self.expected = expected
  }
}

extension RecordCodingError: CustomStringConvertible, LocalizedError {
  /// The error in one line: `byte 153, at fields.title.value: found a string, expected an integer`.
  public var description: String {
    let place = [offset.map { "byte \($0)" }, path.isEmpty ? nil : "at \(path)"]
    let places = place.compactMap { $0 }.joined(separator: ", ")
    return "\(places.isEmpty ? "" : "\(places): ")found \(found), expected \(expected)"
  }

  /// The same text as ``description``.
  public var errorDescription: String? { description }
}

extension RecordCodingError {
  /// Returns the error with its path extended by an enclosing object's member.
  package func inside(member name: String) -> RecordCodingError {
    inside(component: Self.pathComponent(name))
  }

  /// Returns the error with its path extended by an enclosing array's element.
  package func inside(element index: Int) -> RecordCodingError {
    inside(component: "[\(index)]")
  }

  private func inside(component: String) -> RecordCodingError {
    var error = self
    let joint = path.isEmpty || path.hasPrefix("[") ? "" : "."
    error.path = component + joint + path
    return error
  }

  /// Returns a name as a component of a path: quoted unless it is plain, and cut if too long,
  /// because names may be untrusted.
  private static func pathComponent(_ name: String) -> String {
    let isPlain =
      !name.isEmpty && name.utf8.count <= maxNameLength
      && name.utf8.allSatisfy { isPlainNameByte($0) }
    return isPlain ? name : "[\(quoted(name))]"
  }

  private static let maxNameLength = 64

  private static func isPlainNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// Returns text in quotation marks for an error, cut after 64 Unicode scalars.
  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    appendEscaped(
      String(String.UnicodeScalarView(text.unicodeScalars.prefix(maxNameLength))), to: &bytes)
    let isCut = text.unicodeScalars.dropFirst(maxNameLength).first != nil
    return String(decoding: bytes, as: UTF8.self) + (isCut ? "…\"" : "\"")
  }
}

/// Runs `body`, and extends the path of its errors by an enclosing object's member.
@inline(__always)
package func inside<R>(member name: String, _ body: () throws -> R) throws -> R {
  do {
    return try body()
  } catch let error as RecordCodingError {
    throw error.inside(member: name)
  }
}

/// Runs `body`, and extends the path of its errors by an enclosing array's element.
@inline(__always)
package func inside<R>(element index: Int, _ body: () throws -> R) throws -> R {
  do {
    return try body()
  } catch let error as RecordCodingError {
    throw error.inside(element: index)
  }
}
