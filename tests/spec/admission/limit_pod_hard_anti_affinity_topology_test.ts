/** Admission plugin LimitPodHardAntiAffinityTopology: see _table.ts. */
import { pod, table } from "./_table.ts";

const away = (topologyKey: string) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: { matchLabels: { a: "b" } } }],
    },
  },
});

table("LimitPodHardAntiAffinityTopology", {
  on: {
    "a zone is refused": {
      post: pod(away("zone")),
      says:
        /affinity\.PodAntiAffinity\.RequiredDuringScheduling has TopologyKey zone but only key kubernetes\.io\/hostname/,
    },
  },
  edge: {
    "a node is fine": { post: pod(away("kubernetes.io/hostname")) },
    "no affinity is fine": { post: pod() },
    "a wish is fine": {
      post: pod({
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: "zone" } }],
          },
        },
      }),
    },
  },
  dryRun: {
    "in a dry run too": { post: pod(away("zone")), says: /has TopologyKey zone/ },
  },
  off: {
    "a zone is fine": { post: pod(away("zone")) },
  },
});
