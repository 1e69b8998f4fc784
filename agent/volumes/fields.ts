/** What a pod says of itself: fields of its object, and resources of its containers (the downward API). */
import type { Container, Pod, ResourceFieldSelector } from "../../schema/api/core_v1.ts";
import { qualifiedName } from "../../schema/values/names.ts";
import { parseQuantity, type Quantity, ZERO_QUANTITY } from "../../schema/values/quantity.ts";
import { mapLines } from "./text.ts";

/** Quantities by resource. */
export type ResourceList = Readonly<Record<string, string>>;

type Read = (pod: Pod) => string;
const FIELDS: Readonly<Record<string, Read>> = {
  "metadata.annotations": (pod) => mapLines(pod.metadata?.annotations),
  "metadata.labels": (pod) => mapLines(pod.metadata?.labels),
  "metadata.name": (pod) => pod.metadata?.name ?? "",
  "metadata.namespace": (pod) => pod.metadata?.namespace ?? "",
  "metadata.uid": (pod) => pod.metadata?.uid ?? "",
};
const ENTRIES: Readonly<Record<string, (pod: Pod) => Readonly<Record<string, string>> | undefined>> = {
  "metadata.annotations": (pod) => pod.metadata?.annotations,
  "metadata.labels": (pod) => pod.metadata?.labels,
};

/** `metadata.name`, `metadata.labels['app']` and so on. @throws Error: there is no such field */
export function podField(pod: Pod, path: string): string {
  const entry = /^(.+?)\['(.*)'\]$/s.exec(path);
  if (!entry) {
    const read = Object.hasOwn(FIELDS, path) ? FIELDS[path] : undefined;
    if (!read) throw new Error(`unsupported fieldPath: ${path}`);
    return read(pod);
  }
  const [, map, key] = entry;
  const read = Object.hasOwn(ENTRIES, map!) ? ENTRIES[map!] : undefined;
  if (!read) throw new Error(`fieldPath ${JSON.stringify(path)} does not support subscript`);
  const faults = qualifiedName(map === "metadata.annotations" ? key!.toLowerCase() : key!);
  if (faults.length) throw new Error(`invalid key subscript in ${path}: ${faults.join(";")}`);
  const entries = read(pod) ?? {};
  return Object.hasOwn(entries, key!) ? entries[key!]! : "";
}

/** Resources whose limit is the node's where a container has none. */
const DEFAULTED = ["cpu", "memory", "ephemeral-storage"];
const RESOURCES = /^(limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-.+)$/;

function quantityOf(list: ResourceList | undefined, name: string): Quantity | undefined {
  const text = list && Object.hasOwn(list, name) ? list[name] : undefined;
  return text === undefined ? undefined : parseQuantity(text);
}

function ceilDivide(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}

/**
 * A container's limit or request in units of the divisor, rounded up.
 * @param defaults limits of a container that has none @throws Error: there is no such resource
 */
export function resourceField(
  { resource, divisor }: ResourceFieldSelector,
  container: Pick<Container, "resources">,
  defaults: ResourceList,
): string {
  const [, kind, name] = RESOURCES.exec(resource) ?? [];
  if (!kind || !name) throw new Error(`unsupported container resource : ${resource}`);
  let value = quantityOf(container.resources?.[kind as "limits" | "requests"], name) ?? ZERO_QUANTITY;
  if (kind === "limits" && value.isZero() && DEFAULTED.includes(name)) value = quantityOf(defaults, name) ?? value;
  const given = parseQuantity(divisor ?? "0");
  const unit = given.isZero() ? parseQuantity("1") : given;
  return String(
    name === "cpu" ? ceilDivide(value.milliValue(), unit.milliValue()) : ceilDivide(value.value(), unit.value()),
  );
}

/** A container or init container of a pod. @throws Error: there is none of that name */
export function containerOf(pod: Pod, name: string | undefined): Container {
  const all = [...pod.spec?.containers ?? [], ...pod.spec?.initContainers ?? []];
  const found = all.find((c) => c.name === name);
  if (!found) throw new Error(`container ${name ?? ""} not found`);
  return found;
}
