/** Slope of the least-squares line through points: what `y` grows by when `x` grows by 1. 0 for fewer than two points. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const n = points.length;
  if (n < 2) return 0;
  const mean = (of: 0 | 1) => points.reduce((sum, p) => sum + p[of], 0) / n;
  const [mx, my] = [mean(0), mean(1)];
  const over = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return over / points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}
