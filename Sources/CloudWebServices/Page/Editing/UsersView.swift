import Foundation
import RecordModel
import RecordPages

/// Chooses the user as whom changes are made, and adds users.
struct UsersView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    var table = HTMLTable(
      ["Record name", "Name", "Address", .hidden("Act as")], label: "Users")
    let users = context.users
    for (place, user) in users.prefix(ConsoleRequest.maxUsers).enumerated() {
      let actor = ConsoleActor(user.userRecordName.percentEncoded, in: context.served)
      table.add(row: "<tr>\(user.cells(isSignedIn: place == 0))<td>\(choice(actor))</td></tr>")
    }
    let nobody = ConsoleActor(ConsoleActor.nobody, in: context.served)
    table.add("nobody, signed out", "", "", choice(nobody))
    return context.editingPage(
      "Users",
      """
      <p>Acting as \(context.actor.words): forms of the console send their requests as this user. \
      \(context.actor.isWhole
        ? "Views show the whole container, also what the server does not return to this user."
        : "Views show the databases as the server returns them to this user.")</p>
      \(actAs(
        context.actor.otherChoice,
        context.actor.isWhole ? "Show what this user sees" : "Show the whole container"))
      \(table.html)
      \(ConsoleRequest.rest(of: users.count, ConsoleRequest.maxUsers, "user"))
      \(addition)
      """)
  }

  private func choice(_ actor: ConsoleActor) -> HTML {
    if actor.name == context.actor.name {
      return "<span class=\"badge filled added\">acting</span>"
    }
    return actAs(
      context.actor.isWhole ? actor.otherChoice : actor.choice, "Act as",
      " aria-label=\"Act as \(actor.title)\"")
  }

  private func actAs(_ choice: String, _ words: HTML, _ attributes: HTML = .empty) -> HTML {
    context.form(.actAs, [], "<button class=\"plain\"\(attributes)>\(words)</button>", as: choice)
  }

  private var addition: HTML {
    let inputs = [
      ("user", "Record name", true), ("givenName", "Given name", false),
      ("familyName", "Family name", false), ("email", "E-mail address", false),
      ("phone", "Telephone number", false),
    ].map { name, words, isRequired -> HTML in
      """
      <label>\(words)<input name="\(name)" autocomplete="off" spellcheck="false"\
      \("required", if: isRequired)></label>
      """
    }
    return """
      <h2>Add a user</h2>
      \(context.form(.addUser, [], "\(inputs)\n<button>Add</button>"))
      """
  }
}

extension ConsoleRequest {
  /// The number of users that are shown.
  static let maxUsers = 500

  /// The users of the container, the signed-in user first.
  var users: [ContainerAccount] {
    guard let info = try? served.container.store.info() else { return [] }
    let current = info.currentUserRecordName ?? ZoneID.currentUserOwnerName
    let first = info.accounts.first { $0.userRecordName.sameScalars(as: current) }
    let others = info.accounts.filter { !$0.userRecordName.sameScalars(as: current) }
    return [first ?? ContainerAccount(userRecordName: current)] + others
  }
}

extension ContainerAccount {
  /// The cells of a table: the record name, the name and an address.
  func cells(isSignedIn: Bool) -> HTML {
    """
    <td><bdi>\(userRecordName)</bdi>\(when: isSignedIn, " <span class=\"badge\">signed in</span>")</td>\
    <td><bdi>\(identity.fullName)</bdi></td>\
    <td><bdi>\(lookupInfo?.emailAddress ?? lookupInfo?.phoneNumber ?? "")</bdi></td>
    """
  }
}

extension UserIdentity {
  /// The given and the family name; empty if neither is known.
  var fullName: String {
    [nameComponents?.givenName, nameComponents?.familyName].compactMap(\.self)
      .joined(separator: " ")
  }

  /// The record name: of a user who was invited by it, too, as long as the user has not accepted.
  var knownRecordName: String? { userRecordName ?? lookupInfo?.userRecordName }

  /// The names by which the user is known: the record name, the name and an address. A user who was
  /// invited may have nothing but an address.
  var words: [String] {
    let address = lookupInfo?.emailAddress ?? lookupInfo?.phoneNumber ?? ""
    return [knownRecordName ?? "", fullName, address].filter { !$0.isEmpty }
  }
}
