/** Writes docs/controllers.md from the table of controllers: `deno run --allow-write=docs scripts/docs_controllers.ts`. */
import { CONTROLLERS } from "../server/controllers/table.ts";

/** The whole page. */
export function controllersPage(): string {
  const rows = CONTROLLERS.map((c) => `| ${c.name} | ${c.onByDefault ? "on" : "off"} | ${c.summary} |`);
  return `# Embedded controllers

Written by scripts/docs_controllers.ts from server/controllers/table.ts. Do not edit.

A server works on its own content with the controllers below. They follow the watch caches, do the work of one object at a
time, and try again what failed, later each time.

| controller | default | what it does |
|---|---|---|
${rows.join("\n")}

\`--controllers\` takes a list: \`*\` for all that are on by default, \`name\` for one more, \`-name\` for one less, \`-*\` for none
but those named. Of \`*\` and \`-*\`, and of \`name\` and \`-name\`, the last one counts. An unknown name is refused at start.

* \`--enable-garbage-collector=false\` turns garbage-collector off and has deletions set no finalizers for it.
* root-ca-publisher needs the certificate that the server made for itself: the authorities of another one are not known.
* Several servers on one store each run their controllers. Every write is bound to the version it was made from, so that they
  do the same work at most twice, and never undo each other's.
* leader-election-controller runs with the gate CoordinatedLeaderElection where lease candidates are served
  (\`--runtime-config=coordination.k8s.io/v1beta1=true\`). The server that holds the lease \`leader-election-controller\` of the
  system namespace does the work (\`--coordinated-leadership-…\`); its metric is \`leader_election_master_status\`.
* storage-version-garbage-collector runs with the gates StorageVersionAPI and APIServerIdentity where storage versions are served
  (\`--runtime-config=internal.apiserver.k8s.io/v1alpha1=true\`). With them every server tells at its start, whatever
  \`--controllers\` says, in what version it keeps each built-in resource; until it has, writes of others are answered with 503.
* Deletions of the controllers pass admission, as service accounts of the system namespace.
`;
}

if (import.meta.main) Deno.writeTextFileSync(new URL("../docs/controllers.md", import.meta.url), controllersPage());
