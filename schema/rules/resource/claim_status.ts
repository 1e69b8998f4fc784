/** Rules of what was allocated to a claim. */
import type { Obj } from "../../model/types.ts";
import { format } from "../checks/basic.ts";
import { conditions } from "../checks/conditions.ts";
import { uuid } from "../checks/formats.ts";
import { nodeSelector } from "../checks/selectors.ts";
import type { ErrorList } from "../errors.ts";
import { Path } from "../path.ts";
import { count, isSet, items, same, type Tree } from "../tree.ts";
import type { RuleContext } from "../types.ts";
import { interfaceAddressErrors } from "../../values/ip.ts";
import { givenAccess } from "./admin_access.ts";
import { type RequestNames, requestNames, requestReference, requestReferences } from "./claim_spec.ts";
import {
  bindingConditions,
  deviceToleration,
  driverName,
  opaqueConfig,
  parameters,
  poolName,
  shortName,
  skippedOperations,
} from "./names.ts";

const STATUS = Path.of("status");
const MAX_RESULTS = 32, MAX_CONFIG = 64, MAX_CONDITIONS = 8, DATA_LIMIT = 10 * 1024, MAX_ADDRESSES = 16;

const deviceId = (d: Tree): string => `${d["driver"] ?? ""}/${d["pool"] ?? ""}/${d["device"] ?? ""}`;
/** A share of a device is known by its own id too. */
const sharedId = (d: Tree): string => d["shareID"] ? `${deviceId(d)}/${d["shareID"]}` : deviceId(d);
const resultsOf = (status: Tree | undefined): readonly Tree[] => items(status?.["allocation"]?.devices?.results);

/** Drops what was told of devices that are not allocated any more, in place. */
export function dropDeallocated(status: Tree | undefined, old: Tree | undefined): void {
  if (!status?.["devices"]) return;
  const gone = new Set(resultsOf(old).map(sharedId));
  for (const r of resultsOf(status)) gone.delete(sharedId(r));
  status["devices"] = items<Tree>(status["devices"]).filter((d) => !gone.has(sharedId(d)));
  if (!status["devices"].length) delete status["devices"];
}

function result(r: Tree, path: Path, errors: ErrorList, known: RequestNames): void {
  requestReference(r["request"] ?? "", path.child("request"), errors, known);
  driverName(r["driver"] ?? "", path.child("driver"), errors);
  poolName(r["pool"], path.child("pool"), errors);
  shortName(r["device"], path.child("device"), errors);
  bindingConditions(r, path, errors);
  for (const [i, t] of items(r["tolerations"]).entries()) {
    deviceToleration(t, path.child("tolerations").index(i), errors);
  }
  if (isSet(r["shareID"])) format(r["shareID"], path.child("shareID"), errors, uuid);
  skippedOperations(r["skipNodeOperations"], path.child("skipNodeOperations"), errors);
}

function allocation(a: Tree, path: Path, errors: ErrorList, known: RequestNames): void {
  const results = items(a["devices"]?.results), config = items(a["devices"]?.config), at = path.child("devices");
  if (results.length <= MAX_RESULTS) {
    for (const [i, r] of results.entries()) result(r, at.child("results").index(i), errors, known);
  }
  for (const [i, c] of config.length <= MAX_CONFIG ? config.entries() : []) {
    const place = at.child("config").index(i);
    requestReferences(c["requests"], place.child("requests"), errors, known);
    opaqueConfig(c, place, errors, false);
  }
  if (a["nodeSelector"]) nodeSelector(a["nodeSelector"], path.child("nodeSelector"), errors);
}

function deviceStatus(d: Tree, path: Path, errors: ErrorList, allocated: ReadonlySet<string>): void {
  driverName(d["driver"] ?? "", path.child("driver"), errors);
  poolName(d["pool"], path.child("pool"), errors);
  shortName(d["device"], path.child("device"), errors);
  if (isSet(d["shareID"])) format(d["shareID"], path.child("shareID"), errors, uuid);
  if (!allocated.has(sharedId(d))) errors.invalid(path, sharedId(d), "must be a device allocated to the claim");
  if (count(d["conditions"]) > MAX_CONDITIONS) {
    errors.tooMany(path.child("conditions"), count(d["conditions"]), MAX_CONDITIONS);
  }
  conditions(d["conditions"], path.child("conditions"), errors);
  if (isSet(d["data"])) parameters(d["data"], path.child("data"), errors, DATA_LIMIT, false);
  const addresses = items<string>(d["networkData"]?.ips);
  if (addresses.length > MAX_ADDRESSES) return;
  for (const [i, a] of addresses.entries()) {
    for (const f of interfaceAddressErrors(a)) errors.invalid(path.child("networkData", "ips").index(i), a, f);
  }
}

/** Checks a write of a claim's status. */
export function claimStatusUpdate(obj: Obj, old: Obj, errors: ErrorList, ctx: RuleContext): void {
  const now: Tree = obj["status"] ?? {}, was: Tree = old["status"] ?? {};
  givenAccess(now, was, obj.metadata.namespace ?? "", errors, ctx);
  const users = items(now["reservedFor"]), at = STATUS.child("reservedFor");
  for (const [i, u] of users.entries()) {
    for (const m of ["resource", "name", "uid"]) if (!u[m]) errors.required(at.index(i).child(m));
  }
  const allocated = new Set(resultsOf(now).map(sharedId));
  for (const [i, d] of items(now["devices"]).entries()) {
    deviceStatus(d, STATUS.child("devices").index(i), errors, allocated);
  }
  if (users.length && !now["allocation"]) errors.forbidden(at, "must not be set while nothing is allocated");
  else if (obj.metadata.deletionTimestamp) {
    const before = items(was["reservedFor"]);
    if (users.some((u) => !before.some((b) => same(u, b)))) {
      errors.forbidden(at, "must not get new entries while the claim is being deleted");
    }
  }
  if (now["allocation"] && !was["allocation"]) {
    allocation(now["allocation"], STATUS.child("allocation"), errors, requestNames(obj["spec"]?.devices));
  } else if (now["allocation"] && !same(now["allocation"], was["allocation"])) {
    errors.invalid(STATUS.child("allocation"), now["allocation"], "field is immutable");
  }
}
