// SPDX-License-Identifier: Apache-2.0
//
// Arrays of getters come from the program's own operator new[], so that delete[] is right for them.
#include <cstdio>
#include <cstdlib>
#include <new>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"

static int news, deletes;

void *operator new[](std::size_t size, const std::nothrow_t &) noexcept
{
    news++;
    return std::malloc(size);
}

void operator delete[](void *memory) noexcept
{
    deletes++;
    std::free(memory);
}

void operator delete[](void *memory, std::size_t) noexcept
{
    deletes++;
    std::free(memory);
}

int main()
{
    const int64_t dim[] = {2, 3};
    aclTensor *tensor = aclCreateTensor(dim, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dim, 2, nullptr);
    int64_t *shape = nullptr, *strides = nullptr, *storage = nullptr;
    uint64_t count = 0;
    if (aclGetViewShape(tensor, &shape, &count) != OK || count != 2 || shape[1] != 3) return 1;
    if (aclGetViewStrides(tensor, &strides, &count) != OK || strides[0] != 3) return 2;
    if (aclGetStorageShape(tensor, &storage, &count) != OK || storage[0] != 2) return 3;
    delete[] shape;
    delete[] strides;
    delete[] storage;
    aclDestroyTensor(tensor);
    std::printf("%d new, %d delete\n", news, deletes);
    return news == 3 && deletes == 3 ? 0 : 4;
}
