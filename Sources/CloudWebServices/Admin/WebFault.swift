import MockCloud
import RecordCoding
import RecordModel

import struct Foundation.Data

/// Something that goes wrong with requests, as a test sets it up.
///
/// ```swift
/// let fault = WebFault.error(.throttled, retryAfter: 3).on("records/modify", times: 2)
/// let page = WebFault.response(#"{"records":[]}"#).on("records/query", recordType: "Note")
/// ```
///
/// At most one fault applies to a request: of errors, cuts and responses, the first that was set
/// up. The other faults stay for later requests.
public struct WebFault: Sendable, Hashable {
  /// When an error, a cut or a response happens.
  public enum Moment: String, Sendable, Hashable, CaseIterable {
    /// Before the request is carried out: nothing is changed.
    case before
    /// After it was carried out. A request that fails has its own error.
    case after
  }

  /// The code of the response; nil for no error.
  package var error: WebErrorCode?
  /// The message of the error; by default CloudKit's, for the errors for which it is known.
  public var reason = Self.noReason
  private static let noReason = "a fault of the test"
  /// The delay in seconds, from 0 to 86,400, after which the client may try again; nil for none.
  ///
  /// An error has it in its body and in the header `Retry-After`, a response in the header.
  package var retryAfter: Double?
  /// The response; nil for none.
  package var response: Response?
  /// Whether the server closes the connection and sends no response.
  package var isCut = false
  /// When an error, a cut or a response happens.
  package var moment = Moment.before
  /// How long the request waits, in seconds, from 0 to 600.
  package var latency = 0.0
  /// Whether the request waits until it is released.
  package var isHeld = false

  /// The path of the requests after the database, such as `records/modify`; nil for all.
  ///
  /// For a path that the server does not have, such as `internal/records/query/batch`, only the
  /// fault responds.
  package var endpoint: String?
  /// The name of a zone that the requests name; nil for any.
  package var zone: String?
  /// The name of a record that the requests name; nil for any.
  package var record: String?
  /// A record type that the requests name, in a query or in a record to modify; nil for any.
  package var recordType: String?
  /// The record name of the user who sends the requests; nil for any.
  package var user: String?
  /// Whether it happens to the console's own requests, too.
  package var includesConsole = false
  /// How often it happens, at least once; nil for ever.
  package var times: Int?
  /// How probable it is for each request, from 0 to 1.
  public var probability = 1.0
  /// The seed of a probability: the same one makes the same requests fail.
  public var seed: UInt64 = 0
  /// The number of items that a request may have: it happens to requests with more; nil for any.
  package var maxItems: Int?
  /// Whether it happens only to requests with a sync token.
  package var needsToken = false
  /// Whether single items have the error, and not the whole response.
  package var isOfItems = false

  init() {}

  /// Creates an error of requests.
  ///
  /// - Parameters:
  ///   - code: the code of the response, which has its status.
  ///   - retryAfter: the delay in seconds, from 0 to 86,400, after which the client may try again;
  ///     nil for none.
  ///   - moment: whether the request is carried out before.
  public static func error(
    _ code: WebErrorCode, retryAfter: Double? = nil, moment: Moment = .before
  ) -> WebFault {
    var fault = WebFault()
    fault.error = code
    fault.retryAfter = retryAfter
    fault.moment = moment
    return fault
  }

  /// Creates an error of requests with more than this many items: a client that sends half of them
  /// succeeds in the end.
  ///
  /// It is `limitExceeded` of CloudKit, for which Web Services have the code `BAD_REQUEST`. Items are
  /// the records, operations, zones or subscriptions that a request names.
  public static func limitExceeded(over maxItems: Int) -> WebFault {
    var fault = error(.badRequest)
    fault.maxItems = maxItems
    return fault
  }

  /// An error of requests with a sync token.
  ///
  /// It is `changeTokenExpired` of CloudKit, for which Web Services have the code `BAD_REQUEST`. In
  /// `changes/zone`, each zone with a token has the error.
  public static let changeTokenExpired = {
    var fault = error(.badRequest)
    fault.needsToken = true
    return fault
  }()

  /// Creates an error of single items. The server carries out the request for the others.
  ///
  /// The items are the record, or the records of the type, that ``on(_:zone:record:recordType:user:times:)``
  /// names, else every second item. In an atomic request, the other records of the same zone have
  /// `ATOMIC_ERROR` and are not changed.
  public static func partialFailure(
    with code: WebErrorCode, retryAfter: Double? = nil
  ) -> WebFault {
    var fault = error(code, retryAfter: retryAfter)
    fault.isOfItems = true
    return fault
  }

  /// Creates a fault that closes the connection and sends no response.
  public static func cut(_ moment: Moment = .before) -> WebFault {
    var fault = WebFault()
    fault.isCut = true
    fault.moment = moment
    return fault
  }

  /// Creates a fault that returns a given response.
  ///
  /// - Parameters:
  ///   - body: the body of the response, a JSON object of at most 16 MiB, which is sent as it is.
  ///   - status: the status code, from 200 to 599; none of 204, 205 and 304, which have no body.
  ///   - moment: whether the request is carried out before.
  public static func response(
    _ body: Data, status: Int = 200, moment: Moment = .before
  ) -> WebFault {
    var fault = WebFault()
    fault.response = Response(body: body, status: status)
    fault.moment = moment
    return fault
  }

  /// Creates a fault that returns a given response.
  ///
  /// - Parameters:
  ///   - body: the body of the response, a JSON object of at most 16 MiB, which is sent as it is.
  ///   - status: the status code, from 200 to 599; none of 204, 205 and 304, which have no body.
  ///   - moment: whether the request is carried out before.
  public static func response(
    _ body: String, status: Int = 200, moment: Moment = .before
  ) -> WebFault {
    response(Data(body.utf8), status: status, moment: moment)
  }

