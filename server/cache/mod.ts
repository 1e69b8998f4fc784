/** The watch cache: bytes of all objects, their recent history, snapshots of the past, and watches. */
export { Cacher, type CacherOptions } from "./cacher.ts";
export { SeveralCachers } from "./several.ts";
export type { CachedResource, ResourceCache } from "./resource_cache.ts";
export {
  CacheNotReady,
  type Entry,
  type EntryCodec,
  type Facts,
  type FieldMatch,
  type Form,
  type Framing,
  type Obj,
  type Snapshot,
  type WatchBatch,
  WatchEnded,
  type Watcher,
  type WatchEvent,
  type WatchOptions,
  type WriteNote,
} from "./types.ts";
