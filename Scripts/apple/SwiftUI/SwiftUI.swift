// The part of SwiftUI that the examples use, for Scripts/check-apple. Nothing runs.

@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { return fatalError() }
}

public protocol Leaf: View where Body == Never {}

extension Leaf {
  public var body: Never { return fatalError() }
}

public struct AnyContent: Leaf {}

public struct Either<First: View, Second: View>: Leaf {}

extension Optional: View where Wrapped: View {
  public var body: Never { return fatalError() }
}

@resultBuilder
public enum ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> AnyContent {
    AnyContent()
  }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<First: View, Second: View>(
    first: First
  ) -> Either<First, Second> { Either() }
  public static func buildEither<First: View, Second: View>(
    second: Second
  ) -> Either<First, Second> { Either() }
}

public struct Text: Leaf {
  public init<S: StringProtocol>(_ content: S) {}
}

public struct List<Content: View>: Leaf {
  public init(@ViewBuilder content: () -> Content) {}
}

public struct ForEach<Items: RandomAccessCollection, ID: Hashable, Content: View>: Leaf {
  public init(
    _ data: Items, id: KeyPath<Items.Element, ID>,
    @ViewBuilder content: @escaping (Items.Element) -> Content
  ) {}
}

public struct Section<Parent: View, Content: View>: Leaf {
  public init(@ViewBuilder content: () -> Content, @ViewBuilder header: () -> Parent) {}
}

@propertyWrapper
public struct State<Value> {
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var wrappedValue: Value {
    get { fatalError() }
    nonmutating set {}
  }
}

extension View {
  public func task(_ action: @escaping @Sendable @isolated(any) () async -> Void) -> some View {
    AnyContent()
  }
}

@MainActor @preconcurrency
public protocol PreviewProvider {
  associatedtype Previews: View
  @ViewBuilder @MainActor @preconcurrency static var previews: Previews { get }
}

@MainActor @preconcurrency
public protocol Scene {}

@resultBuilder
public enum SceneBuilder {
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

public struct WindowGroup<Content: View>: Scene {
  public init(@ViewBuilder content: () -> Content) {}
}

@MainActor @preconcurrency
public protocol App {
  associatedtype Body: Scene
  @SceneBuilder @MainActor @preconcurrency var body: Body { get }
  @MainActor @preconcurrency init()
}

extension App {
  public static func main() {}
}
