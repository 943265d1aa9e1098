import RecordCoding
import RecordModel
import RecordSchema
import RecordStore

import struct Foundation.UUID

/// An error that a response is about, or one item of it.
struct WebError: Error, Hashable {
  /// The `serverErrorCode`.
  var code: String
  /// The message.
  var reason: String
  /// The delay in seconds after which the request may be retried.
  var retryAfter: Double?

  /// The address at which the user signs in, for `AUTHENTICATION_REQUIRED`; nil for none.
  var redirectURL: String?

  init(_ code: Code, _ reason: String, retryAfter: Double? = nil) {
    self.code = code.rawValue
    self.reason = reason
    self.retryAfter = retryAfter
  }

  /// Creates the error of a whole request that cannot be read, in the words of the server.
  ///
  /// Sources: iCloudPhotoSync #63 (`recordType`) and OpenCloudKit's tests (`recordChangeTag`) for what
  /// is missing; CloudKit-PHP #5 and #7, tsl-apple-cloudkit #25 and #27, and MistKit #192 for all else.
  static func badInput(_ error: RecordCodingError) -> WebError {
    if error.code == .limitExceeded { return invalid("\(error)") }
    return error.missingMember.map(missing) ?? .unexpectedInput
  }

  static func missing(_ member: String) -> WebError {
    invalid("missing required field '\(member)'")
  }

  static let unexpectedInput = invalid("Unexpected input")

  /// Creates the error of a whole request, with the prefix that such errors of the server have.
  static func invalid(_ reason: String) -> WebError {
    WebError(.badRequest, "BadRequestException: \(reason)")
  }

  typealias Code = WebErrorCode

  /// The status of a response that is about the error.
  var status: Int { Code(rawValue: code)?.status ?? 500 }

  // MARK: JSON

  /// The body of a response that is about the error.
  var body: JSONValue {
    var members = JSONObjectWriter()
    members.add("uuid", UUID().uuidString.lowercased())
    members.add("serverErrorCode", code)
    members.add("reason", reason)
    members.add("retryAfter", retryAfterSeconds.map { .integer($0) })
    members.add("redirectURL", redirectURL)
    return members.value
  }

  /// Returns the error in place of an item.
  ///
  /// - Parameter identity: the members that name the item.
  func item(_ identity: [JSONValue.Member]) -> JSONValue {
    var members = JSONObjectWriter()
    for member in identity { members.add(member.name, member.value) }
    members.add("reason", reason)
    members.add("serverErrorCode", code)
    members.add("retryAfter", retryAfterSeconds.map { .integer($0) })
    return members.value
  }

  /// ``retryAfter`` in whole seconds, as responses have it.
  var retryAfterSeconds: Int64? { retryAfter.map(Self.seconds) }

  /// Returns a delay in whole seconds, rounded up.
  static func seconds(_ delay: Double) -> Int64 { Int64(min(max(delay.rounded(.up), 0), 1e9)) }

  /// Creates the error for what a call threw.
  init(_ error: any Error) {
    switch error {
    case let error as WebError: self = error
    case let error as CloudError: self.init(error)
    case let error as RecordCodingError: self.init(.badRequest, "\(error)")
    case let error as ContainerStoreError where error.isOfItem: self.init(error.cloudError)
    case let error as ContainerStoreError where error.code == .closed:
      self.init(.tryAgainLater, "the server is ending", retryAfter: 1)
    case let error as ContainerStoreError: self.init(.internalError, Self.words(for: error))
    case let error as SchemaError: self.init(.internalError, error.description)
    // The text of other errors can have paths of this machine.
    default: self.init(.internalError, "an error of type \(type(of: error))")
    }
  }

  /// Returns what a client may know about an error of the container: not the paths of this machine.
  private static func words(for error: ContainerStoreError) -> String {
    switch error.code {
    case .diskFull, .busy: error.description
    case .moved: "the container's file was moved or replaced; nothing more is saved"
    case .damaged: "the container is damaged"
    case .readOnly: "the container cannot be changed"
    default: "the container's file cannot be read or written"
    }
  }

