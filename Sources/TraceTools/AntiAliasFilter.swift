internal import GSL
internal import TraceModel

/// The low-pass that prevents aliasing when the rate is lowered.
///
/// A sinc cut to 19 output periods on either side by Kaiser's window (Oppenheim and Schafer,
/// "Discrete-Time Signal Processing", 7.6) with its half-amplitude point at 0.45 of the output
/// rate: within 0.1 % up to 0.4 of the rate, at most 0.1 % (-60 dB) from half of the rate on. It is
/// symmetric, so it delays nothing, and uses later samples as well as earlier ones. At an end of a
/// stretch the kernel is truncated and rescaled to sum 1.
struct AntiAliasFilter {
  /// The name of the filter in channel attributes.
  static let name = "lowpass kaiser sinc, flat to 0.40 and -60 dB from 0.50 of the rate"

  /// Output periods on either side.
  private static let reach = 19
  /// Kaiser's 0.1102 (A - 8.7) for A = 60 dB.
  private static let beta = 5.65326
  /// The cut-off as a share of the output rate.
  private static let cutoff = 0.45

  /// The number of inputs per output.
  let factor: Int
  /// The weights from the middle to one side.
  private let kernel: [Double]

  /// - Parameter factor: above zero.
  init(factor: Int) {
    precondition(factor > 0)
    self.factor = factor
    let half = Self.reach * factor
    let full = SpecialFunctions.scaledBesselI0(Self.beta) * Math.exp(Self.beta)
    kernel = (0...half).map { offset in
      let place = Double(offset) / Double(half)
      let argument = Self.beta * max(0, 1 - place * place).squareRoot()
      let window = SpecialFunctions.scaledBesselI0(argument) * Math.exp(argument) / full
      let angle = 2 * Double.pi * Self.cutoff * Double(offset) / Double(factor)
      return (offset == 0 ? 1 : Math.sin(angle) / angle) * window
    }
  }

  func value(at position: Int, of samples: [Double]) -> Double {
    let reach = kernel.count - 1
    var sum = 0.0
    var weights = 0.0
    for index in max(0, position - reach)...min(samples.count - 1, position + reach) {
      let weight = kernel[abs(index - position)]
      sum += weight * samples[index]
      weights += weight
    }
    return sum / weights
  }
}
