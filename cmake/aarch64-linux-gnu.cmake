# SPDX-License-Identifier: Apache-2.0
# Builds for aarch64 on another Debian machine: cmake --toolchain cmake/aarch64-linux-gnu.cmake -DJUMAR_SYSROOT=FOLDER.
# JUMAR_SYSROOT has the libraries (scripts/make-sysroot.sh makes one); without it those of the system's own arm64 packages
# are used. GCC by default; -DCMAKE_C_COMPILER=clang works as well. Tests run under qemu-user where it is installed.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
if(NOT CMAKE_C_COMPILER)
    set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
endif()
set(CMAKE_C_COMPILER_TARGET aarch64-linux-gnu) # for clang; GCC has one target
# Only a test of headers is C++; it is left out where this is missing.
find_program(JUMAR_CROSS_CXX aarch64-linux-gnu-g++)
set(CMAKE_CXX_COMPILER "")
if(JUMAR_CROSS_CXX)
    set(CMAKE_CXX_COMPILER ${JUMAR_CROSS_CXX})
endif()

set(JUMAR_SYSROOT "" CACHE PATH "Folder with the libraries of aarch64; empty: the system's")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES JUMAR_SYSROOT)
set(CMAKE_SYSROOT "${JUMAR_SYSROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
if(JUMAR_SYSROOT)
    set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
    set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
    set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
endif()
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${JUMAR_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${JUMAR_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${JUMAR_SYSROOT}/usr/share/pkgconfig")

find_program(JUMAR_QEMU NAMES qemu-aarch64 qemu-aarch64-static)
if(JUMAR_QEMU)
    set(CMAKE_CROSSCOMPILING_EMULATOR "${JUMAR_QEMU};-L;${JUMAR_SYSROOT}/")
endif()
