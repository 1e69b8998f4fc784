/** Processor time in the kernel's units. */

/** The least and the most shares that the kernel takes. */
export const MIN_SHARES = 2;
const MAX_SHARES = 262_144;
const SHARES_PER_CPU = 1024;
/** µs; the kernel takes no less. */
const MIN_QUOTA = 1000;

/** Shares of so many thousandths of a processor. */
export const sharesOf = (milli: number): number =>
  Math.min(MAX_SHARES, Math.max(MIN_SHARES, Math.floor(milli * SHARES_PER_CPU / 1000)));

/** µs in each period, both µs; 0 for no limit. */
export const quotaOf = (milli: number, period: number): number =>
  milli === 0 ? 0 : Math.max(MIN_QUOTA, Math.floor(milli * period / 1000));

/** The weight in cgroup v2 of shares. */
export const weightOf = (shares: number): number =>
  shares >= MAX_SHARES ? 10_000 : 1 + Math.floor((shares - MIN_SHARES) * 9999 / (MAX_SHARES - MIN_SHARES));
