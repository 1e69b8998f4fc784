/** Pods of the node as others on the host follow them: what there is, then what changes. */
import { encodeMessage } from "../../schema/codec/protobuf.ts";
import type { Pod, PodStatus } from "../../schema/api/core_v1.ts";
import { builtInMessage } from "../../schema/messages.ts";
import type { JsonMap } from "../../schema/model/types.ts";
import { sameBytes } from "../../schema/values/bytes.ts";
import type { StatusSink } from "../types.ts";
import { refOf } from "./names.ts";

/** What became of a pod: Protobuf, of one that is gone its names alone. */
export interface PodChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly pod: Uint8Array;
}

/** Follows the pods, until it is closed. */
export interface PodFollower {
  /** Of the pods that there were at its start, by uid. */
  readonly initial: readonly Uint8Array[];
  /** Changes since the last call, at least one; undefined: it was closed. @throws Error when more came than are kept */
  next(): Promise<readonly PodChange[] | undefined>;
  close(): void;
}

/** Changes that are kept for a follower. */
const MOST = 100;

interface Known {
  readonly metadata: Pod["metadata"];
  readonly spec: Pod["spec"];
  readonly status: Pod["status"];
  readonly bytes: Uint8Array;
}

/** See the top of the file. Pods are looked at while there is a follower. */
export class PodChanges {
  readonly #followers = new Set<Following>();
  #known = new Map<string, Known>();
  #isDue = false;

  /** @param pods as they are now */
  constructor(readonly pods: () => readonly Pod[]) {}

  /** Something may have changed. */
  look(): void {
    if (this.#isDue || this.#followers.size === 0) return;
    this.#isDue = true;
    queueMicrotask(() => {
      this.#isDue = false;
      this.#look();
    });
  }

  /** The same, told with each status. */
  with(sink: StatusSink): StatusSink {
    return {
      set: (pod: Pod, status: PodStatus) => {
        sink.set(pod, status);
        this.look();
      },
      ended: (pod) => sink.ended(pod),
    };
  }

  /** Pods as Protobuf, by uid. */
  list(): readonly Uint8Array[] {
    this.#look();
    return [...this.#known].sort(([a], [b]) => a < b ? -1 : 1).map(([, { bytes }]) => bytes);
  }

  /** Of a uid; undefined: there is none. */
  get(uid: string): Uint8Array | undefined {
    this.#look();
    return this.#known.get(uid)?.bytes;
  }

  follow(): PodFollower {
    const following = new Following(this.list(), () => this.#followers.delete(following));
    this.#followers.add(following);
    return following;
  }

  #look(): void {
    const now = new Map<string, Known>(), changes: PodChange[] = [];
    for (const pod of this.pods()) {
      const { uid } = refOf(pod), { metadata, spec, status } = pod, before = this.#known.get(uid);
      if (before && before.metadata === metadata && before.spec === spec && before.status === status) {
        now.set(uid, before);
        continue;
      }
      const bytes = bytesOf({ ...pod, status: { ...status, phase: status?.phase || "Pending" } });
      const known = { metadata, spec, status, bytes };
      now.set(uid, known);
      if (!before) changes.push({ type: "ADDED", pod: bytes });
      else if (!sameBytes(before.bytes, bytes)) changes.push({ type: "MODIFIED", pod: bytes });
    }
    for (const [uid, { metadata }] of this.#known) {
      if (now.has(uid)) continue;
      const { name, namespace } = refOf({ metadata } as Pod);
      changes.push({ type: "DELETED", pod: bytesOf({ metadata: { name, namespace, uid } }) });
    }
    this.#known = now;
    if (changes.length > 0) { for (const follower of this.#followers) follower.take(changes); }
  }
}

class Following implements PodFollower {
  #changes: PodChange[] = [];
  #wake = () => {};
  #isLost = false;
  #isClosed = false;

  constructor(readonly initial: readonly Uint8Array[], readonly closed: () => void) {}

  take(changes: readonly PodChange[]): void {
    this.#changes.push(...changes);
    if (this.#changes.length > MOST) {
      this.#isLost = true;
      this.#changes = [];
    }
    this.#wake();
  }

  async next(): Promise<readonly PodChange[] | undefined> {
    while (!this.#isClosed && !this.#isLost && this.#changes.length === 0) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    if (this.#isClosed) return undefined;
    if (this.#isLost) throw new Error("more changes came than are kept");
    return this.#changes.splice(0);
  }

  close(): void {
    this.#isClosed = true;
    this.closed();
    this.#wake();
  }
}

const MESSAGE = builtInMessage("core.v1.Pod")!;
const bytesOf = (pod: Pod): Uint8Array => encodeMessage(MESSAGE, pod as JsonMap);
