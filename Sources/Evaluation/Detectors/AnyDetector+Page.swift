package import Detectors
package import TraceModel

extension AnyDetector {
  /// The values of a choice on a trace, as a page takes them; see ``pageValues(_:)``.
  package func pageValues(
    of choice: DetectorChoice, for header: TraceHeader
  ) throws -> [Double] {
    pageValues(try parameters(of: choice, for: header))
  }

  /// Returns one number for each parameter, in their order: a number, 0 or 1 for a flag, the place of a
  /// choice among the choices; NaN where there is none, as for a profile.
  package func pageValues(_ resolved: [ResolvedParameter]) -> [Double] {
    parameters.map { info in
      switch (info.kind, resolved.first { $0.name == info.name }?.value) {
      case (.number, .number(let number)): number
      case (.flag, .flag(let flag)): flag ? 1 : 0
      case (.choice(let choices), .choice(let text)):
        choices.firstIndex(of: text).map(Double.init) ?? .nan
      default: .nan
      }
    }
  }
}
