import CloudWebServices
import Foundation

/// A POST with a body of text.
struct WebRequestBox {
  let request: WebRequest

  init(_ target: String, _ body: String, headers: WebHeaders = [:]) {
    request = WebRequest("POST", target, headers: headers, body: Data(body.utf8))
  }
}
