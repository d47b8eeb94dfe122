public import ArgumentParser
public import Evaluation
import Reports
import TraceFormats

extension OutputFormat: ExpressibleByArgument {}
extension TuneGrouping.Kind: ExpressibleByArgument {}
extension ImportFormat: ExpressibleByArgument {}
