internal import CHDF5

/// The number types of datasets and attributes.
package enum HDF5NumberType: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  case int8, int32, int64, uint64, float32, float64

  package var byteCount: Int {
    switch self {
    case .int8: 1
    case .int32, .float32: 4
    case .int64, .uint64, .float64: 8
    }
  }

  package var description: String { HDF5StoredType(self).description }

  /// The type in this machine's memory.
  var inMemory: hid_t { ids.memory }

  /// The type in a file: little-endian on every machine.
  var inFile: hid_t { ids.file }

  private var ids: (memory: hid_t, file: hid_t) {
    switch self {
    case .int8: (chdf5_native_int8(), chdf5_file_int8())
    case .int32: (chdf5_native_int32(), chdf5_file_int32())
    case .int64: (chdf5_native_int64(), chdf5_file_int64())
    case .uint64: (chdf5_native_uint64(), chdf5_file_uint64())
    case .float32: (chdf5_native_float(), chdf5_file_float())
    case .float64: (chdf5_native_double(), chdf5_file_double())
    }
  }
}

/// A number that HDF5 can hold. Other types must not conform.
package protocol HDF5Number: AdditiveArithmetic, Sendable {
  static var hdf5Type: HDF5NumberType { get }
  /// The fill value, which marks missing values: NaN for floats, none for integers.
  static var hdf5FillValue: Self? { get }
}

extension HDF5Number {
  package static var hdf5FillValue: Self? { nil }
}

extension Int8: HDF5Number { package static var hdf5Type: HDF5NumberType { .int8 } }
extension Int32: HDF5Number { package static var hdf5Type: HDF5NumberType { .int32 } }
extension Int64: HDF5Number { package static var hdf5Type: HDF5NumberType { .int64 } }
extension UInt64: HDF5Number { package static var hdf5Type: HDF5NumberType { .uint64 } }

extension Float: HDF5Number {
  package static var hdf5Type: HDF5NumberType { .float32 }
  package static var hdf5FillValue: Float? { .nan }
}

extension Double: HDF5Number {
  package static var hdf5Type: HDF5NumberType { .float64 }
  package static var hdf5FillValue: Double? { .nan }
}

/// The type of a dataset or an attribute as stated in the file.
package enum HDF5StoredType: Hashable, Sendable, CustomStringConvertible {
  case integer(byteCount: Int, isSigned: Bool)
  case float(byteCount: Int)
  case string
  /// Compounds, enumerations, references and all other types.
  case other

  package var description: String {
    switch self {
    case .integer(let byteCount, let isSigned):
      "\(isSigned ? "" : "unsigned ")\(byteCount * 8)-bit integers"
    case .float(let byteCount): "\(byteCount * 8)-bit floats"
    case .string: "strings"
    case .other: "values that are neither numbers nor strings"
    }
  }

  /// Whether every value can be read as `type`: integers if none can overflow, floats with rounding
  /// if necessary, never across the two.
  package func isReadable(as type: HDF5NumberType) -> Bool {
    switch (self, HDF5StoredType(type)) {
    case (.float, .float): true
    case (.integer(let stored, let isSigned), .integer(let wanted, let keepsSign)):
      isSigned == keepsSign ? stored <= wanted : keepsSign && stored < wanted
    default: false
    }
  }

  init(_ type: HDF5NumberType) {
    switch type {
    case .int8, .int32, .int64: self = .integer(byteCount: type.byteCount, isSigned: true)
    case .uint64: self = .integer(byteCount: type.byteCount, isSigned: false)
    case .float32, .float64: self = .float(byteCount: type.byteCount)
    }
  }

  init(_ type: hid_t) {
    let byteCount = H5Tget_size(type)
    switch H5Tget_class(type) {
    case H5T_INTEGER:
      self = .integer(byteCount: byteCount, isSigned: H5Tget_sign(type) == H5T_SGN_2)
    case H5T_FLOAT: self = .float(byteCount: byteCount)
    case H5T_STRING: self = .string
    default: self = .other
    }
  }
}
