#pragma once
#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

// Swift imports no macro that holds an expression or a call: these give them function names.

// Types in memory.
static inline hid_t chdf5_native_int8(void) { return H5T_NATIVE_INT8; }
static inline hid_t chdf5_native_int32(void) { return H5T_NATIVE_INT32; }
static inline hid_t chdf5_native_int64(void) { return H5T_NATIVE_INT64; }
static inline hid_t chdf5_native_uint64(void) { return H5T_NATIVE_UINT64; }
static inline hid_t chdf5_native_float(void) { return H5T_NATIVE_FLOAT; }
static inline hid_t chdf5_native_double(void) { return H5T_NATIVE_DOUBLE; }

// Types in files, of one byte order on every machine.
static inline hid_t chdf5_file_int8(void) { return H5T_STD_I8LE; }
static inline hid_t chdf5_file_int32(void) { return H5T_STD_I32LE; }
static inline hid_t chdf5_file_int64(void) { return H5T_STD_I64LE; }
static inline hid_t chdf5_file_uint64(void) { return H5T_STD_U64LE; }
static inline hid_t chdf5_file_float(void) { return H5T_IEEE_F32LE; }
static inline hid_t chdf5_file_double(void) { return H5T_IEEE_F64LE; }
static inline hid_t chdf5_file_uint32(void) { return H5T_STD_U32LE; }
static inline hid_t chdf5_object_reference(void) { return H5T_STD_REF_OBJ; }
static inline hid_t chdf5_c_string(void) { return H5T_C_S1; }
static inline size_t chdf5_variable_size(void) { return H5T_VARIABLE; }

// Property lists.
static inline hid_t chdf5_default(void) { return H5P_DEFAULT; }
static inline hid_t chdf5_file_create(void) { return H5P_FILE_CREATE; }
// Since 1.10.7; older libraries lock by what they were built with.
static inline herr_t chdf5_no_file_locking(hid_t access) {
#if H5_VERSION_GE(1, 10, 7) && !(H5_VERS_MAJOR == 1 && H5_VERS_MINOR == 12 && H5_VERS_RELEASE == 0)
  return H5Pset_file_locking(access, 0, 1);
#else
  (void)access;
  return 0;
#endif
}
// The library's standard driver without the metadata accumulator, for reading. With it a damaged
// address near 2^64 makes 1.10.8 copy beyond a buffer (`H5F__accum_read`), because the address and
// the length are added without a look at the overflow; without it the driver refuses the address.
static inline herr_t chdf5_query_plain(const H5FD_t *file, unsigned long *flags) {
  (void)file;
  if (flags) *flags = H5FD_FEAT_DATA_SIEVE;
  return 0;
}
// Registers that driver; `path` is any file that can be opened, from which the standard one is
// learnt.
static inline hid_t chdf5_register_plain_driver(const char *path) {
  H5FD_t *file = H5FDopen(path, H5F_ACC_RDONLY, H5P_FILE_ACCESS_DEFAULT, HADDR_UNDEF);
  if (!file) return -1;
  H5FD_class_t plain = *file->cls;
  plain.query = chdf5_query_plain;
  hid_t driver = H5FDregister(&plain);
  H5FDclose(file);
  return driver;
}
static inline hid_t chdf5_file_access(void) { return H5P_FILE_ACCESS; }
static inline hid_t chdf5_group_create(void) { return H5P_GROUP_CREATE; }
static inline hid_t chdf5_dataset_create(void) { return H5P_DATASET_CREATE; }

// Other constants.
static inline hid_t chdf5_whole_space(void) { return H5S_ALL; }
static inline hid_t chdf5_error_stack(void) { return H5E_DEFAULT; }
static inline unsigned chdf5_read_only(void) { return H5F_ACC_RDONLY; }
static inline unsigned chdf5_truncate(void) { return H5F_ACC_TRUNC; }

// A reference to the object of that path; the versions of the library name the function
// differently, the macro stays.
static inline herr_t chdf5_reference(hobj_ref_t *reference, hid_t file, const char *path) {
  return H5Rcreate(reference, file, path, H5R_OBJECT, (hid_t)-1);
}

// Whether a name is a link into another file; negative where there is no such name.
static inline int chdf5_leads_outside(hid_t group, const char *name) {
  H5L_info_t info;
  if (H5Lget_info(group, name, &info, H5P_DEFAULT) < 0) return -1;
  return info.type >= H5L_TYPE_UD_MIN;
}
// Whether the values of a dataset lie in other files; negative where that cannot be found out.
static inline int chdf5_stores_outside(hid_t dataset) {
  hid_t creation = H5Dget_create_plist(dataset);
  if (creation < 0) return -1;
  int files = H5Pget_external_count(creation);
  H5D_layout_t layout = H5Pget_layout(creation);
  H5Pclose(creation);
  return files < 0 || layout < 0 ? -1 : files > 0 || layout == H5D_VIRTUAL;
}
// No link is followed into another file, by whatever path, and no code of a filter is loaded.
static inline herr_t chdf5_stay_inside(void) {
  herr_t plugins = H5PLset_loading_state(0);
  herr_t links = H5Lunregister(H5L_TYPE_EXTERNAL);
  return plugins < 0 ? plugins : links;
}

// Calls `visit` with the name of each link of a group, in the order in which they are stored. The
// type of the callback differs between the versions of the library, the macro stays.
typedef struct {
  void (*visit)(const char *name, void *context);
  void *context;
} chdf5_visitor;

static inline herr_t chdf5_visit_link(
    hid_t group, const char *name, const H5L_info_t *info, void *visitor) {
  (void)group;
  (void)info;
  ((chdf5_visitor *)visitor)->visit(name, ((chdf5_visitor *)visitor)->context);
  return 0;
}

static inline herr_t chdf5_for_each_link(hid_t group, chdf5_visitor *visitor) {
  hsize_t position = 0;
  return H5Literate(
      group, H5_INDEX_NAME, H5_ITER_NATIVE, &position, chdf5_visit_link, visitor);
}

static inline herr_t chdf5_visit_attribute(
    hid_t object, const char *name, const H5A_info_t *info, void *visitor) {
  (void)object;
  (void)info;
  ((chdf5_visitor *)visitor)->visit(name, ((chdf5_visitor *)visitor)->context);
  return 0;
}

static inline herr_t chdf5_for_each_attribute(hid_t object, chdf5_visitor *visitor) {
  hsize_t position = 0;
  return H5Aiterate2(
      object, H5_INDEX_NAME, H5_ITER_NATIVE, &position, chdf5_visit_attribute, visitor);
}
