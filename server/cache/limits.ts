/** Bounds of the cache, each with its default. */
export interface CacheLimits {
  /** History younger than this is kept if `hardCount` and `hardBytes` allow (ms). Public servers promise 75 s. */
  readonly historyMinMs: number;
  /** History older than this is dropped (ms). */
  readonly historyMaxMs: number;
  /** Events per resource: past the soft bound those older than `historyMinMs` go, past the hard one any. */
  readonly softCount: number;
  readonly hardCount: number;
  /** The same in bytes that the history alone holds. */
  readonly softBytes: number;
  readonly hardBytes: number;
  /** Bytes of forms other than the stored one, of all resources; of those among them that nobody asked for but the writer and watchers, in passing. */
  readonly formBytes: number;
  readonly passingBytes: number;
  /** Bytes of framed events kept for other watchers, of all resources. */
  readonly frameBytes: number;
  /** Estimated bytes of one watch batch. */
  readonly windowBytes: number;
  /** Bytes of batches that watchers have in hand, of all resources: past it batches shrink to single events. */
  readonly bufferedBytes: number;
  /** Past `bufferedBytes`, watchers that had the same batch in hand for so long (ms) are ended. */
  readonly stalledMs: number;
  /** Longest time that events wait to be joined (ms). */
  readonly joinMs: number;
  /** Keys a page when the store is read. */
  readonly pageSize: number;
  /** So many revisions before the newest are read as history at the start: watches resume over a restart. */
  readonly replay: number;
  /** Resources loaded at the same time. */
  readonly loads: number;
  /** First and longest wait before a broken log is followed again (ms); the wait is jittered. */
  readonly retryMs: number;
  readonly retryMaxMs: number;
}

/** Defaults: a history of five minutes in 16 MiB a resource, of 75 s in up to 128; secondary forms in 256 MiB, of which 24 may be what was only written. */
export const defaultLimits: CacheLimits = {
  historyMinMs: 75_000,
  historyMaxMs: 300_000,
  softCount: 20_000,
  hardCount: 200_000,
  softBytes: 16 << 20,
  hardBytes: 128 << 20,
  formBytes: 256 << 20,
  passingBytes: 24 << 20,
  frameBytes: 8 << 20,
  windowBytes: 1 << 20,
  bufferedBytes: 64 << 20,
  stalledMs: 10_000,
  joinMs: 25,
  pageSize: 1000,
  replay: 2000,
  loads: 4,
  retryMs: 200,
  retryMaxMs: 10_000,
};