  /// Creates the error for one of CloudKit, in the words of Web Services where they are known to differ
  /// from those of the framework.
  private init(_ error: CloudError) {
    let message = error.message.isEmpty ? error.code.name : error.message
    self.init(Self.code(of: error.code), message, retryAfter: error.retryAfterSeconds)
    if error.code == .zoneNotFound {
      // Recorded by four public clients.
      reason = "Zone does not exist"
    } else if error.code == .unknownItem, message.hasPrefix("record '") {
      // A lookup of Apple's notarization tickets.
      reason = "Record not found"
    } else if message.hasPrefix("invalid attempt to set value type "),
      let place = message.firstRange(of: ", defined to be: ")
    {
      let expected = message[place.upperBound...]
      guard !expected.hasPrefix("ENCRYPTED_") else { return }
      let isEncrypted = message[..<place.lowerBound].contains("type ENCRYPTED_")
      // MistKit (live): `encrypted-fields-adp-probe`, and "FieldTypePolymorphism" about writes.
      reason =
        isEncrypted
        ? "Attempt to save encrypted data in non encrypted field type"
        : "Invalid value, expected type \(expected)."
    } else if message.hasPrefix("Invalid value, expected type ") {
      // A Python client's comment on the live server, about filters; MistKit #375.
      reason = "BadRequestException: " + message
    } else if message.hasPrefix("subscription is duplicate of ") {
      // MistKit #387.
      self.init(.internalError, "could not find subscription we just created")
    }
  }

  /// Returns the nearest documented code. Web Services have fewer than the framework.
  private static func code(of code: CloudError.Code) -> Code {
    if let code = code.serverErrorCode.flatMap(Code.init) { return code }
    return switch code {
    case .zoneBusy, .networkUnavailable, .networkFailure, .serverResponseLost: .tryAgainLater
    case .constraintViolation: .uniqueFieldError
    case .userDeletedZone: .zoneNotFound
    case .assetNotAvailable, .assetFileNotFound: .notFound
    case .alreadyShared, .participantAlreadyInvited: .exists
    case .managedAccountRestricted, .participantMayNeedVerification, .missingEntitlement:
      .accessDenied
    case .accountTemporarilyUnavailable: .authenticationRequired
    default: .badRequest
    }
  }
}

/// The documented codes of errors (`serverErrorCode`), and the status of a response that is about one.
///
/// Source: Apple's *CloudKit Web Services Reference*, "Error Codes".
public enum WebErrorCode: String, Sendable, Hashable, CaseIterable {
  /// The user may not do this.
  case accessDenied = "ACCESS_DENIED"
  /// Another operation of an atomic request failed.
  case atomicError = "ATOMIC_ERROR"
  /// The token or signature is invalid.
  case authenticationFailed = "AUTHENTICATION_FAILED"
  /// The request needs a user who has signed in.
  case authenticationRequired = "AUTHENTICATION_REQUIRED"
  /// The request is invalid.
  case badRequest = "BAD_REQUEST"
  /// The record has changed since the change tag of the request.
  case conflict = "CONFLICT"
  /// The record or zone to create exists.
  case exists = "EXISTS"
  /// The server failed.
  case internalError = "INTERNAL_ERROR"
  /// The record, zone or asset does not exist.
  case notFound = "NOT_FOUND"
  /// The user's iCloud account is full.
  case quotaExceeded = "QUOTA_EXCEEDED"
  /// The client sent too many requests.
  case throttled = "THROTTLED"
  /// The server is busy.
  case tryAgainLater = "TRY_AGAIN_LATER"
  /// A reference that must have a target has none, or other records refer to the record to delete.
  case validatingReferenceError = "VALIDATING_REFERENCE_ERROR"
  /// Another record has the value of a unique field.
  case uniqueFieldError = "UNIQUE_FIELD_ERROR"
  /// The zone does not exist.
  case zoneNotFound = "ZONE_NOT_FOUND"

  /// - Throws: ``WebError``: `BAD_REQUEST` for another name.
  init(named name: String) throws {
    guard let code = WebErrorCode(rawValue: name) else {
      let codes = Self.allCases.map(\.rawValue).joined(separator: ", ")
      throw WebError(.badRequest, "'error' is none of \(codes)")
    }
    self = code
  }

  /// The status code of a response that is about the error.
  public var status: Int {
    switch self {
    case .badRequest, .atomicError: 400
    case .authenticationFailed: 401
    case .accessDenied: 403
    case .notFound, .zoneNotFound: 404
    case .conflict, .exists, .uniqueFieldError: 409
    case .validatingReferenceError: 412
    case .quotaExceeded: 413
    case .authenticationRequired: 421
    case .throttled: 429
    case .internalError: 500
    case .tryAgainLater: 503
    }
  }
}
