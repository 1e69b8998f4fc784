/** Stories of writes on one widget: each step a write by a manager, then the object and who owns what. */
import assert from "node:assert/strict";
import { pathText } from "../../schema/merge/fieldpath.ts";
import { ApplyConflict, applyManaged, type ManagedKind, updateManaged } from "../../schema/merge/managed.ts";
import { decodeOwners } from "../../schema/merge/owners.ts";
import type { Json, JsonMap } from "../../schema/model/types.ts";
import { StatusError } from "../../schema/status.ts";
import { KIND } from "./_widget.ts";

/** One write. `spec` is what is applied, or what the spec is to be. */
export interface Step {
  readonly apply?: string;
  readonly update?: string;
  readonly spec: JsonMap | null;
  readonly force?: boolean;
  /** Fields `manager: path` that the apply must be refused for; the story goes on. */
  readonly conflicts?: readonly string[];
  /** Code of the refusal. */
  readonly refused?: number;
  /** Managed fields that the update sends. */
  readonly sent?: Json;
  readonly kind?: ManagedKind;
}

/** What the story ends with. Owners by `manager` (applied) or `manager!` (updated), fields of the spec. */
export interface End {
  readonly spec?: JsonMap | null;
  readonly owners?: Readonly<Record<string, readonly string[]>>;
}

/** The time of the n-th step. */
export const timeOf = (n: number): string => `2026-01-01T00:00:${String(n).padStart(2, "0")}Z`;

/** Plays steps on an object that does not exist yet; returns the object after the last one. */
export function play(steps: readonly Step[], kind: ManagedKind = KIND): JsonMap | undefined {
  let live: JsonMap | undefined;
  steps.forEach((step, i) => live = write(step.kind ?? kind, live, step, timeOf(i)));
  return live;
}

function write(kind: ManagedKind, live: JsonMap | undefined, step: Step, time: string): JsonMap | undefined {
  const before = JSON.stringify(live);
  const spec = step.spec === null ? {} : { spec: step.spec };
  const object: JsonMap = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name: "w" }, ...spec };
  try {
    if (step.update !== undefined) {
      const managed = step.sent === undefined ? managedOf(live) : { managedFields: step.sent };
      const next = { ...object, metadata: { name: "w", ...(live ? { uid: "u" } : {}), ...managed } };
      return stored(updateManaged(kind, { live, object: next, manager: step.update, time }));
    }
    const result = applyManaged(kind, { live, applied: object, manager: step.apply!, force: !!step.force, time });
    assert.ok(!step.conflicts && !step.refused, `step ${JSON.stringify(step)} must be refused`);
    return stored(result.object);
  } catch (e) {
    checkRefusal(step, e);
    return live;
  } finally {
    assert.equal(JSON.stringify(live), before, "the stored object is not changed");
  }
}

function managedOf(live: JsonMap | undefined): JsonMap {
  const managedFields = (live?.metadata as JsonMap | undefined)?.managedFields;
  return managedFields === undefined ? {} : { managedFields };
}

function checkRefusal(step: Step, e: unknown): void {
  if (step.conflicts && e instanceof ApplyConflict) {
    const got = e.details!.causes!.map((c) => `${/"([^"]*)"/.exec(c.message!)![1]}: ${c.field}`);
    assert.deepEqual(got, step.conflicts);
  } else if (step.refused && e instanceof StatusError) assert.equal(e.code, step.refused);
  else throw e;
}

/** The object as it comes out of a store: with a uid, without what is empty or null, as a decoder of its kind leaves it. */
export function stored(object: JsonMap): JsonMap {
  const clean = JSON.parse(JSON.stringify(object), (_k, v) => (v === null ? undefined : v));
  return { ...clean, metadata: { ...clean.metadata, uid: "u" } };
}

/** Owners of an object's spec, as {@linkcode End} has them. */
export function ownersOf(object: JsonMap | undefined): Record<string, string[]> {
  const owners = decodeOwners((object?.metadata as JsonMap | undefined)?.managedFields);
  return Object.fromEntries(
    [...owners.values()].map((o) => [
      o.manager + (o.operation === "Update" ? "!" : "") + (o.subresource ? `/${o.subresource}` : ""),
      o.set.paths().map((p) => pathText(p).replace(/^\.spec(?=\.)/, "")).sort(),
    ]),
  );
}

/** Plays a story and compares its end. */
export function tell(steps: readonly Step[], end: End, kind?: ManagedKind): void {
  const object = play(steps, kind);
  if (end.spec !== undefined) assert.deepEqual(object?.spec ?? null, end.spec);
  if (end.owners) assert.deepEqual(ownersOf(object), end.owners);
}
