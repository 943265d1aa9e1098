extension SyncTrialPlan {
  /// Begins with an item of the second user, and with items of the first that the second may change.
  private mutating func beginSharing(_ count: Int) -> [String] {
    create(on: Self.guest)
    steps += [.sync(Self.guest), .settle]
    begin(count)
    steps += [.share(.readWrite), .sync(Self.guest), .settle]
    return Array(items.dropFirst())
  }

  mutating func shareItems() {
    let shared = beginSharing(5)
    change(shared[0], on: Self.guest)
    delete(shared[1], on: Self.guest)
    if hasParents {
      steps.append(.edit(Self.guest, .create(newItem(), text: text(), parent: shared[0])))
    }
    change(items[0], on: Self.guest)
    steps += [.sync(Self.guest), .settle]
    for device in inAnyOrder(Self.phone, Self.guest) { change(shared[2], on: device) }
    change(shared[3], on: Self.guest)
    delete(shared[3], on: Self.phone)
    let order = inAnyOrder(Self.phone, Self.guest)
    steps += [.race(order[0], order[1]), .sync(order[0]), .sync(order[1]), .settle]
    // The engine of the guest's own database is the last that reports a state.
    change(items[0], on: Self.guest)
    steps += [.sync(Self.guest), .settle, .quit(Self.guest)]
    change(shared[4], on: Self.tablet)
    delete(shared[0], on: Self.tablet)
    steps += [.sync(Self.tablet), .relaunch(Self.guest), .settle]
    change(shared[4], on: Self.guest)
    steps += [.settle, .reinstall(Self.guest)]
  }

  mutating func stopSharing() {
    let shared = beginSharing(4)
    change(shared[0], on: Self.guest)
    steps.append(.sync(Self.guest))
    change(shared[1], on: Self.guest)
    delete(shared[2], on: Self.guest)
    change(items[0], on: Self.guest)
    steps += [.share(.none), .sync(Self.guest), .settle]
    change(shared[1], on: Self.phone)
    create(on: Self.guest)
    steps += [.sync(Self.phone), .settle, .share(.readWrite), .settle]
    change(shared[3], on: Self.guest)
    change(items[0], on: Self.guest)
    steps += [.share(.none, duringSendOf: Self.guest), .sync(Self.guest)]
  }

  mutating func limitSharing() {
    let shared = beginSharing(3)
    change(shared[0], on: Self.guest)
    delete(shared[1], on: Self.guest)
    change(items[0], on: Self.guest)
    steps += [.share(.readOnly), .sync(Self.guest), .settle]
    change(shared[2], on: Self.phone)
    steps += [.sync(Self.phone), .settle, .share(.readWrite), .settle]
    change(shared[0], on: Self.guest)
    delete(shared[1], on: Self.guest)
  }
}
