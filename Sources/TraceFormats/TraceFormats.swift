// TraceFormats
