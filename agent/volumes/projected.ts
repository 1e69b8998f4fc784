/** Volumes whose files the agent writes: from ConfigMaps, Secrets, the pod itself, tokens and roots. */
import type {
  ConfigMapVolumeSource,
  DownwardAPIVolumeSource,
  PodCertificateProjection,
  ProjectedVolumeSource,
  SecretVolumeSource,
  ServiceAccountTokenProjection,
  VolumeProjection,
} from "../../schema/api/core_v1.ts";
import type { Int64 } from "../../schema/model/types.ts";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { aggregateText } from "../../schema/values/aggregate_text.ts";
import { type FileContent, type Payload, writeAtomically } from "./atomic.ts";
import {
  configMapFiles,
  downwardFiles,
  type FileRights,
  Files,
  modeOf,
  ownerOf,
  secretFiles,
  type Selection,
} from "./content.ts";
import { makeDirectory } from "./empty_dir.ts";
import { nestedMountPoints } from "./nested.ts";
import { giveToGroup } from "./ownership.ts";
import { groupOf, type Plugin, userOf, type VolumeSetup } from "./plugin.ts";

/** @throws Error: the content is not to be had, or cannot be written */
async function writeVolume(content: Promise<Payload> | Payload, medium: "" | "Memory", volume: VolumeSetup) {
  const payload = await content;
  const { dir, pod, host } = volume;
  await makeDirectory({ medium }, volume, `wrapped_${volume.name}`);
  for (const nested of nestedMountPoints(pod, volume.name)) {
    await mkdir(join(dir, nested), { recursive: true, mode: 0o755 });
  }
  const group = groupOf(pod);
  await writeAtomically(dir, payload, host.clock.now(), async () => {
    if (group !== undefined) await giveToGroup(dir, { group, readOnly: true });
  });
  return { path: dir, readOnly: true };
}

interface ObjectSource {
  readonly items?: Selection["items"];
  readonly optional?: boolean;
}
const selection = (name: string | undefined, source: ObjectSource, defaults: FileRights): Selection => ({
  name: name ?? "",
  items: source.items ?? [],
  optional: source.optional ?? false,
  defaults,
});

interface Defaults {
  readonly defaultMode?: number;
  readonly defaultUser?: Int64;
}
/** Of the files of a source. */
const defaultsOf = ({ defaultMode: mode, defaultUser: user }: Defaults): FileRights => ({
  ...(mode === undefined ? {} : { mode }),
  ...(user === undefined ? {} : { user }),
});

/** Files of one ConfigMap. */
export const configMap: Plugin<ConfigMapVolumeSource> = {
  dir: "kubernetes.io~configmap",
  follows: true,
  owns: true,
  setUp: (source, volume) =>
    writeVolume(configMapFiles(selection(source.name, source, defaultsOf(source)), volume), "", volume),
};

/** Files of one Secret, in memory. */
export const secret: Plugin<SecretVolumeSource> = {
  dir: "kubernetes.io~secret",
  follows: true,
  owns: true,
  setUp: (source, volume) =>
    writeVolume(secretFiles(selection(source.secretName, source, defaultsOf(source)), volume), "Memory", volume),
};

/** Files that tell of the pod, in memory. */
export const downwardAPI: Plugin<DownwardAPIVolumeSource> = {
  dir: "kubernetes.io~downward-api",
  follows: true,
  owns: true,
  setUp: async (source, volume) =>
    await writeVolume(downwardFiles(source.items ?? [], defaultsOf(source), volume), "Memory", volume),
};

/** What only its owner, or else the pod's own user, may read, where that user or a group is known. */
function guarded(data: Uint8Array, own: FileRights, defaults: FileRights, { pod, host }: VolumeSetup): FileContent {
  const user = ownerOf(own, defaults, host.gate) ?? userOf(pod);
  const known = user !== undefined || groupOf(pod) !== undefined;
  return { data, mode: known ? 0o600 : modeOf({}, defaults), ...(user === undefined ? {} : { user }) };
}

async function tokenFile(
  source: ServiceAccountTokenProjection,
  defaults: FileRights,
  volume: VolumeSetup,
): Promise<Payload> {
  const { audience, expirationSeconds, path } = source;
  const token = await volume.host.tokens.of(volume.ref, {
    serviceAccount: volume.pod.spec?.serviceAccountName ?? "",
    audience: audience ?? "",
    seconds: expirationSeconds === undefined ? undefined : Number(expirationSeconds),
  });
  return new Map([[path, guarded(new TextEncoder().encode(token), source, defaults, volume)]]);
}

async function certificateFiles(
  source: PodCertificateProjection,
  defaults: FileRights,
  volume: VolumeSetup,
  index: number,
) {
  const { key, chain } = await volume.host.certificates.of(volume, index, source);
  const files = [
    [source.credentialBundlePath, key + chain],
    [source.keyPath, key],
    [source.certificateChainPath, chain],
  ] as const;
  return new Map(
    files.flatMap(([path, text]) =>
      path ? [[path, guarded(new TextEncoder().encode(text), source, defaults, volume)]] : []
    ),
  );
}

type Project<S> = (source: S, defaults: FileRights, volume: VolumeSetup, index: number) => Promise<Payload>;
const PROJECTIONS: { [K in keyof VolumeProjection]-?: Project<NonNullable<VolumeProjection[K]>> } = {
  configMap: (source, defaults, volume) => configMapFiles(selection(source.name, source, defaults), volume),
  secret: (source, defaults, volume) => secretFiles(selection(source.name, source, defaults), volume),
  downwardAPI: async (source, defaults, volume) => downwardFiles(source.items ?? [], defaults, volume),
  serviceAccountToken: tokenFile,
  clusterTrustBundle: async (source, defaults, volume) =>
    new Map([[source.path, guarded(await volume.host.bundles.roots(source), source, defaults, volume)]]),
  podCertificate: certificateFiles,
};

async function projectedFiles(from: ProjectedVolumeSource, volume: VolumeSetup): Promise<Payload> {
  const files = new Files();
  const faults: string[] = [];
  for (const [index, source] of (from.sources ?? []).entries()) {
    for (const [kind, what] of Object.entries(source)) {
      const project = PROJECTIONS[kind as keyof VolumeProjection] as Project<unknown>;
      let given: Payload = new Map();
      try {
        given = await project(what, defaultsOf(from), volume, index);
      } catch (e) {
        faults.push((e as Error).message);
      }
      for (const [path, file] of given) files.add(path, file);
    }
  }
  if (faults.length) throw new Error(aggregateText(faults));
  return files.payload;
}

/** Files of several sources side by side, in memory. */
export const projected: Plugin<ProjectedVolumeSource> = {
  dir: "kubernetes.io~projected",
  follows: true,
  owns: true,
  setUp: (source, volume) => writeVolume(projectedFiles(source, volume), "Memory", volume),
};
