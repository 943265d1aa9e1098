import struct Foundation.Data

/// Something that goes wrong with requests, as a test sets it up.
///
/// ```swift
/// let fault = WebFault.error(.throttled, retryAfter: 3).on("records/modify", times: 2)
/// let page = WebFault.response(#"{"records":[]}"#).on("records/query", recordType: "Note")
/// ```
///
/// One fault at most answers a request: of errors, cuts and responses, the first that was set up.
/// The others do not happen to it, and stay for the requests to come.
public struct WebFault: Sendable, Hashable {
  /// When an error, a cut or a response happens.
  public enum Moment: String, Sendable, Hashable, CaseIterable {
    /// Before the request is carried out: nothing is changed.
    case before
    /// After it was carried out. A request that fails has its own error.
    case after
  }

  /// The code of the response; nil for no error.
  public var error: WebErrorCode?
  /// The message of the error.
  public var reason = "a fault of the test"
  /// The delay in seconds, from 0 to 86,400, after which the client may try again; nil for none.
  ///
  /// An error has it in its body and in the header `Retry-After`, a response in the header.
  public var retryAfter: Double?
  /// The response; nil for none.
  public var response: Response?
  /// Whether the connection is closed instead of an answer.
  public var isCut = false
  /// When an error, a cut or a response happens.
  public var moment = Moment.before
  /// How long the request waits, in seconds, from 0 to 600.
  public var latency = 0.0
  /// Whether the request waits until it is released.
  public var isHeld = false

  /// The path of the requests after the database, such as `records/modify`; nil for all.
  ///
  /// One that is not known here, as `internal/records/query/batch`, is answered by the fault only.
  public var endpoint: String?
  /// The name of a zone that the requests name; nil for any.
  public var zone: String?
  /// The name of a record that the requests name; nil for any.
  public var record: String?
  /// A record type that the requests name, in a query or in a record to modify; nil for any.
  public var recordType: String?
  /// How often it happens, at least once; nil for ever.
  public var times: Int?
  /// How probable it is for each request, from 0 to 1.
  public var probability = 1.0
  /// The seed of a probability: the same one makes the same requests fail.
  public var seed: UInt64 = 0

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

  /// Creates a fault that closes the connection instead of an answer.
  public static func cut(_ moment: Moment = .before) -> WebFault {
    var fault = WebFault()
    fault.isCut = true
    fault.moment = moment
    return fault
  }

  /// Creates a fault that answers requests with a given response.
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

  /// Creates a fault that answers requests with a given response.
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
  ///   - times: how often it happens; nil for ever.
  public func on(
    _ endpoint: String? = nil, zone: String? = nil, record: String? = nil,
    recordType: String? = nil, times: Int? = nil
  ) -> WebFault {
    var fault = self
    fault.endpoint = endpoint
    fault.zone = zone
    fault.record = record
    fault.recordType = recordType
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
    guard retryAfter == nil || error != nil || response != nil else {
      throw WebError(.badRequest, "'retryAfter' is for an 'error' or a 'response'")
    }
    try response?.check()
  }
}
