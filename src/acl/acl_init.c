/* SPDX-License-Identifier: Apache-2.0
 *
 * Start, end, versions and the program's log lines.
 */
#include <cJSON.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acl/acl_rt.h"
#include "acl/code.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/log.h"

/* The release of the software stack that programs see; they compare it to choose among old and new functions. */
enum { STACK_MAJOR = 9, STACK_MINOR = 0, STACK_PATCH = 0 };
#define CONFIG_LIMIT ((size_t)10 << 20)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool initialised, finalised;

static aclError check_config(const char *path)
{
    unsigned char *text;
    size_t size;
    if (jm_file_read(path, CONFIG_LIMIT, &text, &size) != JM_OK)
        return jm_acl_error(ACL_ERROR_INVALID_FILE, "aclInit: cannot read the configuration: %s", jm_last_error());
    cJSON *json = cJSON_ParseWithLength((const char *)text, size);
    jm_free(text);
    if (!json) return jm_acl_error(ACL_ERROR_PARSE_FILE, "aclInit: the configuration %s is not valid JSON", path);
    cJSON_Delete(json);
    return ACL_SUCCESS;
}

aclError aclInit(const char *configPath)
{
    pthread_mutex_lock(&lock);
    aclError code = ACL_SUCCESS;
    if (initialised)
        code = jm_acl_error(ACL_ERROR_REPEAT_INITIALIZE, "aclInit was called before");
    else if (configPath && *configPath)
        code = check_config(configPath);
    if (code == ACL_SUCCESS) {
        initialised = true;
        finalised = false;
    }
    pthread_mutex_unlock(&lock);
    return code;
}

aclError aclFinalize(void)
{
    pthread_mutex_lock(&lock);
    aclError code = finalised ? jm_acl_error(ACL_ERROR_REPEAT_FINALIZE, "aclFinalize was called before") : ACL_SUCCESS;
    finalised = true;
    initialised = false;
    pthread_mutex_unlock(&lock);
    return code;
}

aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion)
{
    JM_ACL_NOT_NULL(majorVersion);
    JM_ACL_NOT_NULL(minorVersion);
    JM_ACL_NOT_NULL(patchVersion);
    *majorVersion = ACL_MAJOR_VERSION;
    *minorVersion = ACL_MINOR_VERSION;
    *patchVersion = ACL_PATCH_VERSION;
    return ACL_SUCCESS;
}

static aclError check_package(const char *function, const char *name)
{
    static const char *const package[] = {"runtime", "compiler", "hccl", "toolkit", "opp", "opp_kernel", "driver"};
    for (size_t i = 0; i < JM_COUNT(package); i++)
        if (strcmp(name, package[i]) == 0) return ACL_SUCCESS;
    return jm_acl_error(ACL_ERROR_INVALID_PARAM, "%s: there is no package \"%s\"", function, name);
}

aclError aclsysGetVersionStr(char *pkgName, char *versionStr)
{
    JM_ACL_NOT_NULL(pkgName);
    JM_ACL_NOT_NULL(versionStr);
    aclError code = check_package(__func__, pkgName);
    if (!code)
        snprintf(versionStr, ACL_PKG_VERSION_MAX_SIZE, "%d.%d.%d", (int)STACK_MAJOR, (int)STACK_MINOR,
                 (int)STACK_PATCH);
    return code;
}

aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum)
{
    JM_ACL_NOT_NULL(pkgName);
    JM_ACL_NOT_NULL(versionNum);
    aclError code = check_package(__func__, pkgName);
    if (!code) *versionNum = STACK_MAJOR * 10000000 + STACK_MINOR * 100000 + STACK_PATCH * 1000;
    return code;
}

static char soc_name[64];

static void read_soc_name(void)
{
    const char *name = getenv("JUMAR_SOC");
    snprintf(soc_name, sizeof(soc_name), "%s", name && *name ? name : "Ascend910B3");
}

const char *aclrtGetSocName(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_soc_name);
    return soc_name;
}

void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line, const char *fmt, ...)
{
    static const jm_log_level level[] = {JM_LOG_DEBUG, JM_LOG_INFO, JM_LOG_WARNING, JM_LOG_ERROR};
    jm_log_level to = (unsigned)logLevel < JM_COUNT(level) ? level[logLevel] : JM_LOG_ERROR;
    if (!fmt || !jm_log_enabled(to)) return;
    char text[1024];
    va_list arguments;
    va_start(arguments, fmt);
    vsnprintf(text, sizeof(text), fmt, arguments);
    va_end(arguments);
    jm_log(to, "%s:%u %s: %s", file ? jm_path_base(file) : "", line, func ? func : "", text);
}
