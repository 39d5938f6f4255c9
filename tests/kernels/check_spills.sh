#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# check_spills.sh libjumar.a families [objdump]: convolution and matrix product kernels must keep their sums in registers.
# Fails when a function of <family>_<level>.c, for families as a regular expression ("conv|depthwise"), stores a vector
# register to the stack; exits with 77 (skipped) where there is nothing to look at. Packing and transposing keep no sums.
library=$1
families=$2
objdump=${3:-objdump}
command -v "$objdump" >/dev/null 2>&1 || { echo "skipped: objdump is not installed"; exit 77; }
"$objdump" -d --no-show-raw-insn "$library" 2>/dev/null | awk -v pattern="^($families)_(avx2|avx512|neon)[.]c" '
    /file format/ { member = $1; wanted = member ~ pattern; seen += wanted }
    wanted && /^[0-9a-f]+ <.*>:$/ { name = $2; sums = name !~ /pack|transpose/; functions++ }
    # A spill: a vector register moved to (%rsp), or below %rbp where the stack was realigned.
    wanted && sums && /vmov[a-z0-9]* +%[yz]mm[0-9]+,(-?0x[0-9a-f]+)?\(%rsp/ { spill[member " " name]++ }
    wanted && sums && /vmov[a-z0-9]* +%[yz]mm[0-9]+,-0x[0-9a-f]+\(%rbp/ { spill[member " " name]++ }
    # On aarch64 a whole register, q, stored to [sp]; what functions keep for their callers are halves, d.
    wanted && sums && /\tst(r|ur|p)\t(q[0-9]+, )+\[sp/ { spill[member " " name]++ }
    END {
        for (place in spill) { print place " " spill[place] " vector spills"; bad = 1 }
        if (!functions) { print "skipped: no vector levels in this build"; exit 77 }
        if (bad) exit 1
        print "no vector spills in " seen " files"
    }'
