# Libraries that come with Verilator: the runtime of Verilated models, and the writer of FST files.
execute_process(COMMAND ${VERILATOR} --getenv VERILATOR_ROOT
  OUTPUT_VARIABLE VERILATOR_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT EXISTS ${VERILATOR_ROOT}/include/verilated.cpp)
  set(VERILATOR_ROOT /usr/share/verilator)
endif()

# The Verilated runtime, compiled once; models built at run time (sim/verilated/verilate.cpp) link to
# it. The same package brings the FST writer.
add_library(weft_verilator SHARED
  ${VERILATOR_ROOT}/include/verilated.cpp
  ${VERILATOR_ROOT}/include/verilated_cov.cpp
  ${VERILATOR_ROOT}/include/verilated_threads.cpp
  sim/verilated/verilated_hooks.cpp)
target_include_directories(weft_verilator SYSTEM PRIVATE
  ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
set(VERILATED_MACROS VM_COVERAGE=0 VM_SC=0 VM_TRACE=0
  VL_USER_FINISH VL_USER_STOP VL_USER_FATAL VL_USER_WARN)
target_compile_definitions(weft_verilator PRIVATE ${VERILATED_MACROS})
target_include_directories(weft_verilator PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(weft_verilator PUBLIC Threads::Threads)

# Its header, precompiled for both optimisations that the models are compiled with: it is most of what
# the compiler reads of a small block. VERILATED_CXX is the command, which needs the header's options.
list(TRANSFORM VERILATED_MACROS PREPEND -D)
set(VERILATED_CXX ${CMAKE_CXX_COMPILER} -std=c++20 -fPIC -w -isystem ${VERILATOR_ROOT}/include
  -isystem ${VERILATOR_ROOT}/include/vltstd ${VERILATED_MACROS})
foreach(optimisation -O0 -O2)
  set(header ${CMAKE_BINARY_DIR}/precompiled/verilated${optimisation}.hpp)
  file(WRITE ${header} "#include <verilated.h>\n")
  add_custom_command(OUTPUT ${header}.gch DEPENDS ${VERILATOR_ROOT}/include/verilated.h
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${VERILATED_CXX} ${optimisation} -x c++-header -c ${header}
    -o ${header}.gch VERBATIM)
  list(APPEND verilated_headers ${header}.gch)
endforeach()
add_custom_target(weft_verilated_headers DEPENDS ${verilated_headers})
add_dependencies(weft_verilator weft_verilated_headers)
list(JOIN VERILATED_CXX " " VERILATED_CXX)
add_library(weft_fst STATIC sim/observe/fst_files.c
  ${VERILATOR_ROOT}/include/gtkwave/lz4.c ${VERILATOR_ROOT}/include/gtkwave/fastlz.c)
target_include_directories(weft_fst SYSTEM PUBLIC ${VERILATOR_ROOT}/include/gtkwave)
target_include_directories(weft_fst PRIVATE ${CMAKE_SOURCE_DIR})
target_compile_definitions(weft_fst PRIVATE FST_CONFIG_INCLUDE="fst_config.h")
target_link_libraries(weft_fst PUBLIC ZLIB::ZLIB)
