/** Order of API versions: general availability first, then beta, then alpha; the higher number first. */

const FORM = /^v(\d+)(?:(alpha|beta)(\d+))?$/;
const STAGE: Readonly<Record<string, number>> = { alpha: 0, beta: 1 };

/** Compares versions for a descending sort: negative when `a` comes first. Names of another form come last, by text. */
export function compareVersions(a: string, b: string): number {
  const x = FORM.exec(a), y = FORM.exec(b);
  if (!x || !y) return x ? -1 : y ? 1 : a < b ? -1 : a > b ? 1 : 0;
  return stage(y) - stage(x) || Number(y[1]) - Number(x[1]) || Number(y[3] ?? 0) - Number(x[3] ?? 0);
}

const stage = (m: RegExpExecArray) => (m[2] ? STAGE[m[2]]! : 2);
