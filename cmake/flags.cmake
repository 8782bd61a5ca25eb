# One interface target carries every compiler and linker flag.
add_library(assay_flags INTERFACE)
target_compile_features(assay_flags INTERFACE cxx_std_20)
# -ffp-contract=off: the same bits on every machine that follows IEEE 754, with or without FMA.
target_compile_options(assay_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-align -Wno-missing-field-initializers -ffp-contract=off
  $<$<BOOL:${ASSAY_WERROR}>:-Werror>)
target_include_directories(assay_flags INTERFACE ${PROJECT_SOURCE_DIR})

if (ASSAY_SANITIZE)
  # CAF 0.17.6 binds a null reference for every spawn without arguments, hence -fno-sanitize=null.
  set(_sanitize -fsanitize=${ASSAY_SANITIZE} -fno-omit-frame-pointer)
  if (ASSAY_SANITIZE MATCHES undefined)
    # RapidJSON's stack adds an offset to a null pointer before its first use, hence pointer-overflow.
    list(APPEND _sanitize -fno-sanitize=null,vptr,pointer-overflow -fno-sanitize-recover=all)
  endif ()
  target_compile_options(assay_flags INTERFACE ${_sanitize})
  target_link_options(assay_flags INTERFACE -fsanitize=${ASSAY_SANITIZE})
endif ()

# Faster builds where the machine offers it; the result is the same without.
find_program(CCACHE_PROGRAM ccache)
if (CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif ()
find_program(MOLD_PROGRAM mold)
if (MOLD_PROGRAM)
  target_link_options(assay_flags INTERFACE -fuse-ld=mold)
endif ()
