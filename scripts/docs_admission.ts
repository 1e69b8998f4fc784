/** Writes docs/admission.md from the plugin table: `deno run --allow-write=docs scripts/docs_admission.ts`. */
import { CONFIG_SHAPES, type Shape } from "../server/admission/config_shapes.ts";
import { PLUGINS } from "../server/admission/table.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|");

function members(shape: Shape): string {
  if (typeof shape === "string") return shape;
  if (Array.isArray(shape)) return `[${members(shape[0] as Shape)}]`;
  return `{${Object.entries(shape).map(([name, s]) => `${name}: ${members(s)}`).join(", ")}}`;
}

function plugins(): string {
  const rows = PLUGINS.map((p, i) =>
    `| ${i + 1} | ${p.name} | ${p.enabledByDefault ? "on" : "off"} | ${cell(p.summary)} |`
  );
  return `| | plugin | default | what it does |\n|---|---|---|---|\n${rows.join("\n")}`;
}

function configurations(): string {
  const rows = Object.entries(CONFIG_SHAPES).map(([name, { kind, fields }]) => {
    const stated = kind ? `${kind.name}, ${kind.apiVersions.map((v) => `\`${v}\``).join(" or ")}` : "none stated";
    return `| ${name} | ${stated} | \`${cell(members(fields))}\` |`;
  });
  return `| plugin | kind and versions | members |\n|---|---|---|\n${rows.join("\n")}`;
}

