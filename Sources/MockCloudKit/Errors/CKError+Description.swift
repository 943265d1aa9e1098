import Foundation
import RecordModel

/// The key of the server's message, as logs show it: `ServerErrorDescription=record to insert already exists`.
let serverMessageKey = "ServerErrorDescription"

extension CKError: CustomStringConvertible, CustomDebugStringConvertible {
  /// The error in the form of CloudKit's logs: the code in words, its numbers, and the message.
  ///
  /// Sources: SyncKit #49, #111 and #192; Apple's technote 3162.
  public var description: String { "CKError(_nsError: \(text))" }

  /// The error in the form of CloudKit's logs.
  public var debugDescription: String { description }

  private var text: String {
    let address = UInt(bitPattern: Unmanaged.passUnretained(_nsError).toOpaque())
    let numbers = "\(code.rawValue)" + (Self.internalCodes[code].map { "/\($0)" } ?? "")
    var parts = [
      "<CKError 0x\(String(address, radix: 16)): \"\(Self.words(of: code))\" (\(numbers))"
    ]
    let userInfo = _nsError.userInfo
    if let message = userInfo[serverMessageKey] as? String {
      parts.append("server message = \"\(message)\"")
    } else if let message = userInfo[NSLocalizedDescriptionKey] as? String {
      parts.append("\"\(message)\"")
    }
    if let seconds = retryAfterSeconds { parts.append("Retry after \(seconds) seconds") }
    if let errors = partialErrorsByItemID { parts.append(Self.text(of: errors)) }
    return parts.joined(separator: "; ") + ">"
  }

  private static func text(of errors: [AnyHashable: any Error]) -> String {
    var lines: [String] = []
    var omitted = 0
    for (item, error) in errors {
      guard let error = error as? CKError else { continue }
      if error.code == .batchRequestFailed {
        omitted += 1
      } else {
        let id = (item.base as? CKRecord.ID)?.shortText ?? "\(item.base)"
        lines.append("\t\(id) = \(error.text)\n")
      }
    }
    lines.sort()
    if omitted > 0 {
      lines.append("\t... \(omitted) \"\(words(of: .batchRequestFailed))\" CKErrors omitted ...\n")
    }
    return "partial errors: {\n" + lines.joined() + "}"
  }

  /// The code's name in words, such as "Partial Failure".
  private static func words(of code: Code) -> String {
    let name = CloudError.Code(rawValue: code.rawValue)?.name ?? ""
    return name.prefix(1).uppercased()
      + name.dropFirst().map { $0.isUppercase ? " \($0)" : "\($0)" }.joined()
  }

  /// The numbers within CloudKit that logs show for codes.
  private static let internalCodes: [Code: Int] = [
    .partialFailure: 1011, .serviceUnavailable: 2009, .requestRateLimited: 2062,
    .notAuthenticated: 1002, .permissionFailure: 2007, .invalidArguments: 2006,
    .serverRecordChanged: 2004, .changeTokenExpired: 2026, .quotaExceeded: 2035,
    .limitExceeded: 2023, .userDeletedZone: 2042, .accountTemporarilyUnavailable: 1029,
  ]
}
