/** Rules of the core group. */
import type { RulesTable } from "../tables.ts";
import { CONFIG_MAP } from "./config_map.ts";
import { ENDPOINTS } from "./endpoints.ts";
import { EVENT, NEW_EVENT } from "./events.ts";
import { LIMIT_RANGE } from "./limit_range.ts";
import { NAMESPACE } from "./namespace.ts";
import { NODE } from "./node.ts";
import { BINDING, POD_TEMPLATE, SERVICE_ACCOUNT } from "./others.ts";
import { PERSISTENT_VOLUME } from "./persistent_volume.ts";
import { PERSISTENT_VOLUME_CLAIM } from "./persistent_volume_claim.ts";
import { POD } from "./pod.ts";
import { REPLICATION_CONTROLLER } from "./replication_controller.ts";
import { RESOURCE_QUOTA } from "./resource_quota.ts";
import { SECRET } from "./secret.ts";
import { SERVICE } from "./service.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. Events of the newer group are the same stored objects. */
export const RULES: RulesTable = {
  bindings: BINDING,
  configmaps: CONFIG_MAP,
  endpoints: ENDPOINTS,
  events: EVENT,
  "events.events.k8s.io": NEW_EVENT,
  limitranges: LIMIT_RANGE,
  namespaces: NAMESPACE,
  nodes: NODE,
  persistentvolumeclaims: PERSISTENT_VOLUME_CLAIM,
  persistentvolumes: PERSISTENT_VOLUME,
  pods: POD,
  podtemplates: POD_TEMPLATE,
  replicationcontrollers: REPLICATION_CONTROLLER,
  resourcequotas: RESOURCE_QUOTA,
  secrets: SECRET,
  serviceaccounts: SERVICE_ACCOUNT,
  services: SERVICE,
};