/** The whole page. */
export function admissionPage(): string {
  return `# Admission

Written by scripts/docs_admission.ts from server/admission/table.ts. Do not edit.

Every write passes the plugins twice: first each may change the object, then, after validation, each may only look at it. Either
time it may refuse the request. They run in the order below, whatever order their names are given in.

* \`--enable-admission-plugins\` turns plugins on beside the default ones, \`--disable-admission-plugins\` turns default ones off.
  \`--admission-control\` (deprecated) names exactly the plugins to run and cannot go with the other two. Unknown names are
  refused at start.
* A refusal is a 403 that names the object and the reason. It is a 404 for a namespace, or a pod or node of a node's agent, that does
  not exist, a 422 for wrong Pod Security labels and for what an admission policy refuses without another \`reason\`, and a 429 for
  too many events; webhooks say their code.
* What a plugin has to say without refusing is a \`Warning\` header; what it notes is kept for the audit.
* A dry run passes all plugins. It charges no quota, makes no namespace and counts no event.
* \`apiserver_admission_controller_admission_duration_seconds\` of \`/metrics\` tells the time of each plugin by phase (\`type\`),
  operation and outcome.

Names are public ones; they take those of the dialect.

## Plugins

${plugins()}

## What a plugin did

A POST, PUT or PATCH with \`?dryRun=All&explain=admission\` answers 200 with a JSON object instead of the object, for whoever may
do that:

    {"kind": "AdmissionExplanation", "apiVersion": "explain.orch.io/v1alpha1", "allowed": true, "steps": [
      {"plugin": "Priority", "phase": "admit", "changes": [{"op": "add", "path": "/spec/priority", "value": 0}]},
      {"plugin": "PodSecurity", "phase": "validate", "warnings": ["would violate PodSecurity …"]}],
     "object": {…}}

\`changes\` are operations of a JSON patch; \`refusal\` of a step is the Status with which the plugin refused; \`outcome\` is the Status
that the request would get when it is refused; \`object\` is what would be stored.

## Configuration

\`--admission-control-config-file\` names an \`AdmissionConfiguration\` (\`apiserver.config.k8s.io/v1\`). Each item of \`plugins\` has a
\`name\` and either \`configuration\`, the plugin's own configuration, or \`path\`, a file with it, from the folder of this file on. What is
unknown, twice or of a wrong type is an error at start that names file and path. Other plugins take no configuration.

${configurations()}

    apiVersion: apiserver.config.k8s.io/v1
    kind: AdmissionConfiguration
    plugins:
    - name: PodSecurity
      configuration:
        apiVersion: pod-security.admission.config.k8s.io/v1
        kind: PodSecurityConfiguration
        defaults: {enforce: baseline, warn: restricted}
        exemptions: {namespaces: [kube-system]}
    - name: EventRateLimit
      path: event-limits.yaml

## Webhooks

Webhooks are called in the order of their configurations' names, then as each lists them: mutating ones one after the other,
validating ones all at once. One that changes the object has all plugins look at it once more, and of the webhooks before it those with
\`reinvocationPolicy: IfNeeded\`.

* A webhook is reached by HTTPS at \`clientConfig.url\`, or at the cluster address of the service that it names (at a ready
  endpoint of it with \`--enable-aggregator-routing\`), with a certificate for \`name.namespace.svc\`. \`caBundle\` stands in place of the host's roots. Connections are kept: 64 to one webhook, 512 in all.
* Redirects, answers of more than 8 MiB and all but JSON patches are failures. A failure is a 500, or passed over with
  \`failurePolicy: Ignore\`; a denial has the code that the webhook says, 400 without. A call ends with the request that it is for (504).
* \`kubeConfigFile\` of the plugin's configuration names a connection file. A webhook is shown the user that is named after it:
  \`host:port\`, then \`*.\` before the end of that, then both without the port if it is 443, then \`*\`, then the current context's; without any,
  the certificate of \`--proxy-client-cert-file\`. Tokens, names with passwords, client certificates, and programs that
  tell them (\`exec\`) are known; files that name them are read again, once a minute.
* Configurations of webhooks and policies are sent to webhooks of manifests alone; reviews of tokens and access to none (the gate
  \`ExcludeAdmissionWebhookVirtualResources\`).
* A dry run fails with 400 where it meets a webhook whose \`sideEffects\` are others than \`None\` or \`NoneOnDryRun\`.
* \`ImagePolicyWebhook\` sends an ImageReview (\`imagepolicy.k8s.io/v1alpha1\`) for the images of a pod. Times of its configuration are seconds
  (\`allowTTL\` 300, \`denyTTL\` 30) and milliseconds (\`retryBackoff\` 500); -1 is none.

\`apiserver_admission_webhook_*\` and \`apiserver_admission_match_condition_*\` of \`/metrics\` count and time them.

## Manifests

\`staticManifestsDir\` of a plugin of webhooks or policies names a folder, by its absolute path, whose files (\`.yaml\`, \`.yml\`,
\`.json\`) hold what no request can change and no store can lack: configurations of webhooks, or policies with their bindings (the gate
\`ManifestBasedAdmissionControlConfig\`). They rule before those of the API, and on webhooks and policies themselves too.

    plugins:
    - name: ValidatingAdmissionPolicy
      configuration:
        apiVersion: apiserver.config.k8s.io/v1
        kind: ValidatingAdmissionPolicyConfiguration
        staticManifestsDir: /etc/orch/policies

* Their names end with \`.static.k8s.io\`; requests cannot make objects with such names. They depend on nothing in the store: webhooks are
  named by their URL, and policies have no parameters. A binding is of a policy that stands in the same folder.
* A file may hold several documents, and lists. What the API would refuse, or drops, is an error that names the file: at start the server does
  not start; later what was read before stays, which the log tells.
* A changed folder is in use within a second. Each server reads its own:
  \`apiserver_manifest_admission_config_controller_*\` of \`/metrics\` tells by a hash which servers have the same.

## Quotas

Admission adds what a request needs to the quota's \`status.used\` with the request, so that no two requests take the same place,
on however many servers. The controller \`resourcequota\` (\`--controllers\`) gives a new quota its status and counts anew when something
goes away or shrinks. Without it, quotas bound nothing until somebody else writes their status.
`;
}

if (import.meta.main) Deno.writeTextFileSync(new URL("../docs/admission.md", import.meta.url), admissionPage());
