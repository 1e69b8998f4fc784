/** Environments of containers. */
import type { EnvFromSource, EnvVarSource, Pod } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import {
  type AnyContainer,
  type Environments,
  type EnvVariable,
  type NodeFacts,
  type PodRef,
  unlessNotFound,
} from "../types.ts";
import { containerOf, resourceField, type ResourceList } from "../volumes/fields.ts";
import type { ReferencedObjects } from "../volumes/objects.ts";
import { readInside, variableIn } from "./env_file.ts";
import { expanding, MOST } from "./expand.ts";
import { variableField } from "./pod_fields.ts";
import type { Services } from "./services.ts";

/** What environments are made with. */
export interface EnvironmentParts {
  readonly objects: ReferencedObjects;
  /** Undefined: the agent has no server. */
  readonly services: Services | undefined;
  /** What pods may have of the node. */
  allocatable(): ResourceList;
  /** Where a volume of a pod is; undefined: there is none. */
  volumePath(uid: string, volume: string): string | undefined;
  readonly product: Product;
}

/** What one container's environment is made from. */
interface Making {
  readonly parts: EnvironmentParts;
  readonly pod: Pod;
  readonly ref: PodRef;
  readonly container: AnyContainer;
  readonly facts: NodeFacts;
}

const SOURCE = "kubernetes.io/config.source";

/** An object's entries, each of which becomes text when it is wanted: there may be large ones beside it. */
interface Kind {
  readonly words: string;
  read(making: Making, name: string): Promise<Readonly<Record<string, string>>>;
  text(entry: string): string;
}
const CONFIG_MAP: Kind = {
  words: "ConfigMap",
  read: async ({ parts, ref }, name) => (await parts.objects.configMap(ref, name)).data ?? {},
  text: (entry) => entry,
};
const SECRET: Kind = {
  words: "Secret",
  read: async ({ parts, ref }, name) => (await parts.objects.secret(ref, name)).data ?? {},
  text: (entry) => new TextDecoder().decode(Uint8Array.fromBase64(entry)),
};

interface Reference {
  readonly name?: string;
  readonly optional?: boolean;
}

/** Undefined: it is not there and need not be. */
async function entriesOf(kind: Kind, { name = "", optional }: Reference, making: Making) {
  const read = kind.read(making, name);
  return await (optional ? unlessNotFound(read) : read);
}

async function entryOf(kind: Kind, from: Reference & { key: string }, making: Making): Promise<string | undefined> {
  const entries = await entriesOf(kind, from, making);
  if (entries && Object.hasOwn(entries, from.key)) return kind.text(entries[from.key]!);
  if (!entries || from.optional) return undefined;
  throw new Error(`couldn't find key ${from.key} in ${kind.words} ${making.ref.namespace}/${from.name ?? ""}`);
}

/** Limits of a container that has none: the pod's, else the node's. */
function defaultLimits({ pod, parts }: Making): ResourceList {
  const node = parts.allocatable(), own = pod.spec?.resources?.limits ?? {};
  return {
    ...node,
    ...Object.fromEntries(Object.entries(own).filter(([name]) => name === "cpu" || name === "memory")),
  };
}

function resourceOf(from: NonNullable<EnvVarSource["resourceFieldRef"]>, making: Making): string {
  const { pod, container } = making, { containerName } = from;
  if (!containerName) return resourceField(from, container, defaultLimits(making));
  const defaulted = pod.spec?.containers?.some((c) => c.name === containerName);
  return resourceField(from, containerOf(pod, containerName), defaulted ? defaultLimits(making) : {});
}

async function fileEntryOf(
  { volumeName, path, key, optional }: NonNullable<EnvVarSource["fileKeyRef"]>,
  { parts, ref }: Making,
): Promise<string | undefined> {
  const volume = parts.volumePath(ref.uid, volumeName);
  if (volume === undefined) {
    throw new Error(`cannot find the volume ${JSON.stringify(volumeName)} referenced by FileKeyRef`);
  }
  let value: string;
  try {
    value = variableIn(await readInside(volume, path), key);
  } catch (e) {
    throw new Error("couldn't parse env file", { cause: e });
  }
  if (value !== "") return value;
  if (optional) return undefined;
  throw new Error(
    `environment variable key ${JSON.stringify(key)} not found in file ${JSON.stringify(`${volume}/${path}`)}`,
  );
}

/** Undefined: the variable is left out. */
async function valueOf(from: EnvVarSource, making: Making): Promise<string | undefined> {
  if (from.fieldRef) return variableField(making.pod, from.fieldRef.fieldPath, making.facts);
  if (from.resourceFieldRef) return resourceOf(from.resourceFieldRef, making);
  if (from.configMapKeyRef) return await entryOf(CONFIG_MAP, from.configMapKeyRef, making);
  if (from.secretKeyRef) return await entryOf(SECRET, from.secretKeyRef, making);
  if (from.fileKeyRef) return await fileEntryOf(from.fileKeyRef, making);
  return "";
}

type Add = (name: string, value: string) => void;

/** Adds variables to others. A few characters of a pod can name an object of a megabyte, again and again. @throws Error: they are too long together */
function adding(to: Map<string, string>): Add {
  let room = MOST;
  return (name, value) => {
    room -= name.length + value.length;
    if (room < 0) throw new Error(`environment variables come to more than ${MOST} characters`);
    to.set(name, value);
  };
}

async function addAll(from: EnvFromSource, add: Add, making: Making): Promise<void> {
  const { configMapRef, secretRef, prefix = "" } = from;
  const ref = configMapRef ?? secretRef;
  if (!ref) return;
  const kind = configMapRef ? CONFIG_MAP : SECRET, entries = await entriesOf(kind, ref, making) ?? {};
  for (const key of Object.keys(entries).sort()) add(prefix + key, kind.text(entries[key]!));
}

function serviceVariables({ parts, pod, ref }: Making): readonly EnvVariable[] {
  const { services, product } = parts;
  if (!services) return [];
  const source = pod.metadata?.annotations?.[product.local(SOURCE)] ?? "api";
  if (!services.known && source === "api") {
    throw new Error("services have not yet been read at least once, cannot construct envvars");
  }
  return services.variables(ref.namespace, product.service, pod.spec?.enableServiceLinks ?? true);
}

/**
 * Environments from the pods' objects, those that they refer to, and the cluster's services. First come the container's
 * own variables, each name once and with its last value, in the order of their first mention; then those of services.
 */
export function createEnvironments(parts: EnvironmentParts): Environments {
  return {
    async of(pod, container, facts) {
      const { namespace = "", name = "", uid = "" } = pod.metadata ?? {};
      const making: Making = { parts, pod, ref: { namespace, name, uid }, container, facts };
      const services = new Map(serviceVariables(making).map(({ key, value }) => [key, value]));
      const own = new Map<string, string>(), add = adding(own);
      const expand = expanding((n) => own.get(n) ?? services.get(n));
      for (const from of container.envFrom ?? []) await addAll(from, add, making);
      for (const { name, value, valueFrom } of container.env ?? []) {
        const text = value ? expand(value) : valueFrom ? await valueOf(valueFrom, making) : "";
        if (text !== undefined) add(name, text);
      }
      for (const [key, value] of services) if (!own.has(key)) own.set(key, value);
      return [...own].map(([key, value]) => ({ key, value }));
    },
  };
}
