/** Writes docs/controllers.md from the table of controllers: `deno run --allow-write=docs scripts/docs_controllers.ts`. */
import { CONTROLLERS } from "../server/controllers/table.ts";

/** Controllers whose work the public controller manager does too. */
const ALSO_OF_THE_MANAGER: ReadonlySet<string> = new Set([
  "namespace",
  "garbage-collector",
  "serviceaccount",
  "root-ca-publisher",
  "resourcequota",
  "clusterrole-aggregation",
  "storage-protection",
  "validatingadmissionpolicy-status",
]);

/** The flag that leaves that work to it. */
export function besideTheManager(): string {
  const left = CONTROLLERS.filter((c) => ALSO_OF_THE_MANAGER.has(c.name)).map((c) => `-${c.name}`);
  return `--controllers=*,${left.join()}`;
}

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
* root-ca-publisher needs the certificate that the server made for itself: the authorities of another one are not known. Of
  servers on one store that each made one all authorities are published; the config map of the system namespace gathers them, and
  who deletes it has those of servers that are gone forgotten.
* Several servers on one store each run their controllers. Every write is bound to the version it was made from, so that they
  do the same work at most twice, and never undo each other's.
* leader-election-controller runs with the gate CoordinatedLeaderElection where lease candidates are served
  (\`--runtime-config=coordination.k8s.io/v1beta1=true\`). The server that holds the lease \`leader-election-controller\` of the
  system namespace does the work (\`--coordinated-leadership-…\`); its metric is \`leader_election_master_status\`.
* storage-version-garbage-collector runs with the gates StorageVersionAPI and APIServerIdentity where storage versions are served
  (\`--runtime-config=internal.apiserver.k8s.io/v1alpha1=true\`). With them every server tells at its start, whatever
  \`--controllers\` says, in what version it keeps each built-in resource; until it has, writes of others are answered with 503.
* Deletions of the controllers pass admission, as service accounts of the system namespace.

## Beside the parts of a public cluster

The public controller manager, scheduler and node agents work with this server (\`--api-dialect=kubernetes\`) as with their own, by the
kubeconfig and the keys of the data directory:

    kube-controller-manager --kubeconfig=.orch-kubernetes/admin.conf --use-service-account-credentials=true \\
      --service-account-private-key-file=.orch-kubernetes/sa.key --root-ca-file=.orch-kubernetes/ca.crt \\
      --cluster-signing-cert-file=.orch-kubernetes/ca.crt --cluster-signing-key-file=.orch-kubernetes/ca.key
    kube-scheduler --kubeconfig=.orch-kubernetes/admin.conf

Its controllers and those above may both be on: each looks at what stands before it writes. This leaves to the controller manager what it does as
well, so that it is done once; the others are the API server's own:

    ${besideTheManager()}

In this way the controller manager and the scheduler of 1.37.2 and two of its hollow nodes were run, with the gates on that docs/options.md says are off
here and on there; without them the manager's publisher of trust bundles logs that it may not list them. Of the public project's end-to-end tests of API machinery, 129 that are neither slow, serial, disruptive nor behind a feature, and have no webhook or extension server in a pod of their own, were played against it:
127 pass. The others: one needs such a pod all the same, and one (\`kubectl explain\` by a short name where a built-in resource has the same plural) fails on the
public server too. With \`--controllers=-*\` two more fail, which look for health checks and statuses of the API server's own controllers.

## A whole cluster

The public kube-proxy and CoreDNS work with this server, too, and \`orchlet\` is the node ([orchlet.md](orchlet.md), "A node with
credentials of its own"). For pods to reach the server, and the server nodes and what runs on them, it is started with

    --bind-address=0.0.0.0 --advertise-address=ADDRESS --service-cluster-ip-range=10.0.0.0/16 --kubelet-preferred-address-types=InternalIP

and, for extension servers, with an authority for itself as their client (\`--requestheader-client-ca-file\`,
\`--requestheader-allowed-names\`, \`--requestheader-…-headers\`, \`--proxy-client-cert-file\`, \`--proxy-client-key-file\`). Such a cluster of
one node (controller manager, scheduler and kube-proxy 1.37.2, CoreDNS 1.12, containerd 1.6) was played with the public project's
end-to-end tests of 1.37.2, those that are neither slow nor disruptive nor, but for the last rows, serial; what failed first
for want of an image or of DNS, or as a test beside it tainted the node, was played again:

| tests | pass | the others |
|---|---|---|
| conformance of applications, networks, volumes and kubectl | 223 of 223 | |
| webhooks for admission and conversion and an extension server, in pods | 26 of 26 | |
| other tests of applications | 50 of 50 | |
| identity, metrics, collection, quotas, watches, hooks, privileges, trust bundles and certificates of pods | 74 of 78 | two need an alpha feature; one looks for figures of health checks before anybody has asked for one; one wants a test program that knows its version |
| probes, of those that there was time for | 34 of 34 | |
| changes of resources with quotas and limits, and those that wait for room, one at a time | 19 of 19 | |
| serial tests of scheduling: predicates, preemption, limits of pods | 19 of 19 | |
| other serial tests, 32 of 51 for want of time | 29 of 32 | one pulls an image from the Internet; one wants a directory that our image for it has not; one a handler that containerd has not |
`;
}

if (import.meta.main) Deno.writeTextFileSync(new URL("../docs/controllers.md", import.meta.url), controllersPage());
