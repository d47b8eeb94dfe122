/// `maximumAge` as the command line writes it: `maximum-age`.
func kebabCase(_ name: String) -> String {
  name.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined()
}
