import Foundation
import RecordPlatform

/// The steps of a trial, made up from a seed.
struct SyncTrialPlan {
  var steps: [SyncTrialStep] = []
  private var random: SeededNumbers
  var items: [String] = []
  private var textCount = 0
  let hasParents: Bool

  /// The devices of a trial. The first two have the same user from the start.
  static let (phone, tablet, laptop) = ("Phone", "Tablet", "Laptop")
  static let (firstUser, secondUser) = ("_first", "_second")
  /// The device of the second user.
  static let guest = "Guest"

  init(_ trial: SyncTrial, seed: UInt64, hasParents: Bool, maxPendingChanges: Int) {
    self.hasParents = hasParents
    random = SeededNumbers(seed: seed)
    switch trial {
    case .mixedEdits: mixEdits()
    case .conflicts: conflict()
    case .editBeforeSignIn: editBeforeSignIn()
    case .editDuringSend: editDuringSend()
    case .failedBatch, .rejectedNeighbours: failBatch()
    case .conflictWithoutRecord: failSaves(.conflictWithoutRecord, times: 1)
    case .networkFailure: failSaves(.networkFailure, times: 2)
    case .lostResponse: failSaves(.responseLost, times: 1)
    case .throttle: failSaves(random.below(2) == 0 ? .serviceUnavailable : .zoneBusy, times: 3)
    case .fullQuota: fillStorage()
    case .deletedZone: deleteZones(.deleted)
    case .purgedZone: deleteZones(.purged)
    case .resetZone: deleteZones(.encryptedDataReset)
    case .expiredToken: expireTokens()
    case .signOut: signOut()
    case .switchedAccounts: switchAccounts()
    case .childrenFirst: createChildren()
    case .olderVersionLast: changeOften()
    case .ownSaves: fetchOwnSaves()
    case .failedWrite: failWrite()
    case .kills, .olderStates: workOnPhone()
    // A request holds 400 records.
    case .backlog: sendMany(max(maxPendingChanges, 500) + 100, size: 0)
    case .largeBatch: sendMany(130, size: 20_000)
    case .deletedParent: deleteParent()
    case .failedFetch: failFetch()
    case .oldDeletions: beginAfterDeletions()
    case .recreatedItem: createAgain()
    case .reinstall: reinstall()
    case .sharedItems: shareItems()
    case .stoppedSharing: stopSharing()
    case .readOnlySharing: limitSharing()
    }
    steps.append(.settle)
  }

  // MARK: Parts

