import CloudInterface
import Foundation

/// https://developer.apple.com/documentation/cloudkit/ckoperationgroup
public final class CKOperationGroup: NSObject, NSSecureCoding, @unchecked Sendable {
  /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/transfersize
  public enum TransferSize: Int, Sendable {
    /// The app does not know the size.
    /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/transfersize/unknown
    case unknown = 0
    /// Kilobytes.
    /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/transfersize/kilobytes
    case kilobytes = 1
    /// Megabytes.
    /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/transfersize/megabytes
    case megabytes = 2
    /// Tens of megabytes.
    /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/transfersize/tensofmegabytes
    case tensOfMegabytes = 3
    /// Hundreds of megabytes.
    /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/transfersize/hundredsofmegabytes
    case hundredsOfMegabytes = 4
    /// Gigabytes.
    /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/transfersize/gigabytes
    case gigabytes = 5
    /// Tens of gigabytes.
    /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/transfersize/tensofgigabytes
    case tensOfGigabytes = 6
    /// Hundreds of gigabytes.
    /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/transfersize/hundredsofgigabytes
    case hundredsOfGigabytes = 7
  }

  private struct State {
    var name: String?
    var quantity = 0
    var sendSize = TransferSize.unknown
    var receiveSize = TransferSize.unknown
    var configuration = CKOperation.Configuration()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/operationgroupid
  public let operationGroupID: String
  private let state = Locked(State())

  /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/init()
  public override init() {
    operationGroupID = UUID().uuidString
    super.init()
  }

  /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/defaultconfiguration
  public var defaultConfiguration: CKOperation.Configuration! {
    get { state.current.configuration }
    set { state.with { $0.configuration = newValue?.copied() ?? CKOperation.Configuration() } }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/name
  public var name: String? {
    get { state.current.name }
    set { state.with { $0.name = newValue } }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/quantity
  public var quantity: Int {
    get { state.current.quantity }
    set { state.with { $0.quantity = newValue } }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/expectedsendsize
  public var expectedSendSize: CKOperationGroup.TransferSize {
    get { state.current.sendSize }
    set { state.with { $0.sendSize = newValue } }
  }

  /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/expectedreceivesize
  public var expectedReceiveSize: CKOperationGroup.TransferSize {
    get { state.current.receiveSize }
    set { state.with { $0.receiveSize = newValue } }
  }

  // MARK: NSSecureCoding. The keys of Apple's archives are not known.

  /// https://developer.apple.com/documentation/foundation/nssecurecoding/supportssecurecoding
  public static var supportsSecureCoding: Bool { true }

  /// https://developer.apple.com/documentation/foundation/nscoding/encode(with:)
  public func encode(with coder: NSCoder) {
    let state = state.current
    coder.encode(operationGroupID as NSString, forKey: "OperationGroupID")
    coder.encode(state.name.map { $0 as NSString }, forKey: "Name")
    coder.encode(state.quantity, forKey: "Quantity")
    coder.encode(state.sendSize.rawValue, forKey: "ExpectedSendSize")
    coder.encode(state.receiveSize.rawValue, forKey: "ExpectedReceiveSize")
    state.configuration.encode(to: coder)
  }

  /// https://developer.apple.com/documentation/cloudkit/ckoperationgroup/init(coder:)
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
