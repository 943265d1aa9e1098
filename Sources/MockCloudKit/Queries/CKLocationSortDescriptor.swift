import AppleFoundation
import Foundation

public class CKLocationSortDescriptor: NSSortDescriptor {
  public let relativeLocation: CLLocation

  #if os(Linux)
    package let fieldKey: String?

    public init(key: String, relativeLocation: CLLocation) {
      self.relativeLocation = relativeLocation
      fieldKey = key
      super.init(keyPath: \String.self, ascending: true)
    }
  #else
    public init(key: String, relativeLocation: CLLocation) {
      self.relativeLocation = relativeLocation
      super.init(key: key, ascending: true, selector: nil)
    }

    public required init?(coder: NSCoder) {
      guard
        let location = coder.decodeObject(of: CLLocation.self, forKey: "relativeLocation")
      else { return nil }
      relativeLocation = location
      super.init(coder: coder)
    }

    public override func encode(with coder: NSCoder) {
      super.encode(with: coder)
      coder.encode(relativeLocation, forKey: "relativeLocation")
    }
  #endif
}

#if os(Linux)
  extension CKLocationSortDescriptor: KeyedSorting {}
#endif
