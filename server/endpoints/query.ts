/** Options of requests, read from the query (specification, "Query parameters"). */
import { managerRule } from "../../schema/rules/checks/manager.ts";
import { ErrorList } from "../../schema/rules/errors.ts";
import { badRequest, invalid } from "../../schema/status.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import type { Product } from "../../schema/product.ts";
import { queryFlag } from "../filters/request_info.ts";

/** Options of create, update and patch. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  readonly fieldValidation: "Ignore" | "Warn" | "Strict";
  /** Of apply only. */
  readonly force: boolean | undefined;
  /** What admission sees of them, without their type. */
  readonly object: JsonMap;
}

/** Options of list and watch, as given; selectors are parsed by the endpoint. */
export interface ListOptions {
  readonly labelSelector: string;
  readonly fieldSelector: string;
  readonly watch: boolean;
  readonly allowWatchBookmarks: boolean;
  readonly resourceVersion: string;
  readonly resourceVersionMatch: string;
  readonly timeoutSeconds: number | undefined;
  readonly limit: number;
  readonly continue: string;
  readonly sendInitialEvents: boolean | undefined;
  readonly shardSelector: string;
}

const FIELD_VALIDATION = new Set(["", "Ignore", "Warn", "Strict"]);

/**
 * Reads the options of a write.
 * @throws StatusError 422 for values that are none
 */
export function writeOptions(
  query: URLSearchParams,
  kind: "CreateOptions" | "UpdateOptions" | "PatchOptions",
  product: Product,
  apply = false,
): WriteOptions {
  const fieldManager = query.get("fieldManager") ?? "";
  const fieldValidation = query.get("fieldValidation") ?? "";
  const force = kind === "PatchOptions" && query.has("force") ? queryFlag(query, "force") : undefined;
  const errors = new ErrorList();
  if (kind === "PatchOptions") checkPatch(errors, fieldManager, force, apply);
  managerRule(fieldManager, "fieldManager", errors);
  const dryRun = checkDryRun(errors, query.getAll("dryRun"));
  if (!FIELD_VALIDATION.has(fieldValidation)) {
    errors.notSupported("fieldValidation", fieldValidation, ["", "Ignore", "Strict", "Warn"]);
  }
  if (!errors.empty) throw invalid(product.local("meta.k8s.io"), kind, "", errors.causes);
  const object: JsonMap = {};
  if (dryRun) object["dryRun"] = ["All"];
  if (fieldManager) object["fieldManager"] = fieldManager;
  if (fieldValidation) object["fieldValidation"] = fieldValidation;
  return {
    dryRun,
    fieldManager,
    fieldValidation: (fieldValidation || "Warn") as WriteOptions["fieldValidation"],
    force,
    object,
  };
}

function checkPatch(errors: ErrorList, manager: string, force: boolean | undefined, apply: boolean): void {
  if (apply && manager === "") errors.required("fieldManager", "is required for apply patch");
  if (!apply && force !== undefined) errors.forbidden("force", "may not be specified for non-apply patch");
}

/**
 * `All`, and a parameter without a value, ask for a dry run (specification, "Query parameters": `dryRun`); absence does not.
 * Who writes the bare flag must not find the object stored.
 */
export function checkDryRun(errors: ErrorList, values: readonly string[]): boolean {
  const other = values.filter((v) => v !== "" && v !== "All");
  if (other.length > 0) errors.notSupported("dryRun", values, ["All"]);
  return values.length > 0;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** A 64-bit integer of the query; absent: undefined. @throws StatusError 400 for what is none */
export function integer(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing "${text}": invalid syntax`);
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  const exact = BigInt(text.replace("+", ""));
  if (exact > MAX_INT64 || exact < -MAX_INT64 - 1n) {
    throw badRequest(`strconv.ParseInt: parsing "${text}": value out of range`);
  }
  return value;
}

/** @throws StatusError 400 for a parameter that cannot be read */
export function listOptions(query: URLSearchParams): ListOptions {
  return {
    labelSelector: query.get("labelSelector") ?? "",
    fieldSelector: query.get("fieldSelector") ?? "",
    watch: queryFlag(query, "watch"),
    allowWatchBookmarks: queryFlag(query, "allowWatchBookmarks"),
    resourceVersion: query.get("resourceVersion") ?? "",
    resourceVersionMatch: query.get("resourceVersionMatch") ?? "",
    timeoutSeconds: integer(query, "timeoutSeconds"),
    limit: integer(query, "limit") ?? 0,
    continue: query.get("continue") ?? "",
    sendInitialEvents: query.has("sendInitialEvents") ? queryFlag(query, "sendInitialEvents") : undefined,
    shardSelector: query.get("shardSelector") ?? "",
  };
}
