/** The configuration in force, as `/configz` shows it. */
import { decodeObject } from "../../schema/codec/mod.ts";
import { camel } from "../../schema/flags/names.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { SETTINGS, type SettingValues } from "../options/table.ts";
import { configKind } from "./kind.ts";
import { fileForm } from "./values.ts";

/** What is shown: the values of settings, and gates that were set. */
export interface Shown extends Omit<SettingValues, "featureGates"> {
  readonly product: Product;
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly gates: { enabled(name: string): boolean };
}

/** Settings that have no value, not even their default, with a gate off. */
const GATED: Readonly<Record<string, string>> = {
  maxContainerRestartPeriod: "KubeletCrashLoopBackOffMax",
  imagePullCredentialsVerificationPolicy: "KubeletEnsureSecretPulledImages",
};

/** The whole configuration as an object of its kind, by the names of the dialect: what the file would say to mean the same. */
export function configzOf(options: Shown): JsonMap {
  const values = options as unknown as Readonly<Record<string, unknown>>;
  const tree: JsonMap = {};
  for (const row of SETTINGS) {
    const gate = GATED[row.name];
    if (row.field === undefined || (gate && !options.gates.enabled(gate))) continue;
    const value = fileForm(row, values[camel(row.name)]);
    if (value !== undefined && !(row.type === "quantity" && value === "")) put(tree, row.field, value);
  }
  const kubernetes = options.product.dialect === "kubernetes";
  if (kubernetes) tree["enforceNodeAllocatable"] = options.enforceNodeAllocatable.map(publicEnforcement);
  return decodeObject(configKind(options.product), tree).object;
}

const publicEnforcement = (name: string): string => name.replace(/^orch-/, "kube-");

function put(tree: JsonMap, field: string, value: Json): void {
  const names = field.split("."), last = names.pop()!;
  let owner = tree;
  for (const name of names) owner = (owner[name] ??= {}) as JsonMap;
  owner[last] = value;
}
