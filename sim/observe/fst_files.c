// The FST writer of Verilator's package with its files. It checks nothing that it writes, and reads
// its temporary files through memory maps: where a disk is full, a map reaches beyond its file and
// the process ends by SIGBUS. Its calls for files are therefore these.
#define _GNU_SOURCE
#include "sim/observe/fst_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static _Thread_local int first_error;

static int noted(int result) {
  if (result < 0 && first_error == 0) first_error = errno;
  return result;
}

static size_t written(size_t count, size_t size, size_t all) {
  noted(size != 0 && count < all ? -1 : 0);
  return count;
}

// Temporary files are a few bytes for each signal: they stay in memory, also the one beside the
// waves, which a killed run would leave there.
static FILE* open_temporary(void) {
  const int fd = noted(memfd_create("fst", MFD_CLOEXEC));
  return fd < 0 ? NULL : fdopen(fd, "w+b");
}

static FILE* open_file(const char* name, const char* mode) {
  const char* const ending = strrchr(name, '.');
  if (ending != NULL && strcmp(ending, ".hier") == 0) return open_temporary();
  return fopen(name, mode);
}

// In the place of a file that could not be written whole stand zeros.
static void* map_file(size_t length, int protection, int fd) {
  struct stat file;
  if (noted(fstat(fd, &file)) == 0 && (size_t)file.st_size >= length) {
    return mmap(NULL, length, protection, MAP_SHARED, fd, 0);
  }
  if (first_error == 0) first_error = EIO;
  return mmap(NULL, length, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

#define tmpfile() open_temporary()
#define fopen(name, mode) open_file((name), (mode))
#define fclose(file) noted(fclose(file))
#define fflush(file) noted(fflush(file))
#define fputc(byte, file) noted(fputc((byte), (file)))
#define fseeko(file, offset, whence) noted(fseeko((file), (offset), (whence)))
#define ftruncate(fd, length) noted(ftruncate((fd), (length)))
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
