/** Printers of the apps group. */
import type { ObjectMeta } from "../../schema/model/types.ts";
import { splitApiVersion } from "../../schema/scheme.ts";
import { AGE, col, NAME, type Part, table, wide } from "./parts.ts";
import { containerImages, containerNames, count, labelsText, NONE, selectorCell, selectorText } from "./text.ts";
import type { Printers } from "./types.ts";

const CONTAINERS: readonly Part[] = [
  wide("Containers", (o) => containerNames(o.spec?.template?.spec)),
  wide("Images", (o) => containerImages(o.spec?.template?.spec)),
];
const SELECTOR: Part = wide("Selector", (o) => selectorCell(o.spec?.selector));
const integer = (name: string, field: string): Part => col(name, (o) => count(o.status?.[field]), "integer");
const READY: Part = col("Ready", (o) => `${o.status?.readyReplicas ?? 0}/${o.spec?.replicas ?? 0}`);

/** `replicaset.apps/name` of the owner that manages the object. */
function controller({ ownerReferences = [] }: ObjectMeta): string {
  const owner = ownerReferences.find((r) => r.controller);
  if (!owner) return NONE;
  const { group } = splitApiVersion(owner.apiVersion);
  return `${(group ? `${owner.kind}.${group}` : owner.kind).toLowerCase()}/${owner.name}`;
}

/** Printers, by public id. */
export const APPS: Printers = {
  "controllerrevisions.apps": table(
    NAME,
    col("Controller", (o) => controller(o.metadata)),
    col("Revision", (o) => count(o.revision)),
    AGE,
  ),
  "daemonsets.apps": table(
    NAME,
    integer("Desired", "desiredNumberScheduled"),
    integer("Current", "currentNumberScheduled"),
    integer("Ready", "numberReady"),
    integer("Up-to-date", "updatedNumberScheduled"),
    integer("Available", "numberAvailable"),
    col("Node Selector", (o) => labelsText(o.spec?.template?.spec?.nodeSelector)),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ),
  "deployments.apps": table(
    NAME,
    READY,
    col("Up-to-date", (o) => count(o.status?.updatedReplicas)),
    col("Available", (o) => count(o.status?.availableReplicas)),
    AGE,
    ...CONTAINERS,
    wide("Selector", (o) => selectorText(o.spec?.selector, "<invalid>")),
  ),
  "replicasets.apps": table(
    NAME,
    col("Desired", (o) => count(o.spec?.replicas), "integer"),
    integer("Current", "replicas"),
    integer("Ready", "readyReplicas"),
    AGE,
    ...CONTAINERS,
    SELECTOR,
  ),
  "statefulsets.apps": table(NAME, READY, AGE, ...CONTAINERS),
};
