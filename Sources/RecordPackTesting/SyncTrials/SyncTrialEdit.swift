/// An edit that a trial makes.
public enum SyncTrialEdit: Sendable, Hashable {
  /// Adds an item: see ``SyncTrialItem``.
  case create(_ item: String, text: String, parent: String? = nil)
  /// Replaces the content of an item.
  case change(_ item: String, text: String)
  /// Deletes an item.
  case delete(_ item: String)

  /// The name of the item.
  var item: String {
    switch self {
    case .create(let item, _, _), .change(let item, _), .delete(let item): item
    }
  }

  /// The item after the edit; nil for a deletion.
  var newItem: SyncTrialItem? {
    switch self {
    case .create(let item, let text, let parent):
      SyncTrialItem(name: item, text: text, parent: parent, isNew: true)
    case .change(let item, let text):
      SyncTrialItem(name: item, text: text, parent: nil, isNew: false)
    case .delete: nil
    }
  }

  /// The new content; nil for a deletion.
  var text: String? { newItem?.text }

  /// The edit as Swift code. The trial itself makes up names and texts, so they need no escapes.
  var code: String {
    switch self {
    case .create(let item, let text, nil): ".create(\"\(item)\", text: \"\(text)\")"
    case .create(let item, let text, let parent?):
      ".create(\"\(item)\", text: \"\(text)\", parent: \"\(parent)\")"
    case .change(let item, let text): ".change(\"\(item)\", text: \"\(text)\")"
    case .delete(let item): ".delete(\"\(item)\")"
    }
  }
}
