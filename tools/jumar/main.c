/* SPDX-License-Identifier: Apache-2.0
 *
 * jumar: one program, a subcommand for each job.
 */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "jumar/jumar.h"
#include "jumar/tool.h"

static const tool_command *const commands[] = {&tool_compile, &tool_info,  &tool_detect,
                                               &tool_run,     &tool_bench, &tool_profile};

static void print_help(FILE *stream)
{
    fputs("Usage: jumar COMMAND [OPTION ...]\n\nCompiles ONNX models to .om files and runs them on this "
          "machine.\n\nCommands:\n",
          stream);
    for (size_t i = 0; i < JM_COUNT(commands); i++)
        fprintf(stream, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
    fputs("\n`jumar COMMAND --help` shows the options and an example.\n\n"
          "Example:\n"
          "  jumar compile yolov8n.onnx -o yolov8n.om\n"
          "  jumar detect yolov8n.om --source street.jpg --save out/\n",
          stream);
}

/* Standard output that could not be written (a full disk) is a failure of the command. */
static int flush_output(const char *name, int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) return code;
    fprintf(stderr, "jumar %s: cannot write to standard output\n", name);
    return TOOL_FAILED;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return TOOL_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_help(stdout);
        return flush_output("help", TOOL_OK);
    }
    if (strcmp(name, "--version") == 0) {
        printf("jumar %s\n", jumar_version());
        return flush_output("version", TOOL_OK);
    }
    for (size_t i = 0; i < JM_COUNT(commands); i++)
        if (strcmp(commands[i]->name, name) == 0)
            return flush_output(name, commands[i]->run(commands[i], argc - 1, argv + 1));
    fprintf(stderr, "jumar: unknown command '%s'; see `jumar --help`\n", name);
    return TOOL_USAGE;
}