  /// Makes the name of an item.
  mutating func newItem() -> String {
    let high = random.next()
    let low = random.next()
    let bytes = withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    let uuid = bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }
    return UUID(uuid: uuid).uuidString
  }

  /// Makes a text that no other edit has, and that is no part of another one.
  mutating func text() -> String {
    textCount += 1
    let digits = String(textCount)
    return "edit-" + String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  mutating func create(on device: String, _ count: Int = 1) {
    for _ in 0..<count {
      let item = newItem()
      steps.append(.edit(device, .create(item, text: text())))
      items.append(item)
    }
  }

  mutating func change(_ item: String, on device: String) {
    steps.append(.edit(device, .change(item, text: text())))
  }

  mutating func delete(_ item: String, on device: String) {
    steps.append(.edit(device, .delete(item)))
  }

  /// Begins with items that both devices have.
  mutating func begin(_ count: Int) {
    create(on: Self.phone, count)
    steps += [.sync(Self.phone), .sync(Self.tablet), .settle]
  }

  /// Begins with items that both devices have, of which the phone has fetched its own saves.
  private mutating func beginWithOwnSaves(_ count: Int) {
    begin(count)
    change(items[0], on: Self.tablet)
    steps += [.sync(Self.tablet), .sync(Self.phone), .settle]
  }

  mutating func inAnyOrder(_ devices: String...) -> [String] {
    devices.shuffled(using: &random)
  }

  // MARK: Plans

  private mutating func mixEdits() {
    begin(2)
    let devices = [Self.phone, Self.tablet, Self.laptop]
    for _ in 0..<30 {
      let device = devices[random.below(devices.count)]
      let item = items[random.below(items.count)]
      switch random.below(20) {
      case 0..<4: create(on: device)
      case 4..<11: change(item, on: device)
      case 11..<13: delete(item, on: device)
      case 13..<16: steps.append(.sync(device))
      case 16..<18:
        let other = devices.filter { $0 != device }[random.below(2)]
        steps += [.race(device, other), .sync(device)]
      case 18: steps += [.sync(device), .relaunch(device)]
      default: steps.append(.settle)
      }
    }
  }

  private mutating func conflict() {
    begin(4)
    change(items[0], on: Self.phone)
    change(items[1], on: Self.phone)
    delete(items[2], on: Self.phone)
    delete(items[3], on: Self.phone)
    change(items[0], on: Self.tablet)
    delete(items[1], on: Self.tablet)
    change(items[2], on: Self.tablet)
    delete(items[3], on: Self.tablet)
    let item = newItem()
    for device in [Self.phone, Self.tablet] {
      steps.append(.edit(device, .create(item, text: text())))
    }
    let order = inAnyOrder(Self.phone, Self.tablet)
    steps += [.race(order[0], order[1]), .sync(order[0]), .sync(order[1])]
  }

  private mutating func editBeforeSignIn() {
    create(on: Self.phone)
    steps += [.sync(Self.phone), .settle]
    create(on: Self.tablet)
  }

  private mutating func editDuringSend() {
    begin(2)
    let (item, other) = (items[0], items[1])
    change(item, on: Self.phone)
    steps += [.editDuringSend(Self.phone, .change(item, text: text())), .sync(Self.phone), .settle]
    change(other, on: Self.phone)
    steps += [.editDuringSend(Self.phone, .delete(other)), .sync(Self.phone), .settle]
    create(on: Self.phone)
    if let new = items.last {
      steps += [.editDuringSend(Self.phone, .change(new, text: text())), .sync(Self.phone)]
    }
  }

  private mutating func failBatch() {
    begin(4)
    change(items[0], on: Self.tablet)
    change(items[0], on: Self.phone)
    change(items[1], on: Self.phone)
    delete(items[2], on: Self.phone)
    steps += [.race(Self.phone, Self.tablet), .sync(Self.phone)]
  }

  private mutating func failSaves(_ fault: SyncTrialFault, times: Int) {
    begin(3)
    create(on: Self.phone)
    change(items[0], on: Self.phone)
    delete(items[2], on: Self.phone)
    steps += [.failSaves(Self.phone, fault, times: times), .sync(Self.phone)]
    change(items[1], on: Self.phone)
    change(items[0], on: Self.phone)
    steps += [.sync(Self.phone), .relaunch(Self.phone)]
  }

  private mutating func fillStorage() {
    begin(3)
    create(on: Self.phone)
    change(items[0], on: Self.phone)
    delete(items[2], on: Self.phone)
    steps += [.fillStorage(Self.phone), .sync(Self.phone)]
    change(items[1], on: Self.phone)
    change(items[0], on: Self.phone)
    steps.append(.sync(Self.phone))
  }

  private mutating func deleteZones(_ reason: DeletedZone.Reason) {
    begin(3)
    if random.below(2) == 0 { change(items[0], on: Self.tablet) }
    steps.append(.deleteZones(reason))
    steps += inAnyOrder(Self.phone, Self.tablet).map { .sync($0) } + [.settle]
    // The device that had made the zone, or another device, makes it again.
    for device in inAnyOrder(Self.phone, Self.tablet) {
      create(on: device)
      steps += [.sync(device), .settle]
    }
  }

  private mutating func expireTokens() {
    beginWithOwnSaves(3)
    change(items[0], on: Self.tablet)
    create(on: Self.tablet)
    steps.append(.sync(Self.tablet))
    change(items[1], on: Self.phone)
    delete(items[2], on: Self.phone)
    steps += [.expireTokens(Self.phone), .sync(Self.phone), .settle]
    change(items[1], on: Self.phone)
  }

  private mutating func signOut() {
    begin(2)
    steps += [.signOut(Self.phone), .sync(Self.phone), .settle]
    if random.below(2) == 0 { steps.append(.relaunch(Self.phone)) }
    change(items[0], on: Self.tablet)
    steps += [.sync(Self.tablet), .signIn(Self.phone, as: Self.firstUser), .sync(Self.phone)]
    steps.append(.settle)
    change(items[1], on: Self.phone)
  }

  private mutating func switchAccounts() {
    begin(2)
    // The edit of the first user was not sent, and never belongs to the second.
    create(on: Self.phone)
    for user in [Self.secondUser, Self.firstUser] {
      let runs = random.below(2) == 0
      if !runs { steps.append(.quit(Self.phone)) }
      steps.append(.signIn(Self.phone, as: user))
      steps += runs ? [.sync(Self.phone)] : [.relaunch(Self.phone), .sync(Self.phone)]
      steps.append(.settle)
      create(on: Self.phone)
      steps += [.sync(Self.phone), .settle]
    }
  }

  private mutating func createChildren() {
    let (parent, other) = (newItem(), newItem())
    for item in [parent, other] {
      steps.append(.edit(Self.phone, .create(item, text: text())))
    }
    for index in 0..<4 {
      let item = newItem()
      items.append(item)
      steps.append(
        .edit(
          Self.phone, .create(item, text: text(), parent: index < 3 ? parent : other)))
    }
    steps += [.sync(Self.phone), .settle]
    change(parent, on: Self.tablet)
    change(items[0], on: Self.tablet)
    steps += [.sync(Self.tablet), .sync(Self.phone)]
  }

  private mutating func changeOften() {
    begin(2)
    for _ in 0..<3 {
      for device in inAnyOrder(Self.phone, Self.tablet) {
        change(items[0], on: device)
        steps += [.sync(device), .sync(device == Self.phone ? Self.tablet : Self.phone)]
      }
      change(items[1], on: Self.phone)
    }
  }

  private mutating func fetchOwnSaves() {
    create(on: Self.phone, 3)
    steps += [.sync(Self.phone), .sync(Self.tablet)]
    create(on: Self.tablet)
    steps.append(.sync(Self.tablet))
    delete(items[0], on: Self.phone)
    change(items[1], on: Self.phone)
    steps += [.sync(Self.phone), .settle]
    change(items[2], on: Self.phone)
  }

  private mutating func failWrite() {
    begin(2)
    change(items[0], on: Self.phone)
    create(on: Self.phone)
    steps += [
      .sync(Self.phone), .failWrite(Self.tablet), .sync(Self.tablet), .relaunch(Self.tablet),
    ]
  }

  /// The work during which ``SyncTrial/kills`` and ``SyncTrial/olderStates`` start the app again.
  private mutating func workOnPhone() {
    beginWithOwnSaves(3)
    change(items[0], on: Self.tablet)
    create(on: Self.tablet)
    steps.append(.sync(Self.tablet))
    change(items[1], on: Self.phone)
    delete(items[2], on: Self.phone)
    create(on: Self.phone)
    steps.append(.sync(Self.phone))
    change(items[1], on: Self.phone)
    steps.append(.sync(Self.phone))
  }

  private mutating func sendMany(_ count: Int, size: Int) {
    steps.append(.createMany(Self.phone, count: count, size: size))
    steps += [.sync(Self.phone), .sync(Self.tablet)]
  }

  private mutating func deleteParent() {
    let parent = newItem()
    steps.append(.edit(Self.phone, .create(parent, text: text())))
    steps += [.sync(Self.phone), .sync(Self.tablet), .settle]
    delete(parent, on: Self.tablet)
    steps.append(.edit(Self.phone, .create(newItem(), text: text(), parent: parent)))
    create(on: Self.phone)
    steps += [.sync(Self.tablet), .sync(Self.phone)]
  }

  private mutating func failFetch() {
    begin(3)
    steps += [.relaunchWithState(Self.phone, -1), .failFetch(Self.phone), .sync(Self.phone)]
    change(items[0], on: Self.tablet)
    create(on: Self.tablet)
    steps += [.sync(Self.tablet), .sync(Self.phone), .settle]
    steps.append(.failFetch(Self.laptop))
    create(on: Self.laptop)
    steps.append(.sync(Self.laptop))
    change(items[1], on: Self.tablet)
    steps += [.sync(Self.tablet), .sync(Self.laptop)]
  }

  private mutating func beginAfterDeletions() {
    create(on: Self.phone, 4)
    steps.append(.sync(Self.phone))
    for item in items.prefix(3) { delete(item, on: Self.phone) }
    steps.append(.sync(Self.phone))
    steps.append(.edit(Self.phone, .create(items[0], text: text())))
    steps += [.sync(Self.phone), .sync(Self.tablet)]
    change(items[3], on: Self.tablet)
    create(on: Self.tablet)
    steps.append(.sync(Self.tablet))
  }

  private mutating func createAgain() {
    begin(2)
    delete(items[0], on: Self.phone)
    steps.append(.edit(Self.phone, .create(items[0], text: text())))
    create(on: Self.phone)
    if let new = items.last { delete(new, on: Self.phone) }
    steps += [.sync(Self.phone), .settle]
    change(items[0], on: Self.tablet)
    steps += [.sync(Self.tablet), .settle]
    delete(items[1], on: Self.phone)
    steps.append(.edit(Self.phone, .create(items[1], text: text())))
    delete(items[1], on: Self.phone)
  }

  private mutating func reinstall() {
    create(on: Self.phone)
    steps += [.sync(Self.phone), .settle, .changeOwnItem(Self.phone, text: text()), .settle]
    change(items[0], on: Self.phone)
    steps += [.sync(Self.phone), .reinstall(Self.phone), .sync(Self.phone), .settle]
    change(items[0], on: Self.tablet)
    steps += [.sync(Self.tablet), .reinstall(Self.phone)]
    create(on: Self.phone)
    steps.append(.sync(Self.phone))
  }
}
