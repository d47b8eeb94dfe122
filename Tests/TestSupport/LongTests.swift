import Foundation
package import Testing

/// The two runs of the tests: `make test` is quick, `make test-long` has the full counts.
///
/// Every law stays in the quick run with a smaller count; a test that cannot be made smaller, such
/// as the build of another package, belongs to the long run alone. A test for which the runs differ
/// has the trait `.longer`, by which `Tests/run_tests --only-longer` finds it.
package enum LongTests {
  /// Whether this is the long run: `SHADOWBOX_LONG_TESTS` is 1, as `make test-long` sets it.
  ///
  /// The test that asks, in its arguments, conditions or body, fails without the trait `.longer`. A
  /// `static let` asks only for the first test that reads it: use a `static var`.
  package static var areWanted: Bool {
    if let test = Test.current, !test.tags.contains(.longer) {
      Issue.record("\(test.name) differs in the long run: expected @Test(.longer)")
    }
    return isLong
  }

  private static let isLong = ProcessInfo.processInfo.environment["SHADOWBOX_LONG_TESTS"] == "1"

  /// Returns how many cases this run tries.
  package static func count<Number: BinaryInteger>(quick: Number, long: Number) -> Number {
    areWanted ? long : quick
  }

  /// Returns all items in the long run; in the quick one every other.
  package static func everyOther<Item>(_ items: [Item]) -> [Item] {
    areWanted ? items : stride(from: 0, to: items.count, by: 2).map { items[$0] }
  }

  /// Returns all items in the long run; in the quick one the first of each kind, in their order.
  package static func firstOfEachKind<Item, Kind: Hashable>(
    _ items: [Item], _ kind: (Item) -> Kind
  ) -> [Item] {
    if areWanted { return items }
    var known: Set<Kind> = []
    return items.filter { known.insert(kind($0)).inserted }
  }
}

extension Tag {
  @Tag package static var longer: Self
}

extension Trait where Self == Tag.List {
  /// Marks a test that the long run changes.
  package static var longer: Self { .tags(.longer) }
}

extension Trait where Self == ConditionTrait {
  /// Leaves a test to the long run. It has the trait `.longer` too.
  package static var longRun: Self {
    .enabled(if: LongTests.areWanted, "long: make test-long runs it")
  }
}
