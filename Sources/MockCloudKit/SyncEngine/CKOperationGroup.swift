import CloudInterface
import Foundation

public final class CKOperationGroup: NSObject, NSSecureCoding, @unchecked Sendable {
  public enum TransferSize: Int, Sendable {
    /// The app does not know the size.
    case unknown = 0
    /// Kilobytes.
    case kilobytes = 1
    /// Megabytes.
    case megabytes = 2
    /// Tens of megabytes.
    case tensOfMegabytes = 3
    /// Hundreds of megabytes.
    case hundredsOfMegabytes = 4
    /// Gigabytes.
    case gigabytes = 5
    /// Tens of gigabytes.
    case tensOfGigabytes = 6
    /// Hundreds of gigabytes.
    case hundredsOfGigabytes = 7
  }

  // The group within the options of a sync engine.
  public override var description: String {
    "\(name ?? "<null>") groupID=\(operationGroupID)"
  }

  private struct State {
    var name: String?
    var quantity = 0
    var sendSize = TransferSize.unknown
    var receiveSize = TransferSize.unknown
    var configuration = CKOperation.Configuration()
  }

  public let operationGroupID: String
  private let state = Locked(State())

  public override init() {
    operationGroupID = UUID().uuidString
    super.init()
  }

  public var defaultConfiguration: CKOperation.Configuration! {
    get { state.current.configuration }
    set { state.with { $0.configuration = newValue?.copied() ?? CKOperation.Configuration() } }
  }

  public var name: String? {
    get { state.current.name }
    set { state.with { $0.name = newValue } }
  }

  public var quantity: Int {
    get { state.current.quantity }
    set { state.with { $0.quantity = newValue } }
  }

  public var expectedSendSize: CKOperationGroup.TransferSize {
    get { state.current.sendSize }
    set { state.with { $0.sendSize = newValue } }
  }

  public var expectedReceiveSize: CKOperationGroup.TransferSize {
    get { state.current.receiveSize }
    set { state.with { $0.receiveSize = newValue } }
  }

  // MARK: NSSecureCoding. The keys of Apple's archives are not known.

  public static var supportsSecureCoding: Bool { true }

  public func encode(with coder: NSCoder) {
    let state = state.current
    coder.encode(operationGroupID as NSString, forKey: "OperationGroupID")
    coder.encode(state.name.map { $0 as NSString }, forKey: "Name")
    coder.encode(state.quantity, forKey: "Quantity")
    coder.encode(state.sendSize.rawValue, forKey: "ExpectedSendSize")
    coder.encode(state.receiveSize.rawValue, forKey: "ExpectedReceiveSize")
    state.configuration.encode(to: coder)
  }

  public required init(coder: NSCoder) {
    operationGroupID =
      coder.optionalObject(of: NSString.self, forKey: "OperationGroupID").map { String($0) }
      ?? UUID().uuidString
    super.init()
    state.with {
      $0.name = coder.optionalObject(of: NSString.self, forKey: "Name").map { String($0) }
      $0.quantity = coder.decodeInteger(forKey: "Quantity")
      $0.sendSize =
        TransferSize(rawValue: coder.decodeInteger(forKey: "ExpectedSendSize")) ?? .unknown
      $0.receiveSize =
        TransferSize(rawValue: coder.decodeInteger(forKey: "ExpectedReceiveSize")) ?? .unknown
      $0.configuration = CKOperation.Configuration(from: coder)
    }
  }

  var model: OperationGroup {
    var group = OperationGroup()
    group.name = name
    return group
  }
}
