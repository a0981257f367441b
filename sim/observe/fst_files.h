// The FST writer of Verilator's package, which also reports that a file could not be written.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a writer with a compressed hierarchy as fstWriterCreate does; null with errno set if
/// that fails. Only the file itself is on a disk.
void* weft_fst_create(const char* file);

/// errno of the first failed write of the writer that this thread created last; 0 if none failed.
int weft_fst_error(void);

/// Closes the file and the writer, then returns weft_fst_error.
int weft_fst_close(void* writer);

#ifdef __cplusplus
}
#endif
