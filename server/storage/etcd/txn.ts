/** Commits as transactions on `mod_revision`. */
import { sameBytes } from "../../../schema/values/bytes.ts";
import { type Change, type CommitResult, type Revision, StorageError, type Stored } from "../backend.ts";
import type { Cluster } from "./cluster.ts";
import { judge, storageError } from "./errors.ts";
import type { Keys } from "./keys.ts";
import type { Leases } from "./leases.ts";
import { type Compare, type KeyValue, type RequestOp, RPC, type TxnResponse } from "./messages.ts";

const NONE = new Uint8Array(0);

/** What a transaction came to; `changed` is false when it made no change (only absent keys were deleted). */
export interface TxnOutcome {
  readonly result: CommitResult;
  readonly revision: Revision;
  readonly changed: boolean;
}

/** Whether an earlier try of a commit may have been carried out. */
interface Doubt {
  raised: boolean;
}

/** Runs commits. */
export class Transactions {
  constructor(readonly cluster: Cluster, readonly keys: Keys, readonly leases: Leases) {}

  /** One commit. @throws StorageError */
  async run(changes: readonly Change[]): Promise<TxnOutcome> {
    const doubt: Doubt = { raised: false };
    for (let again = true;; again = false) {
      let leases: readonly (bigint | undefined)[] = [];
      try {
        leases = await this.#leases(changes);
        return await this.#once(changes, leases, doubt);
      } catch (error) {
        const { kind } = judge(error);
        const made = kind === "full" ? await this.#made(changes).catch(() => undefined) : undefined;
        if (made) return made;
        if (kind !== "no lease" || !again) {
          throw doubt.raised ? unknown(error) : storageError(error, "commit");
        }
        for (const lease of leases) if (lease) this.leases.forget(lease);
      }
    }
  }

  async #leases(changes: readonly Change[]): Promise<readonly (bigint | undefined)[]> {
    if (changes.every(({ expiresAt }) => expiresAt === undefined)) return [];
    return await Promise.all(
      changes.map(({ value, expiresAt }) => value && expiresAt !== undefined ? this.leases.for(expiresAt) : undefined),
    );
  }

  async #once(
    changes: readonly Change[],
    leases: readonly (bigint | undefined)[],
    doubt: Doubt,
  ): Promise<TxnOutcome> {
    const keys = changes.map(({ key }) => this.keys.object(key));
    const expected = changes.flatMap(({ expect }, index) =>
      expect === undefined ? [] : [{ index, expect, key: keys[index]! }]
    );
    const response = await this.cluster.call(RPC.txn, {
      compare: expected.map(({ key, expect }): Compare => ({ result: 0, target: 2, key, modRevision: expect })),
      success: changes.map(({ value }, i) => operation(keys[i]!, value, leases[i])),
      failure: expected.map(({ key }) => ({ range: { key } })),
    }, {
      doing: "commit",
      // Of two tries only one can find what it expects, because its own change takes that away.
      repeatable: expected.length > 0,
      doubtful: () => doubt.raised = true,
    });
    if (response.succeeded) return made(changes, response);
    const found = response.responses.map((r) => r.range?.kvs[0]);
    const refused = expected.findIndex(({ expect }, i) => (found[i]?.modRevision ?? 0) !== expect);
    if (doubt.raised) return this.#wasItUs(changes, expected, found);
    const { index } = expected[refused]!;
    return {
      result: { ok: false, index, current: stored(changes[index]!.key, found[refused]) },
      revision: response.header.revision,
      changed: false,
    };
  }

  /** etcd makes the write that takes the last of its space, and refuses it all the same: it is made if all of it stands. */
  async #made(changes: readonly Change[]): Promise<TxnOutcome | undefined> {
    const options = { doing: "commit", repeatable: true };
    const found = await Promise.all(
      changes.map(async ({ key }) =>
        (await this.cluster.call(RPC.range, { key: this.keys.object(key) }, options)).kvs[0]
      ),
    );
    const revision = found.find((kv) => kv)?.modRevision;
    const ours = changes.every(({ value, expect }, i) => {
      if (value === null) return !found[i];
      const kv = found[i];
      return kv && kv.modRevision === revision && kv.modRevision !== expect && sameBytes(value, kv.value ?? NONE);
    });
    if (!ours || revision === undefined) return undefined;
    return { result: { ok: true, revisions: changes.map(() => revision) }, revision, changed: true };
  }

  /** An earlier try may have been carried out: it was if all that it wrote stands, under one revision. */
  #wasItUs(
    changes: readonly Change[],
    expected: readonly { readonly index: number }[],
    found: readonly (KeyValue | undefined)[],
  ): TxnOutcome {
    const revision = found.find((kv) => kv)?.modRevision;
    const ours = expected.every(({ index }, i) => {
      const { value } = changes[index]!;
      return value !== null && found[i]?.modRevision === revision && sameBytes(value, found[i]!.value ?? NONE);
    });
    if (!ours || revision === undefined) throw unknown();
    return { result: { ok: true, revisions: changes.map(() => revision) }, revision, changed: true };
  }
}

const unknown = (cause?: unknown): StorageError =>
  new StorageError("unknown", "commit: etcd may or may not have done it", { cause });

function operation(key: Uint8Array, value: Uint8Array | null, lease: bigint | undefined): RequestOp {
  if (value === null) return { delete: { key } };
  return { put: { key, value, ...lease !== undefined && { lease } } };
}

function made(changes: readonly Change[], { header, responses }: TxnResponse): TxnOutcome {
  const changed = changes.some(({ value }, i) => value !== null || (responses[i]?.delete?.deleted ?? 0) > 0);
  return {
    result: { ok: true, revisions: changes.map(() => header.revision) },
    revision: header.revision,
    changed,
  };
}

/** A key of etcd as the store gives it. The value is a copy: it lies in the bytes of the whole answer otherwise. */
export function stored(key: string, kv: KeyValue | undefined): Stored | undefined {
  return kv && { key, value: kv.value?.slice() ?? NONE, revision: kv.modRevision };
}
