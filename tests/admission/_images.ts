/** Servers whose image policy is that of a webhook. */
import { HOOK_CA, HookServer, type Said, TO_HOOKS } from "../fixture/hooks.ts";
import { startTestServer, type TestServer } from "../fixture/server.ts";
import type { Loose } from "../fixture/loose.ts";

/** Starts one that runs the plugin, unless `flags` say otherwise. */
export async function withPolicy(
  settings: Loose,
  says: (spec: Loose) => Said,
  run: (
    t: TestServer,
    asked: () => Loose[],
    pass: (ms: number) => void,
  ) => Promise<void>,
  flags: readonly string[] = ["--enable-admission-plugins=ImagePolicyWebhook"],
): Promise<void> {
  const hooks = await new HookServer().start(), directory = await Deno.makeTempDir();
  const server = hooks.on("/policy", ({ body }) => says(body.spec));
  await Deno.writeTextFile(`${directory}/ca.pem`, HOOK_CA);
  const named = (name: string, member: string, value: Loose) => [{ name, [member]: value }];
  const connection = {
    clusters: named("c", "cluster", { server, "certificate-authority": "ca.pem" }),
    users: named("u", "user", { token: "t" }),
    contexts: named("x", "context", { cluster: "c", user: "u" }),
    "current-context": "x",
  };
  await Deno.writeTextFile(`${directory}/connection.yaml`, JSON.stringify(connection));
  const imagePolicy = { kubeConfigFile: `${directory}/connection.yaml`, retryBackoff: 1, ...settings };
  const configuration = {
    apiVersion: "apiserver.config.k8s.io/v1",
    kind: "AdmissionConfiguration",
    plugins: [{ name: "ImagePolicyWebhook", configuration: { imagePolicy } }],
  };
  await Deno.writeTextFile(`${directory}/admission.yaml`, JSON.stringify(configuration));
  let now = Date.now();
  const t = await startTestServer([
    ...flags,
    "--disable-admission-plugins=ServiceAccount",
    `--admission-control-config-file=${directory}/admission.yaml`,
  ], { outside: TO_HOOKS, now: () => now });
  try {
    await run(t, () => hooks.asked.map((a) => a.body), (ms) => now += ms);
  } finally {
    await t.stop();
    await hooks.stop();
    await Deno.remove(directory, { recursive: true });
  }
}

/** What a webhook answers. */
export const status = (status: Loose): Said => ({ text: JSON.stringify({ kind: "ImageReview", status }) });
/** Takes every image but `bad`. */
export const allowed = (spec: Loose) =>
  status({ allowed: !spec.containers.some((c: Loose) => c.image === "bad"), reason: "bad image" });
