/** The scale subresource of custom resources: replicas and selector stand where the definition says. */
import { stepsOf, valueAt, withValueAt } from "../../schema/customresources/mod.ts";
import type { ReplicasPaths } from "../../schema/merge/scale_owners.ts";
import type { Json, JsonMap, Obj } from "../../schema/model/types.ts";
import { badRequest, internal } from "../../schema/status.ts";
import type { Answer, Call, SubresourceHandler } from "../endpoints/api.ts";
import { checkScale, metadataBehind, scaleAnswer, scaleMetadata, updateBehind } from "../registry/scale.ts";
import type { ScalePaths } from "./definition.ts";
import { plainFailure } from "./webhook_answer.ts";

/** What stands for replicas that are not set, so that a write of the Scale must set them. */
const UNSET = -0x80000000;

/** Paths of the versions of a resource, by version name. */
export type ScaleVersions = ReadonlyMap<string, ScalePaths | undefined>;

/** The handler of a resource's `scale`. It throws StatusError 500 where the object lacks the replicas that the definition names. */
export function customScale(versions: ScaleVersions): SubresourceHandler {
  return {
    async get(call) {
      const entry = await call.api.store(call.served.resource).current(call.namespace, call.name);
      const { scale, found } = scaleOf(call, versions, await seen(call, entry.object()));
      if (!found) {
        throw internal(
          `the spec replicas field ${JSON.stringify(pathsOf(call, versions).specReplicasPath)} does not exist`,
        );
      }
      return answer(call, scale);
    },
    async update(call, next) {
      const object = await updateBehind(call, (current) => scaled(call, versions, current, next));
      return answer(call, scaleOf(call, versions, await seen(call, object)).scale);
    },
  };
}

/** The object in the version of the request. */
async function seen({ api, served, caller }: Call, obj: Obj): Promise<Obj> {
  const { conversions } = api.store(served.resource).strategy;
  return conversions ? await conversions.view(obj, served.version, caller.signal) : obj;
}

const pathsOf = (call: Call, versions: ScaleVersions): ScalePaths => versions.get(call.served.version)!;
const answer = (call: Call, object: Obj): Answer => ({ object: scaleAnswer(object), kind: call.subresource!.kind });

/** The object with the replicas that `next` makes of its Scale. */
async function scaled(
  call: Call,
  versions: ScaleVersions,
  current: Obj,
  next: (scale: Obj) => Promise<Obj>,
): Promise<Obj> {
  const store = call.api.store(call.served.resource), paths = pathsOf(call, versions);
  const { scale: before, found } = scaleOf(call, versions, current);
  const shown = found ? before : { ...before, spec: { replicas: UNSET } };
  const scale = await next(shown);
  checkScale(call, scale, current);
  await call.api.admission.admit(store.attributes("UPDATE", scale, shown, call.caller, "scale"));
  const replicas: Json = scale["spec"]?.replicas ?? 0;
  if (replicas === UNSET) {
    throw badRequest(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} cannot be empty`);
  }
  const parent = parentOf(call, versions, current, scale, replicas);
  const told = [scaleOf(call, versions, parent).scale, before].map(scaleAnswer);
  await call.api.admission.validate(store.attributes("UPDATE", told[0], told[1], call.caller, "scale"));
  return parent;
}

function parentOf(call: Call, versions: ScaleVersions, current: Obj, scale: Obj, replicas: Json): Obj {
  const metadata = metadataBehind(call, current, scale, replicasPaths(call, versions));
  const tree = withValueAt(current, stepsOf(pathsOf(call, versions).specReplicasPath), replicas);
  return { ...tree as Obj, metadata };
}

/** Where field sets have the replicas in each version. */
function replicasPaths(call: Call, versions: ScaleVersions): ReplicasPaths {
  const { group } = call.served.resource;
  return new Map(
    [...versions].map((
      [v, p],
    ) => [`${group}/${v}`, p && stepsOf(p.specReplicasPath).map((step) => `f:${step}` as const)]),
  );
}

function wholeNumber(value: Json | undefined, path: string): number {
  if (value === undefined) return 0;
  if (typeof value === "number" && Number.isInteger(value)) return value;
  throw plainFailure(`${path} is not a whole number`);
}

function scaleOf(call: Call, versions: ScaleVersions, obj: Obj): { scale: Obj; found: boolean } {
  const paths = pathsOf(call, versions), tree = obj as JsonMap;
  const wanted = valueAt(tree, stepsOf(paths.specReplicasPath));
  const replicas = wholeNumber(wanted, paths.specReplicasPath);
  const is = wholeNumber(valueAt(tree, stepsOf(paths.statusReplicasPath)), paths.statusReplicasPath);
  const text = paths.labelSelectorPath ? valueAt(tree, stepsOf(paths.labelSelectorPath)) ?? "" : "";
  if (typeof text !== "string") throw plainFailure(`${paths.labelSelectorPath} is not a text`);
  const kind = call.subresource!.kind;
  const scale: Obj = {
    kind: kind.kind,
    apiVersion: kind.apiVersion,
    metadata: scaleMetadata(obj, replicasPaths(call, versions)),
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: is, ...(text ? { selector: text } : {}) },
  };
  return { scale, found: wanted !== undefined };
}
