/// Changes in the order in which they were added, one for each item. The list keeps the changes
/// that are being sent apart.
struct PendingList<Item: Hashable & Sendable, Change: Hashable & Sendable>: Sendable {
  private struct Entry {
    let number: Int
    let change: Change
  }

  /// Whether a list has the same change twice.
  let keepsDuplicates: Bool
  private let item: @Sendable (Change) -> Item
  /// The entries in order, with gaps for those that were removed.
  private var entries: [Entry?] = []
  /// The places of the last entry of each item.
  private var places: [Item: Int] = [:]
  private var nextNumber = 0
  /// The number of entries.
  private(set) var count = 0
  /// A number that grows with each change of the list.
  private(set) var revision = 0
  /// The changes that are being sent. An item has several in a list that keeps duplicates.
  private var sent: [Item: [Entry]] = [:]

  init(keepsDuplicates: Bool, item: @escaping @Sendable (Change) -> Item) {
    self.keepsDuplicates = keepsDuplicates
    self.item = item
  }

  var isEmpty: Bool { count == 0 }

  /// The changes that are not being sent, in order.
  var pending: [Change] {
    var changes: [Change] = []
    changes.reserveCapacity(count)
    for case let entry? in entries { changes.append(entry.change) }
    return changes
  }

  /// The changes that are not being sent, in order, each with a number that no other change of the list
  /// has had. The numbers grow.
  var numbered: [(number: Int, change: Change)] {
    entries.compactMap { entry in entry.map { ($0.number, $0.change) } }
  }

  /// The changes that are being sent, in order.
  var inFlight: [Change] {
    sent.values.joined().sorted { $0.number < $1.number }.map(\.change)
  }

  /// Changes the list.
  ///
  /// - Returns: whether anything has changed.
  mutating func change(_ body: (inout Self) -> Void) -> Bool {
    let before = revision
    body(&self)
    return revision != before
  }

  /// Adds a change, which replaces another one of the same item.
  mutating func add(_ change: Change) {
    let item = item(change)
    if !keepsDuplicates, let place = places[item] {
      if entries[place]?.change == change { return }
      removeEntry(at: place)
    }
    places[item] = entries.count
    entries.append(Entry(number: nextNumber, change: change))
    nextNumber += 1
    count += 1
    revision += 1
  }

  /// Removes a change. One that is being sent does not come back if it fails.
  mutating func remove(_ change: Change) {
    let item = item(change)
    if let entries = sent[item], entries.contains(where: { $0.change == change }) {
      sent[item] = entries.filter { $0.change != change }
      revision += 1
    }
    while let place = place(of: change) { removeEntry(at: place) }
    compact()
  }

  mutating func removeAll(where isRemoved: (Item) -> Bool = { _ in true }) {
    for place in entries.indices {
      guard let entry = entries[place], isRemoved(item(entry.change)) else { continue }
      removeEntry(at: place)
    }
    for item in sent.keys where isRemoved(item) { sent[item] = nil }
    compact()
  }

  private mutating func removeEntry(at place: Int) {
    guard let entry = entries[place] else { return }
    entries[place] = nil
    count -= 1
    revision += 1
    let item = item(entry.change)
    if places[item] == place { places[item] = nil }
  }

  /// The last place of a change that is not being sent.
  private func place(of change: Change) -> Int? {
    if keepsDuplicates { return entries.lastIndex { $0?.change == change } }
    guard let place = places[item(change)], entries[place]?.change == change else { return nil }
    return place
  }

  /// Makes a copy of a list fit for reading only. The list then shares less with it, and a change of
  /// the list copies less.
  mutating func forgetPlaces() { places = [:] }

  /// Removes the gaps when there are more of them than entries.
  private mutating func compact() {
    guard entries.count > 2 * count + 16 else { return }
    setEntries(entries.compactMap(\.self))
  }

  private mutating func setEntries(_ list: [Entry]) {
    entries = list
    count = list.count
    places = [:]
    for (place, entry) in list.enumerated() { places[item(entry.change)] = place }
  }

  // MARK: Sending

  /// Moves changes from the list to the changes that are being sent.
  mutating func beginSending(_ changes: [Change]) {
    for change in changes {
      guard let place = place(of: change), let entry = entries[place] else { continue }
      sent[item(change), default: []].append(entry)
      removeEntry(at: place)
    }
    compact()
  }

  /// Ends sending. Changes that are to be sent again get their places back, unless the app has added
  /// another change of the item that replaces them.
  mutating func endSending(_ changes: [Change], sendingAgain: Set<Item>) {
    var returned: [Entry] = []
    for change in changes {
      let item = item(change)
      guard let entries = sent.removeValue(forKey: item), sendingAgain.contains(item),
        keepsDuplicates || places[item] == nil
      else { continue }
      returned += entries
    }
    guard !returned.isEmpty else { return }
    revision += 1
    let list = entries.compactMap(\.self) + returned
    setEntries(list.sorted { $0.number < $1.number })
  }
}
