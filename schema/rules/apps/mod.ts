/** Rules of the apps group. */
import type { RulesTable } from "../tables.ts";
import { CONTROLLER_REVISION } from "./controller_revision.ts";
import { DAEMON_SET } from "./daemon_set.ts";
import { DEPLOYMENT, REPLICA_SET } from "./deployment.ts";
import { STATEFUL_SET } from "./stateful_set.ts";
export { DEFAULTS } from "./defaults.ts";

/** Rules by resource id. */
export const RULES: RulesTable = {
  "controllerrevisions.apps": CONTROLLER_REVISION,
  "daemonsets.apps": DAEMON_SET,
  "deployments.apps": DEPLOYMENT,
  "replicasets.apps": REPLICA_SET,
  "statefulsets.apps": STATEFUL_SET,
};
