/** Several faults as one text: one as it is, more in brackets, none twice. */
export function aggregateText(faults: readonly string[]): string {
  const texts = [...new Set(faults)];
  return texts.length === 1 ? texts[0]! : `[${texts.join(", ")}]`;
}
