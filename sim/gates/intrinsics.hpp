// The processor's vector instructions, where there are any.
#pragma once

#if defined(__x86_64__)
#if !defined(__clang__)
// GCC 12 takes operands of its own intrinsics for uninitialised ones (its bug 105593).
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#endif
