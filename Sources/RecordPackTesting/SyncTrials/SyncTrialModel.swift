/// The items of one user in a trial, and the contents that each may have.
///
/// An edit that no later edit has seen is a *head*. One head decides alone. Of several, which are a
/// conflict, one must win or all be merged.
struct SyncTrialModel {
  private struct Item {
    /// The content that all devices had when they were checked last; nil if none had the item.
    var content: String?
    var heads: [(device: String, edit: SyncTrialEdit)] = []
    /// Whether every outcome is right, as after a reset of encrypted data.
    var isOpen = false
  }

  private var items: [String: Item] = [:]

  /// Whether a person has made the item. The app may have made others itself: a default item, or the copy
  /// of an edit that has lost a conflict.
  func knows(_ item: String) -> Bool { items[item] != nil }

  /// Notes an edit that the app has acknowledged.
  ///
  /// - Parameter before: the item's content on the device before the edit; nil if it had none.
  mutating func add(_ edit: SyncTrialEdit, on device: String, before: String?) {
    items[edit.item, default: Item()].heads.removeAll { head in
      // A device sees its own edits, and those whose text it shows.
      head.device == device
        || head.edit.text.map { before?.contains($0) == true } == true
    }
    items[edit.item, default: Item()].heads.append((device, edit))
  }

  /// Notes that an edit of an item may or may not have happened.
  mutating func open(_ item: String) { items[item, default: Item()].isOpen = true }

  /// Notes that the server has deleted all records. Edits that it does not have yet may be lost.
  mutating func deleteAll(keepsPossible: Bool) {
    for (name, item) in items {
      if item.heads.isEmpty, !keepsPossible {
        items[name]?.content = nil
      } else {
        items[name]?.isOpen = true
      }
    }
  }

  /// Notes that a device has lost the edits that it has not sent.
  mutating func forget(_ device: String) {
    for (name, item) in items where item.heads.contains(where: { $0.device == device }) {
      items[name]?.isOpen = true
    }
  }

  /// Compares the items that all devices show with those that they must show, and takes them over.
  ///
  /// - Returns: the first problem, by the name of the item.
  mutating func settle(_ contents: [String: String]) -> SyncTrialFailure.Problem? {
    for (name, item) in items.sorted(by: { $0.key < $1.key }) {
      if let problem = problem(of: name, item, contents[name]) { return problem }
      items[name] = Item(content: contents[name])
    }
    return nil
  }

  private func problem(
    of name: String, _ item: Item, _ content: String?
  ) -> SyncTrialFailure.Problem? {
    if item.isOpen { return nil }
    if item.heads.isEmpty {
      if item.content == content { return nil }
      if item.content == nil { return Self.returned(name) }
      guard let content, let old = item.content else { return Self.missing(name) }
      return .init(
        .changedByItself, item: name,
        "the item \(name) has changed from '\(old)' to '\(content)', and nobody edited it.")
    }
    guard let content else {
      let isDeleted = item.heads.contains { $0.edit.text == nil }
      return isDeleted ? nil : Self.missing(name)
    }
    let texts = item.heads.compactMap(\.edit.text)
    if texts.isEmpty { return Self.returned(name) }
    guard !texts.contains(where: { content.contains($0) }) else { return nil }
    let list = item.heads.compactMap { head in
      head.edit.text.map { "'\($0.prefix(100))' of \(head.device)" }
    }
    return .init(
      .lost, item: name,
      "all devices show '\(content.prefix(200))' for the item \(name), and no text of its last edits: "
        + "\(list.joined(separator: ", ")).")
  }

  private static func missing(_ item: String) -> SyncTrialFailure.Problem {
    .init(.missing, item: item, "the item \(item) is gone, and nobody deleted it.")
  }

  private static func returned(_ item: String) -> SyncTrialFailure.Problem {
    .init(.returned, item: item, "the item \(item) was deleted, and is there again.")
  }
}
