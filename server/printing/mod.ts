/** Printers of all resources, by public id; those of kinds that are no resource, by kind. */
import type { Product } from "../../schema/product.ts";
import type { Kind } from "../../schema/model/types.ts";
import type { Resource } from "../catalog/types.ts";
import { ADMISSION_REGISTRATION } from "./admissionregistration.ts";
import { APPS } from "./apps.ts";
import { AUTOSCALING, CUSTOM_SCALE_PRINTER, SCALE_PRINTER } from "./autoscaling.ts";
import { BATCH } from "./batch.ts";
import { CERTIFICATES } from "./certificates.ts";
import { core } from "./core.ts";
import { DEFAULT_PRINTER } from "./default.ts";
import { EVENTS } from "./events.ts";
import { API_REGISTRATION, FLOW_CONTROL } from "./flowcontrol.ts";
import { LIFECYCLE } from "./lifecycle.ts";
import { DISCOVERY, networking, POLICY } from "./networking.ts";
import { RBAC } from "./rbac.ts";
import { RESOURCE } from "./resource.ts";
import { COORDINATION, NODE, SCHEDULING } from "./scheduling.ts";
import { INTERNAL, storage, STORAGE_MIGRATION } from "./storage.ts";
import type { Printer, Printers } from "./types.ts";

/** Printers of all built-in resources of a product, by public id. */
export function printersOf(product: Product): Printers {
  let made = MADE.get(product);
  if (!made) MADE.set(product, made = make((name) => product.local(name)));
  return made;
}
const MADE = new WeakMap<Product, Printers>();

const make = (local: (name: string) => string): Printers => ({
  ...core(local),
  ...API_REGISTRATION,
  ...APPS,
  ...EVENTS,
  ...AUTOSCALING,
  ...BATCH,
  ...CERTIFICATES,
  ...networking(local),
  ...POLICY,
  ...RBAC,
  ...storage(local),
  ...ADMISSION_REGISTRATION,
  ...SCHEDULING,
  ...LIFECYCLE,
  ...COORDINATION,
  ...NODE,
  ...DISCOVERY,
  ...RESOURCE,
  ...FLOW_CONTROL,
  ...INTERNAL,
  ...STORAGE_MIGRATION,
});

/** How a resource is printed. */
export function printerFor(resource: Resource, product: Product): Printer {
  const all = printersOf(product);
  return Object.hasOwn(all, resource.id) ? all[resource.id]! : DEFAULT_PRINTER;
}

/** Kinds that requests answer and no resource holds. */
const OTHERS: Readonly<Record<string, Printer>> = { "autoscaling Scale": SCALE_PRINTER };

/** How a kind is printed that is no resource. `custom`: it belongs to a custom one. */
export function printerOfKind(kind: Kind, custom = false): Printer {
  if (custom) return CUSTOM_SCALE_PRINTER;
  const key = `${kind.publicGroup} ${kind.kind}`;
  return Object.hasOwn(OTHERS, key) ? OTHERS[key]! : DEFAULT_PRINTER;
}
