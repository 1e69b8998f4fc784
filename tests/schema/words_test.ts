/** Words: whatever documents tell of has some, they are of something that is there, and each reads well. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { builtInMessage } from "../../schema/messages.ts";
import { MODULES } from "../../schema/modules.ts";
import { readWords } from "../../schema/words/read.ts";
import { WORDED, wordOf, wordsOf } from "../../schema/words/mod.ts";
import type { Message } from "../../schema/model/types.ts";
import { VERSION_INFO } from "../../server/openapi/version_info.ts";
import { withServer } from "../fixture/server.ts";

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
}

Deno.test("documents say what each kind and each member is", () =>
  withServer(["--runtime-config=api/all=true", "--feature-gates=AllAlpha=true,AllBeta=true"], async ({ fetch }) => {
    const silent = new Set<string>();
    for (const path of Object.keys(JSON.parse((await fetch("/openapi/v3")).text).paths)) {
      const { components } = (await fetch(`/openapi/v3/${path}`)).body;
      for (const [name, schema] of Object.entries<Schema>(components?.schemas ?? {})) {
        if (!schema.description) silent.add(name);
        for (const [member, { description }] of Object.entries(schema.properties ?? {})) {
          if (!description) silent.add(`${name}.${member}`);
        }
      }
    }
    deepEqual([...silent], []);
    const { definitions } = (await fetch("/openapi/v2")).body;
    equal(definitions["io.k8s.api.apps.v1.DeploymentSpec"].properties.paused.description, wordOf(SPEC, "paused"));
  }));

const VERSION = VERSION_INFO.id.replace(/\.Info$/, "");
const there = (message: Message | undefined): message is Message => message !== undefined;

const SPEC = "apps.v1.DeploymentSpec";

Deno.test("words are of messages and members that are there", () => {
  const lost: string[] = [];
  for (const group of WORDED) {
    const shorts = MODULES.map((m) => m.short).filter((s) => s.replace(/\.v\d.*/, "") === group);
    for (const [name, { members }] of wordsOf(group)) {
      const messages = group === VERSION
        ? [VERSION_INFO]
        : shorts.map((s) => builtInMessage(`${s}.${name}`)).filter(there);
      if (messages.length === 0) lost.push(`${group} ${name}`);
      const known = new Set(messages.flatMap((m) => m.json.map((f) => f.name)));
      lost.push(...[...members.keys()].filter((member) => !known.has(member)).map((m) => `${group} ${name}.${m}`));
    }
  }
  deepEqual(lost, []);
});

Deno.test("words are sentences of ASCII that name no product", () => {
  const texts = WORDED.flatMap((group) =>
    [...wordsOf(group)].flatMap(([name, { text, members }]) => [[name, text], ...members] as const)
  );
  ok(texts.length > 2000);
  deepEqual(texts.filter(([, text]) => !/^[A-Z0-9][\x20-\x7e]+\.$/.test(text) || / {2}|kube|k8s/i.test(text)), []);
});

Deno.test("a line of words goes on by its indent", () => {
  const read = readWords("\nA: First\n    of two.\n  b: Second.\n  c: Third,\n    longer: yes.\nD: Last.\n");
  deepEqual([...read.keys()], ["A", "D"]);
  equal(read.get("A")!.text, "First of two.");
  deepEqual([...read.get("A")!.members], [["b", "Second."], ["c", "Third, longer: yes."]]);
});

Deno.test("members that are everywhere, lists and conditions have words by rule", () => {
  equal(wordOf("core.v1.PriorityClassList"), "List of priority classes.");
  equal(wordOf("example.com.v1.ThingList", "items"), "List of things.");
  equal(wordOf("apps.v1.Deployment", "spec"), "Desired state of the deployment.");
  ok(wordOf("apps.v1.DeploymentCondition", "reason"));
  // Another group that begins with the same word.
  equal(wordOf("apps.example.com.v1.Deployment"), undefined);
});
