# SPDX-License-Identifier: Apache-2.0
"""The toolkit directory: linking, dlopen and dlsym through the vendor's library names reach the one libjumar."""
import os
import platform
import subprocess
import sys

import pytest

TOOLKIT = os.path.join(os.environ["JUMAR_BUILD"], "toolkit")
JUMAR = os.path.join(os.environ["JUMAR_BUILD"], "src", "libjumar.so")
LIBRARIES = ("ascendcl", "nnopbase", "opapi", "acl_op_compiler", "acl_dvpp", "ge_runner", "graph", "hccl")
PROGRAM = r"""
#include <acl/acl.h>
#include <aclnn/aclnn_base.h>
#include <aclnnop/aclnn_add.h>
#include <stdio.h>

int main(void)
{
    float a[2] = {1, 2}, out[2], one = 1;
    int64_t dim = 2;
    uint64_t size;
    aclOpExecutor *executor;
    void *workspace = NULL;
    if (aclInit(NULL) || aclrtSetDevice(0)) return 1;
    aclTensor *in = aclCreateTensor(&dim, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, &dim, 1, a);
    aclTensor *result = aclCreateTensor(&dim, 1, ACL_FLOAT, NULL, 0, ACL_FORMAT_ND, &dim, 1, out);
    aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
    if (aclnnAddGetWorkspaceSize(in, in, alpha, result, &size, &executor)) return 2;
    if (size && aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST)) return 3;
    if (aclnnAdd(workspace, size, executor, NULL) || aclrtSynchronizeStream(NULL)) return 4;
    printf("%g %g\n", (double)out[0], (double)out[1]);
    return 0;
}
"""
# dlopen of argv[1] in a fresh process with argv[2] as the mode: which file each name of argv[3:] comes from.
LOOK = r"""
import ctypes, sys
class Info(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("base", ctypes.c_void_p), ("name", ctypes.c_char_p), ("address", ctypes.c_void_p)]
libc = ctypes.CDLL(None)
libc.dlsym.restype = ctypes.c_void_p
library = ctypes.CDLL(sys.argv[1], mode=int(sys.argv[2]))
for name in sys.argv[3:]:
    address, info = libc.dlsym(ctypes.c_void_p(library._handle), name.encode()), Info()
    assert address, name
    assert libc.dladdr(ctypes.c_void_p(address), ctypes.byref(info))
    print(info.file.decode())
print(sum("libjumar" in line and " r-xp " in line for line in open("/proc/self/maps")))
"""


def run(*command, **options):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
    return done.stdout


def exported(path):
    return {line.split()[-1] for line in run("nm", "-D", "--defined-only", path).splitlines()}


def path_of(name):
    return os.path.join(TOOLKIT, "lib64", f"lib{name}.so")


def test_every_exported_name_is_in_one_library():
    names = [name for library in LIBRARIES for name in exported(path_of(library))]
    ours = {name for name in exported(JUMAR) if name.startswith(("acl", "Acl"))}
    assert len(names) == len(set(names))
    assert set(names) == ours


@pytest.mark.parametrize("mode", [os.RTLD_LAZY, os.RTLD_NOW], ids=["lazy", "now"])
@pytest.mark.parametrize("library, names", [
    ("ascendcl", ["aclInit", "aclrtMalloc", "aclmdlLoadFromFile"]),
    ("nnopbase", ["aclCreateTensor", "aclDestroyAclOpExecutor", "aclInit"]),
    ("opapi", ["aclnnAdd", "aclnnAddGetWorkspaceSize", "aclCreateTensor", "aclrtMalloc"]),
    ("acl_op_compiler", ["aclInit"]), ("acl_dvpp", []), ("ge_runner", []), ("graph", []), ("hccl", []),
])
def test_dlsym_reaches_the_library(library, names, mode):
    lines = run(sys.executable, "-c", LOOK, path_of(library), mode, *names).splitlines()
    assert all("libjumar.so" in line for line in lines[:-1]), lines
    assert not names or lines[-1] == "1", "one libjumar in the process"


@pytest.mark.parametrize("flags", [["-Wl,-z,lazy"], ["-Wl,-z,now"]], ids=["lazy", "now"])
def test_programs_link(tmp_path, flags):
    (tmp_path / "main.c").write_text(PROGRAM)
    run("cc", tmp_path / "main.c", "-o", tmp_path / "main", f"-I{TOOLKIT}/include", f"-L{TOOLKIT}/lib64", *flags,
        "-lascendcl", "-lnnopbase", "-lopapi", "-Wl,--no-as-needed", "-lacl_op_compiler", "-lacl_dvpp", "-lge_runner", "-lgraph", "-lhccl",
        f"-Wl,-rpath-link,{TOOLKIT}/lib64")
    out = run("bash", "-c", f"source {TOOLKIT}/set_env.sh && {tmp_path}/main")
    assert out == "2 4\n"


@pytest.mark.parametrize("include, library", [("runtime/include", "runtime/lib64/stub"), ("acllib/include", "acllib/lib64/stub"),
                                              ("compiler/include", "compiler/lib64/stub"), (f"{platform.machine()}-linux/include", "devlib"),
                                              (f"{platform.machine()}-linux/runtime/include", f"{platform.machine()}-linux/runtime/lib64/stub")])
@pytest.mark.parametrize("name", ["ascendcl", "acl_rt", "acl_mdl"])
def test_places_that_build_scripts_know(tmp_path, include, library, name):
    (tmp_path / "main.c").write_text("#include <acl/acl.h>\nint main(void) { return aclInit(NULL) || aclFinalize(); }\n")
    run("cc", tmp_path / "main.c", "-o", tmp_path / "main", f"-I{TOOLKIT}/{include}", f"-L{TOOLKIT}/{library}", f"-l{name}",
        f"-Wl,-rpath-link,{TOOLKIT}/lib64")
    run("bash", "-c", f"source {TOOLKIT}/set_env.sh && {tmp_path}/main")


def test_environment():
    out = run("bash", "-c", f"source {TOOLKIT}/set_env.sh && echo $ASCEND_HOME_PATH $ASCEND_OPP_PATH && command -v npu-smi").split()
    assert out == [TOOLKIT, TOOLKIT + "/opp", TOOLKIT + "/bin/npu-smi"]
    assert all(os.path.isdir(os.path.join(TOOLKIT, folder)) for folder in ("runtime", "compiler", "opp", "include/acl"))
    assert os.path.exists(os.path.join(TOOLKIT, "version.info"))


def test_chip_name_is_where_build_scripts_look():
    smi = os.path.join(TOOLKIT, "bin", "npu-smi")
    assert run(smi, "info").splitlines()[6].split()[2] == "910B3"
    lines = run(smi, "info", env={**os.environ, "JUMAR_SOC": "Ascend310P3", "JUMAR_DEVICES": "2"}).splitlines()
    assert lines[6].split()[1:3] == ["0", "310P3"] and lines[9].split()[1:3] == ["1", "310P3"]
    assert len({len(line) for line in lines}) == 1
