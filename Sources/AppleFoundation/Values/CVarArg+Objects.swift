#if os(Linux)
  import Foundation

  // On Apple's platforms the compiler bridges these values to objects in `value as CVarArg`, as
  // predicates take them. The argument of a C function is the object, which is never released.

  extension NSObject: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] {
      [Int(bitPattern: Unmanaged.passRetained(self).toOpaque())]
    }
  }

  extension Date: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { (self as NSDate)._cVarArgEncoding }
  }

  extension Data: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { (self as NSData)._cVarArgEncoding }
  }

  extension Array: @retroactive CVarArg {
    public var _cVarArgEncoding: [Int] { NSArray(array: self)._cVarArgEncoding }
  }
#endif
