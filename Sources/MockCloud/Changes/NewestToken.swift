import CloudInterface
import Foundation
import RecordModel
import RecordStore

/// The content of a token between two pages of changes that come newest first: the token that the
/// fetch began with, the oldest change that was fetched, and the token for after the last page.
struct NewestToken {
  var since: ServerChangeToken?
  var before: ChangePosition
  var end: ServerChangeToken

  init(since: ServerChangeToken?, before: ChangePosition, end: ServerChangeToken) {
    self.since = since
    self.before = before
    self.end = end
  }

  /// Reads a token; nil for one of a fetch in the usual order.
  ///
  /// - Throws: `CloudError`: `invalidArguments`.
  init?(_ token: ServerChangeToken) throws(CloudError) {
    let words = String(decoding: token.data, as: UTF8.self)
      .split(separator: ";", maxSplits: 4, omittingEmptySubsequences: false).map(String.init)
    guard words.first == "r" else { return nil }
    guard words.count == 5, let since = Data(base64Encoded: words[1]),
      let change = ChangeTag.change(of: words[2]), let end = Data(base64Encoded: words[3])
    else {
      throw CloudError(.invalidArguments, "the change token is not one that this server made")
    }
    self.since = since.isEmpty ? nil : ServerChangeToken(data: since)
    // The point before a name can be one character with the name's first scalar.
    let name = words[4].isEmpty ? nil : String(words[4].unicodeScalars.dropFirst())
    before = ChangePosition(change: change, name: name)
    self.end = ServerChangeToken(data: end)
  }

  var serverToken: ServerChangeToken {
    let words = [
      "r", since?.data.base64EncodedString() ?? "", ChangeTag.text(of: before.change),
      end.data.base64EncodedString(), before.name.map { "." + $0 } ?? "",
    ]
    return ServerChangeToken(data: Data(words.joined(separator: ";").utf8))
  }
}