  /// Creates a fault that delays requests by some seconds, from 0 to 600.
  public static func latency(_ seconds: Double) -> WebFault {
    var fault = WebFault()
    fault.latency = seconds
    return fault
  }

  /// Creates a fault that makes requests wait until they are released.
  public static func hold() -> WebFault {
    var fault = WebFault()
    fault.isHeld = true
    return fault
  }

  /// Returns the fault for some requests only.
  ///
  /// - Parameters:
  ///   - endpoint: the path after the database, such as `records/modify`; nil for all.
  ///   - zone: the name of a zone that they name; nil for any.
  ///   - record: the name of a record that they name; nil for any.
  ///   - recordType: a record type that they name; nil for any.
  ///   - user: the record name of the user who sends them; nil for any.
  ///   - times: how often it happens; nil for ever.
  public func on(
    _ endpoint: String? = nil, zone: String? = nil, record: String? = nil,
    recordType: String? = nil, user: String? = nil, times: Int? = nil
  ) -> WebFault {
    var fault = self
    fault.endpoint = endpoint
    fault.zone = zone
    fault.record = record
    fault.recordType = recordType
    fault.user = user
    fault.times = times
    return fault
  }

  /// - Throws: ``WebError``: `BAD_REQUEST` for a fault that does nothing, and for a number out of
  ///   its range.
  func check() throws {
    guard isAnswer || latency > 0 || isHeld else {
      throw WebError(.badRequest, "a fault has 'error', 'response', 'latency', 'cut' or 'hold'")
    }
    guard (0...1).contains(probability), (0...600).contains(latency), times ?? 1 > 0 else {
      throw WebError(
        .badRequest, "a probability is from 0 to 1, a latency at most 600 s, 'times' positive")
    }
    guard (0...86_400).contains(retryAfter ?? 0) else {
      throw WebError(.badRequest, "'retryAfter' is from 0 to 86400 s")
    }
    guard [error != nil, response != nil, isCut].count(where: { $0 }) <= 1 else {
      throw WebError(.badRequest, "a fault has one of 'error', 'response' and 'cut'")
    }
    guard error != nil || maxItems == nil && !needsToken && !isOfItems else {
      throw WebError(.badRequest, "'over', 'token' and 'items' are for an 'error'")
    }
    guard !isOfItems || moment == .before else {
      throw WebError(.badRequest, "an error of single items happens before the change")
    }
    guard maxItems ?? 0 >= 0 else {
      throw WebError(.badRequest, "'over' is a number of items that is not negative")
    }
    guard retryAfter == nil || error != nil || response != nil else {
      throw WebError(.badRequest, "'retryAfter' is for an 'error' or a 'response'")
    }
    try response?.check()
  }

  /// The message of the error.
  var message: String {
    guard reason == Self.noReason, needsToken else { return reason }
    return CloudError(.changeTokenExpired).withServerMessage.message
  }

  /// The message of the error for a request with some items.
  func message(items: Int) -> String {
    guard reason == Self.noReason, let maxItems else { return message }
    return RequestLimitRule.error(items: items, maxItems: maxItems).message
  }

  /// A response that a test gives, such as one that was recorded from the server.
  package struct Response: Sendable, Hashable {
    /// The body, a JSON object of at most 16 MiB. It is sent as it is.
    package var body: Data
    /// The status code, from 200 to 599; none of 204, 205 and 304, which have no body.
    package var status: Int

    /// Creates a response. A mistake in it is found when the fault is set up.
    package init(body: Data, status: Int = 200) {
      self.body = body
      self.status = status
    }

    init(_ object: inout RequestBody) throws {
      status = try object.value("status", Int64.self).map { Int(clamping: $0) } ?? 200
      guard let json = object.take("body"), json.members != nil else { throw Self.noObject }
      body = json.compactData
    }

    private static let noObject = WebError(.badRequest, "the body of a response is a JSON object")

    /// - Throws: ``WebError``: `BAD_REQUEST` for a body or status that cannot be sent.
    func check() throws {
      guard (200...599).contains(status), ![204, 205, 304].contains(status) else {
        throw WebError(
          .badRequest, "the status of a response is from 200 to 599, not 204, 205 or 304")
      }
      guard body.count <= WebServicesHandler.maxBodySize else {
        throw WebError(
          .badRequest,
          "the body of a response has more than \(WebServicesHandler.maxBodySize) bytes")
      }
      guard try WebServicesHandler.parse(body).members != nil else { throw Self.noObject }
    }
  }

  init(_ body: inout RequestBody) throws {
    endpoint = try body.value("endpoint")
    zone = try body.value("zone")
    record = try body.value("record")
    recordType = try body.value("recordType")
    user = try body.value("user")
    includesConsole = try body.value("console") ?? false
    times = try body.value("times", Int64.self).map { Int(clamping: $0) }
    probability = try body.value("probability") ?? 1
    seed = UInt64(bitPattern: try body.value("seed", Int64.self) ?? 0)
    error = try body.value("error", String.self).map(WebErrorCode.init(named:))
    reason = try body.value("reason") ?? reason
    retryAfter = try body.value("retryAfter")
    response = try body.object("response") { try Response(&$0) }
    latency = try body.value("latency") ?? 0
    isCut = try body.value("cut") ?? false
    isHeld = try body.value("hold") ?? false
    moment = try body.value("moment") ?? .before
    maxItems = try body.value("over", Int64.self).map { Int(clamping: $0) }
    needsToken = try body.value("token") ?? false
    isOfItems = try body.value("items") ?? false
  }
}

extension WebFault.Moment: JSONEnum {}
