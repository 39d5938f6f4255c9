/* SPDX-License-Identifier: Apache-2.0 */
#include "kernels/kernels.h"
#include "ops/op.h"

jm_status jm_machine_get(unsigned threads, jm_machine *machine)
{
    const jm_kernels *kernels;
    JM_TRY(jm_kernels_get(&kernels));
    *machine = (jm_machine){.kernels = kernels, .threads = threads};
    jm_cpu_caches(&machine->l1, &machine->l2);
    return JM_OK;
}
