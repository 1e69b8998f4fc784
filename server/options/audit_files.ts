/** What a server records requests by: the policy file, the log, the webhook (`--audit-*`). */
import type { AuditInputs, LineWriter } from "../audit/types.ts";
import type { Outside } from "../security.ts";
import { LogFile } from "./audit_log.ts";
import { readText } from "./files.ts";
import type { Options } from "./parse.ts";

const MEGABYTE = 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
const UTF8 = new TextEncoder();

const STDOUT: LineWriter = {
  write(text) {
    const bytes = UTF8.encode(text);
    for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
  },
  close() {},
};

/** Opens them; undefined without a policy. @throws Error for a file that cannot be read, or a log that cannot be written */
export function auditInputs(
  options: Options,
  outside: Pick<Outside, "post">,
  now: () => number,
  failed: (e: unknown) => void,
): AuditInputs | undefined {
  if (options.auditPolicyFile === "") return undefined;
  return {
    policy: readText("audit-policy-file", options.auditPolicyFile),
    ...(options.auditLogPath ? { log: logOf(options, now, failed) } : {}),
    ...(options.auditWebhookConfigFile
      ? { webhook: outside.post("audit-webhook-config-file", options.auditWebhookConfigFile, "controlplane") }
      : {}),
  };
}

function logOf(options: Options, now: () => number, failed: (e: unknown) => void): LineWriter {
  if (options.auditLogPath === "-") return STDOUT;
  const limits = {
    bytes: options.auditLogMaxsize * MEGABYTE,
    backups: options.auditLogMaxbackup,
    age: options.auditLogMaxage * DAY_MS,
    gzip: options.auditLogCompress,
  };
  try {
    return new LogFile(options.auditLogPath, limits, now, failed);
  } catch (e) {
    throw new Error(`--audit-log-path: ${(e as Error).message}`, { cause: e });
  }
}
