import Foundation
import RecordModel

/// The destination of a path of the page.
enum PageRoute: Equatable {
  /// The containers; the only one, if there is no other.
  case start
  /// A script, by its text.
  case script(String)
  /// The icon that browsers ask for; there is none.
  case icon
  case view(PageContainerName, PageView)
  case action(PageContainerName, PageAction)

  /// Reads a path; nil for one that belongs to something else.
  init?(_ path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      $0.percentDecoded ?? ""
    }
    let scripts = ["page.js": PageScript.text, "edit.js": EditingScript.text]
    let name =
      parts.count > 3 ? PageContainerName(identifier: parts[1], environment: parts[2]) : nil
    let route: PageRoute? =
      if path == "/" {
        .start
      } else if parts == ["favicon.ico"] {
        .icon
      } else if parts.first == "page", parts.count == 2 {
        scripts[parts[1]].map(PageRoute.script)
      } else if parts.first == "page", parts.count == 4, let name {
        PageView(rawValue: parts[3]).map { .view(name, $0) }
      } else if parts.first == "page", parts.count == 5, parts[3] == "actions", let name {
        PageAction(rawValue: parts[4]).map { .action(name, $0) }
      } else {
        nil
      }
    guard let route else { return nil }
    self = route
  }
}

/// The views of a container.
enum PageView: String, CaseIterable {
  case overview, records, record, asset, changes, requests, notifications, shares, schema, faults
  case edit, delete, zones, users, sharing
  /// The records of all types that fit a text.
  case search
  /// The records that fit the beginning of a reference, as JSON.
  case find
  /// The records of a table as a file.
  case export

  /// The views that are no pages.
  static let files: Set = [asset, export, find]
  /// The views with forms that change records, zones and shares.
  static let editing: Set = [edit, delete, zones, users, sharing, find]
}

/// The actions of the page's forms.
enum PageAction: String, CaseIterable {
  /// Shows the records for which a form asks. A condition may have an encrypted value, which an
  /// address must not have.
  case filter
  case reset, snapshot, clock
  case addFault = "add-fault"
  case removeFault = "remove-fault"
  case clearFaults = "clear-faults"
  case replay
  case release
  case clearRequests = "clear-requests"
  // Changes by requests of CloudKit Web Services.
  case save, restore, undo
  case deleteRecord = "delete-record"
  case createZone = "create-zone"
  case deleteZone = "delete-zone"
  case share, accept, subscribe, unsubscribe
  case addUser = "add-user"
  case actAs = "act-as"

  /// The things that actions do.
  enum Kind {
    /// Shows something.
    case reading
    /// Sends requests as a client does, for which no test is in control.
    case editing
    /// Controls the server, as a test does.
    case control
  }

  var kind: Kind {
    switch self {
    case .filter: .reading
    case .reset, .snapshot, .clock, .addFault, .removeFault, .clearFaults, .replay, .release,
      .clearRequests:
      .control
    case .save, .restore, .undo, .deleteRecord, .createZone, .deleteZone, .share, .accept,
      .subscribe, .unsubscribe, .addUser, .actAs:
      .editing
    }
  }

  /// The view that shows the result of an action that controls the server.
  var view: PageView {
    switch self {
    case .reset: .overview
    case .clearRequests, .replay: .requests
    default: .faults
    }
  }
}

/// A container in the paths of the page; `-` stands for an identifier or environment that it does
/// not have.
struct PageContainerName: Hashable {
  var identifier: String?
  var environment: ContainerInfo.Environment?

  init(_ container: WebContainer) {
    identifier = container.identifier
    environment = container.environment
  }

  init?(identifier: String, environment: String) {
    self.identifier =
      identifier == "-"
      ? nil : identifier.hasPrefix("~") ? String(identifier.dropFirst()) : identifier
    guard environment == "-" || ContainerInfo.Environment(rawValue: environment) != nil else {
      return nil
    }
    self.environment = ContainerInfo.Environment(rawValue: environment)
  }

  /// The beginning of all paths of the container.
  var path: String {
    "/page/\(identifier.map(Self.part) ?? "-")/\(environment?.rawValue ?? "-")"
  }

  /// An identifier in a path. A tilde comes before one that browsers read as the way to another
  /// path, even percent-encoded, or that would stand for none.
  private static func part(_ identifier: String) -> String {
    let isSpecial = ["", "-", ".", ".."].contains(identifier) || identifier.hasPrefix("~")
    return (isSpecial ? "~" : "") + identifier.percentEncoded
  }
}

extension String {
  /// The text as a part of a path, or a value of a query: all but letters, digits and `-._~` is
  /// percent-encoded.
  var percentEncoded: String {
    let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    let unreserved = CharacterSet(charactersIn: letters + "0123456789-._~")
    return addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
  }
}
