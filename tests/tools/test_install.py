# SPDX-License-Identifier: Apache-2.0
"""`make install`: programs of users build against the installed tree with pkg-config and with CMake, and run."""
import os
import subprocess

SOURCE = os.environ["JUMAR_SOURCE"]
MODEL = os.path.join(SOURCE, "demo", "scenes.onnx")
PROGRAM = r"""
#include <acl/acl.h>
#include <jumar/compile.h>
#include <jumar/detect.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    jumar_detector *detector;
    jumar_image image;
    jumar_box boxes[300];
    size_t count;
    if (argc != 4 || aclInit(NULL) != ACL_SUCCESS) return 2;
    if (jumar_compile(argv[1], argv[2], NULL) || jumar_detector_open(argv[2], 0, NULL, &detector) ||
        jumar_image_read(argv[3], &image) || jumar_detector_detect(detector, &image, NULL, boxes, 300, &count)) {
        puts(jumar_last_error());
        return 1;
    }
    for (size_t i = 0; i < count; i++) printf("%s %.2f\n", jumar_detector_label(detector, boxes[i].label), boxes[i].score);
    jumar_image_free(&image);
    jumar_detector_close(detector);
    return aclFinalize();
}
"""


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=200, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_users_build_against_the_installed_tree(tmp_path):
    prefix = tmp_path / "usr"
    run("cmake", "--install", os.environ["JUMAR_BUILD"], "--prefix", prefix)
    (library,) = prefix.glob("lib*/**/libjumar.so")
    environment = dict(os.environ, LD_LIBRARY_PATH=str(library.parent), PKG_CONFIG_PATH=str(library.parent / "pkgconfig"))
    # The prefix was chosen at install time; pkg-config is told so.
    flags = run("pkg-config", "--define-variable=prefix=" + str(prefix), "--cflags", "--libs", "jumar", env=environment).split()
    (tmp_path / "main.c").write_text(PROGRAM)
    run("cc", "-std=c11", "-Wall", "-Werror", "main.c", "-o", "with_pkg_config", *flags, cwd=tmp_path)
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(user C)\nfind_package(jumar REQUIRED)\n"
        "add_executable(with_cmake main.c)\ntarget_link_libraries(with_cmake jumar::jumar)\n")
    run("cmake", "-S", ".", "-B", "build", "-DCMAKE_PREFIX_PATH=" + str(prefix), cwd=tmp_path)
    run("cmake", "--build", "build", cwd=tmp_path)
    for program in "./with_pkg_config", "build/with_cmake":
        out = run(program, MODEL, "a.om", os.path.join(SOURCE, "demo/pictures/street.jpg"), cwd=tmp_path, env=environment)
        assert "house" in out and "car" in out
    assert "compile" in run(prefix / "bin" / "jumar", "--help")


def test_the_library_is_small_and_plain_c(tmp_path):
    library = os.path.join(os.environ["JUMAR_BUILD"], "src", "libjumar.so")
    run("strip", "-o", tmp_path / "small.so", library)
    assert (tmp_path / "small.so").stat().st_size < 4e6
    needed = run("readelf", "-d", library)
    assert "stdc++" not in needed and "python" not in needed and "gomp" not in needed
    exported = [line.split()[-1].split("@")[0] for line in run("nm", "-D", "--defined-only", library).splitlines()]
    assert exported and all(name.startswith(("acl", "AclSet", "jumar_")) for name in exported), exported
