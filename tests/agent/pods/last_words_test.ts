import assert from "node:assert/strict";
import { join } from "node:path";
import { lastWords } from "../../../agent/pods/last_words.ts";
import { ANNOTATION } from "../../../agent/pods/names.ts";
import type { RuntimeContainerStatus } from "../../../agent/runtime/types.ts";
import { withDirectory } from "../../fixture/directory.ts";

Deno.test("what a container said last is its file, or else the end of its log, by bytes", () =>
  withDirectory(async (directory) => {
    const logPath = join(directory, "0.log"), hostPath = join(directory, "words");
    const line = (text: string, tag = "F") => `2026-01-01T00:00:00Z stderr ${tag} ${text}\n`;
    const ended: Partial<RuntimeContainerStatus> = {
      annotations: { [ANNOTATION.messagePath]: "/words", [ANNOTATION.messagePolicy]: "FallbackToLogsOnError" },
      mounts: [{ containerPath: "/words", hostPath }],
      exitCode: 1,
      reason: "Error",
      message: "",
      logPath,
    };
    const said = (more: Partial<RuntimeContainerStatus> = {}) =>
      lastWords({ ...ended, ...more } as RuntimeContainerStatus);
    await Deno.writeTextFile(logPath, line("\u00e9".repeat(3000)) + line("one", "P") + line(" more"));
    assert.equal(await said(), `${"\u00e9".repeat(1019)}\none more\n`);
    assert.equal(await said({ exitCode: 0 }), "");
    await Deno.writeTextFile(hostPath, "a".repeat(5000));
    assert.equal(await said({ message: "why" }), `why: ${"a".repeat(4096)}`);
  }));
