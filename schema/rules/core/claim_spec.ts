/** Rules of a claim's spec, also in templates of claims. */
import { format } from "../checks/basic.ts";
import { dnsLabel, dnsSubdomain } from "../checks/formats.ts";
import { positiveAmount, resourceAmount } from "../checks/resources.ts";
import { labelSelector } from "../checks/selectors.ts";
import type { ErrorList } from "../errors.ts";
import type { Path } from "../path.ts";
import { isSet, items, same, type Tree } from "../tree.ts";
import { parseQuantity } from "../../values/quantity.ts";
import type { ValidateContext } from "../types.ts";

const ACCESS_MODES = ["ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"];
/** How a volume is shown to a container. */
export const VOLUME_MODES: readonly string[] = ["Block", "Filesystem"];

/** Access modes of a claim or volume. */
export function accessModes(list: readonly string[] | undefined, path: Path, errors: ErrorList): void {
  const modes = items<string>(list);
  if (!modes.length) errors.required(path, "at least one access mode is required");
  for (const m of modes) if (!ACCESS_MODES.includes(m)) errors.notSupported(path, m, ACCESS_MODES);
  if (modes.includes("ReadWriteOncePod") && modes.some((m) => m !== "ReadWriteOncePod" && ACCESS_MODES.includes(m))) {
    errors.forbidden(path, "ReadWriteOncePod must not be used with other access modes");
  }
}

/** What an update is forgiven. */
export interface ClaimOptions {
  readonly allowInvalidSelector?: boolean;
  readonly allowInvalidGroups?: boolean;
}

/** The spec of a claim. */
export function claimSpec(s: Tree, path: Path, errors: ErrorList, ctx: ValidateContext, o: ClaimOptions = {}): void {
  accessModes(s["accessModes"], path.child("accessModes"), errors);
  labelSelector(s["selector"], path.child("selector"), errors, { allowInvalidValues: o.allowInvalidSelector ?? false });
  storageRequest(s["resources"]?.requests?.storage, path.child("resources").key("storage"), errors, ctx);
  if (s["storageClassName"]) format(s["storageClassName"], path.child("storageClassName"), errors, dnsSubdomain);
  if (isSet(s["volumeMode"]) && !VOLUME_MODES.includes(s["volumeMode"])) {
    errors.notSupported(path.child("volumeMode"), s["volumeMode"], VOLUME_MODES);
  }
  const { dataSource, dataSourceRef } = s;
  if (dataSource) source(dataSource, path.child("dataSource"), errors, o);
  if (dataSourceRef) {
    source(dataSourceRef, path.child("dataSourceRef"), errors, o);
    if (dataSourceRef.namespace) {
      format(dataSourceRef.namespace, path.child("dataSourceRef", "namespace"), errors, dnsLabel);
    }
  }
  if (dataSourceRef?.namespace) {
    if (dataSource) errors.invalid(path, "dataSource", "must not be specified when dataSourceRef.namespace is");
  } else if (dataSource && dataSourceRef && !sameSource(dataSource, dataSourceRef)) {
    errors.invalid(path, "dataSource", "must match dataSourceRef");
  }
  if (s["volumeAttributesClassName"]) {
    format(s["volumeAttributesClassName"], path.child("volumeAttributesClassName"), errors, dnsSubdomain);
  }
}

const sameSource = (a: Tree, b: Tree) =>
  same(a["apiGroup"], b["apiGroup"]) && a["kind"] === b["kind"] && a["name"] === b["name"];

function storageRequest(amount: string | undefined, path: Path, errors: ErrorList, ctx: ValidateContext): void {
  if (amount === undefined) errors.required(path);
  else if (parseQuantity(amount).sign() <= 0) positiveAmount(amount, path, errors);
  else resourceAmount("storage", amount, path, errors, ctx);
}

function source(ref: Tree, path: Path, errors: ErrorList, o: ClaimOptions): void {
  if (!ref["name"]) errors.required(path.child("name"));
  if (!ref["kind"]) errors.required(path.child("kind"));
  if (!ref["apiGroup"]) {
    if (ref["kind"] !== "PersistentVolumeClaim") {
      errors.invalid(path, ref["kind"] ?? "", "must be 'PersistentVolumeClaim' in the default group");
    }
  } else if (!o.allowInvalidGroups) format(ref["apiGroup"], path.child("apiGroup"), errors, dnsSubdomain);
}
