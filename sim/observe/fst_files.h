// The FST writer of Verilator's package with its files, and what it does not say: that one of them
// could not be written.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// A writer as fstWriterCreate makes it, with a compressed hierarchy, or null with errno set. It
/// keeps nothing but the file itself on a disk.
void* weft_fst_create(const char* file);

/// errno of the first thing that the writer which this thread made last could not write, else 0.
int weft_fst_error(void);

/// Ends the file and the writer. Returns what weft_fst_error says after that.
int weft_fst_close(void* writer);

#ifdef __cplusplus
}
#endif
