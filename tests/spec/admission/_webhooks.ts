/** Tables of the plugins that call webhooks: a server with webhooks beside it for each case. */
import assert from "node:assert/strict";
import type { PluginName } from "../../../server/admission/names.ts";
import { type Case, play, stage } from "../../admission/_hooks.ts";
import { type CasesOf, tableOf } from "./_table.ts";

export { map, MAPS, NO, rules } from "../../admission/_hooks.ts";

/** A case, under a plugin's configuration or not. */
export interface WebhookCase extends Case {
  /** Users of the connection file that the plugin is configured with; and what the first webhook is then shown. */
  readonly users?: readonly { readonly name: string; readonly user: Readonly<Record<string, string>> }[];
  readonly authorization?: string;
}

/** Writes a file for a while. */
async function withJson(value: unknown, run: (path: string) => Promise<void>): Promise<void> {
  const file = await Deno.makeTempFile({ suffix: ".yaml" });
  try {
    await Deno.writeTextFile(file, JSON.stringify(value));
    await run(file);
  } finally {
    await Deno.remove(file);
  }
}

async function playCase(c: WebhookCase, flags: readonly string[]): Promise<void> {
  const s = await stage(flags);
  try {
    await play(s, c);
    if (c.authorization) assert.equal(s.hooks.asked[0]?.headers["authorization"], c.authorization);
  } finally {
    await s.stop();
  }
}

/** The table of a plugin. */
export function webhookTable(plugin: PluginName, cases: CasesOf<WebhookCase>): void {
  const apiVersion = "apiserver.config.k8s.io/v1";
  const configured = (kubeConfigFile: string) => {
    const configuration = { apiVersion, kind: "WebhookAdmissionConfiguration", kubeConfigFile };
    return { apiVersion, kind: "AdmissionConfiguration", plugins: [{ name: plugin, configuration }] };
  };
  tableOf(plugin, cases, async (sort, c) => {
    const { users } = c;
    if (!users) return await playCase(c, sort === "off" ? [`--disable-admission-plugins=${plugin}`] : []);
    await withJson(
      { users },
      (connection) =>
        withJson(configured(connection), (file) => playCase(c, [`--admission-control-config-file=${file}`])),
    );
  });
}
