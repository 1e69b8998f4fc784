/** Objects as garbage collection sees and changes them, wherever they are kept; here, those of this server's own store. */
import type { Obj, ObjectMeta } from "../../../schema/model/types.ts";
import { isNotFound } from "../../../schema/status.ts";
import type { Caller } from "../../registry/context.ts";
import type { Store } from "../../registry/store.ts";
import type { DeleteOptions } from "../../registry/strategy.ts";
import { AS_CONTROLLER, deleteAs } from "../caller.ts";
import type { ControllerContext } from "../types.ts";
import type { Place } from "./owner_graph.ts";

/** An object as it is now. */
export interface Found {
  readonly metadata: ObjectMeta;
  readonly version: string;
}

/** What is put in the place of these members; an empty list takes one away. */
export type OwnerEdit = Pick<ObjectMeta, "ownerReferences" | "finalizers">;

/** All objects of one resource. */
export interface CollectedObjects {
  /** What places name it by. */
  readonly resourceId: string;
  readonly namespaced: boolean;
  /** What has the name, whichever object that is. @throws Error where nobody can tell */
  find(namespace: string, name: string): Promise<Found | undefined>;
  /** The object of the uid, as certainly as can be told; undefined: there is none any more. @throws Error where nobody can tell */
  certain(namespace: string, name: string, uid: string): Promise<Found | undefined>;
  /** Asks for the deletion; what is gone already is fine. @throws StatusError */
  remove(place: Place, options: DeleteOptions): Promise<void>;
  /** Changes the object of the uid, if it is still there and `change` has something to say. @throws StatusError */
  edit(place: Place, change: (metadata: ObjectMeta) => OwnerEdit | undefined): Promise<void>;
}

/** Objects of a store of this server. */
export class StoredObjects implements CollectedObjects {
  constructor(readonly ctx: ControllerContext, readonly store: Store, readonly caller: Caller) {}

  get resourceId(): string {
    return this.store.resource.id;
  }

  get namespaced(): boolean {
    return this.store.resource.namespaced;
  }

  find(namespace: string, name: string): Promise<Found | undefined> {
    const entry = this.store.cache.get(namespace, name);
    return Promise.resolve(entry && { metadata: entry.peek().metadata, version: String(entry.revision) });
  }

  async certain(namespace: string, name: string, uid: string): Promise<Found | undefined> {
    if (this.store.cache.get(namespace, name)?.uid !== uid) await this.store.fresh(this.caller.signal);
    const found = await this.find(namespace, name);
    return found?.metadata.uid === uid ? found : undefined;
  }

  async remove({ namespace, name }: Place, options: DeleteOptions): Promise<void> {
    await deleteAs(this.ctx, this.caller, this.store, namespace, name, options);
  }

  async edit({ resourceId, uid, namespace, name }: Place, change: (m: ObjectMeta) => OwnerEdit | undefined) {
    const next = (obj: Obj): Obj | undefined => {
      const edit = obj.metadata.uid === uid ? change(obj.metadata) : undefined;
      return edit && { ...obj, metadata: withoutEmpty({ ...obj.metadata, ...edit }) };
    };
    try {
      await this.ctx.registries.live.update(resourceId, namespace, name, next, AS_CONTROLLER);
    } catch (e) {
      if (!isNotFound(e)) throw e;
    }
  }
}

function withoutEmpty(metadata: ObjectMeta): ObjectMeta {
  const { ownerReferences, finalizers, ...rest } = metadata;
  return {
    ...rest,
    ...(ownerReferences?.length ? { ownerReferences } : {}),
    ...(finalizers?.length ? { finalizers } : {}),
  };
}
