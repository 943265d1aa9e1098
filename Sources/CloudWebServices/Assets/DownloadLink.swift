import Foundation
import RecordModel

/// The address of an asset's content. Who has it can read the content, as on the server.
struct DownloadLink {
  var place: WebPlace
  var sha256: String

  init(place: WebPlace, sha256: String) {
    self.place = place
    self.sha256 = sha256
  }

  /// Reads the token in an address; nil for one that was not given out.
  init?(_ token: String, _ signer: TokenSigner) {
    guard let words = signer.words(.download, of: token), words.count == 3,
      let place = try? WebPlace(words[0], environment: words[1])
    else { return nil }
    self.init(place: place, sha256: words[2])
  }

  var words: [String] { place.words + [sha256] }
}
