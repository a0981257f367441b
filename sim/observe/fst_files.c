// The FST writer of Verilator's package with file functions of our own. The writer ignores failed
// writes and reads its temporary files through memory maps: on a full disk a map extends beyond its
// file, and the process dies of SIGBUS. The functions below replace its file calls.
#define _GNU_SOURCE
#include "sim/observe/fst_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static _Thread_local int first_error;

static int record(int result) {
  if (result < 0 && first_error == 0) first_error = errno;
  return result;
}

static size_t written(size_t count, size_t size, size_t all) {
  record(size != 0 && count < all ? -1 : 0);
  return count;
}

// Temporary files are a few bytes for each signal. They stay in memory, so that a killed run leaves
// none of them beside the waves.
static FILE* open_temporary(void) {
  const int fd = record(memfd_create("fst", MFD_CLOEXEC));
  return fd < 0 ? NULL : fdopen(fd, "w+b");
}

static FILE* open_file(const char* name, const char* mode) {
  const char* const ending = strrchr(name, '.');
  if (ending != NULL && strcmp(ending, ".hier") == 0) return open_temporary();
  return fopen(name, mode);
}

// Maps zeros instead of a file that could not be written completely.
static void* map_file(size_t length, int protection, int fd) {
  struct stat file;
  if (record(fstat(fd, &file)) == 0 && (size_t)file.st_size >= length) {
    return mmap(NULL, length, protection, MAP_SHARED, fd, 0);
  }
  if (first_error == 0) first_error = EIO;
  return mmap(NULL, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

#define tmpfile() open_temporary()
#define fopen(name, mode) open_file((name), (mode))
#define fclose(file) record(fclose(file))
#define fflush(file) record(fflush(file))
#define fputc(byte, file) record(fputc((byte), (file)))
#define fseeko(file, offset, whence) record(fseeko((file), (offset), (whence)))
#define ftruncate(fd, length) record(ftruncate((fd), (length)))
#define fwrite(data, size, count, file) \
  written(fwrite((data), (size), (count), (file)), (size), (count))
#define mmap(address, length, protection, flags, fd, offset) map_file((length), (protection), (fd))
#include <fstapi.c>

void* weft_fst_create(const char* file) {
  first_error = 0;
  return fstWriterCreate(file, 1);
}

int weft_fst_error(void) {
  return first_error;
}

int weft_fst_close(void* writer) {
  fstWriterClose(writer);
  return first_error;
}
