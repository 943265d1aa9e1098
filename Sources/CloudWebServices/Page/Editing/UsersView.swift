import Foundation
import RecordModel
import RecordPages
import RecordStore

/// Chooses the user as whom changes are made, and adds users.
struct UsersView {
  let context: ConsoleRequest

  func html() throws -> HTML {
    try context.requireEditing()
    let info = try context.store.info()
    let current = info.currentUserRecordName ?? ZoneID.currentUserOwnerName
    let others = info.accounts.filter { !$0.userRecordName.sameScalars(as: current) }
    let names = [current] + others.prefix(500).map(\.userRecordName)
    let rows = names.map { name -> HTML in
      let account = info.accounts.first { $0.userRecordName.sameScalars(as: name) }
      let parts = [account?.nameComponents?.givenName, account?.nameComponents?.familyName]
      let badge: HTML? = name == current ? " <span class=\"badge\">signed in</span>" : nil
      return """
        <tr><td><bdi>\(name)</bdi>\(badge)</td>\
        <td><bdi>\(parts.compactMap(\.self).joined(separator: " "))</bdi></td>\
        <td><bdi>\(account?.lookupInfo?.emailAddress ?? account?.lookupInfo?.phoneNumber ?? "")</bdi></td>\
        <td>\(choice(ConsoleActor(name.percentEncoded, in: context.served)))</td></tr>
        """
    }
    let nobody = ConsoleActor(ConsoleActor.nobody, in: context.served)
    let head: [HTML] =
      ["Record name", "Name", "Address"].map { "<th>\($0)</th>" }
      + ["<th><span class=\"hidden\">Act as</span></th>"]
    return context.editingPage(
      "Users",
      """
      <p>Acting as \(context.actor.words): forms of the console send their requests as this user.</p>
      \(HTML.table(
        "Users", head: head,
        rows: rows + ["<tr><td>nobody, signed out</td><td></td><td></td><td>\(choice(nobody))</td></tr>"]))
      \(addition)
      """)
  }

  private func choice(_ actor: ConsoleActor) -> HTML {
    if actor == context.actor { return "<span class=\"badge filled added\">acting</span>" }
    return """
      <form method="post" action="\(context.path(of: .actAs))">\
      \(ConsoleRequest.plainInput("as", actor.choice))\
      <button class="plain" aria-label="Act as \(actor.title)">Act as</button></form>
      """
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
      <form method="post" action="\(context.path(of: .addUser))">
      \(inputs)
      <button>Add</button></form>
      """
  }
}
