/** IP addresses as certificates hold them: 4 or 16 bytes. */

const V4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;

function v4Bytes(address: string): number[] | undefined {
  const parts = V4.exec(address)?.slice(1).map(Number);
  return parts !== undefined && parts.every((p) => p < 256) ? parts : undefined;
}

function groupBytes(text: string): number[] | undefined {
  const bytes: number[] = [];
  if (text === "") return bytes;
  for (const group of text.split(":")) {
    const v4 = v4Bytes(group);
    if (v4 !== undefined) bytes.push(...v4);
    else if (/^[0-9a-fA-F]{1,4}$/.test(group)) bytes.push(parseInt(group, 16) >> 8, parseInt(group, 16) & 0xff);
    else return undefined;
  }
  return bytes;
}

/** The bytes of an address, or undefined when it is none. */
export function ipBytes(address: string): Uint8Array | undefined {
  const v4 = v4Bytes(address);
  if (v4 !== undefined) return Uint8Array.from(v4);
  const halves = address.split("::");
  if (!address.includes(":") || halves.length > 2) return undefined;
  const head = groupBytes(halves[0]!);
  const tail = halves.length === 2 ? groupBytes(halves[1]!) : [];
  if (head === undefined || tail === undefined) return undefined;
  const zeros = 16 - head.length - tail.length;
  if (halves.length === 2 ? zeros < 2 : zeros !== 0) return undefined;
  return Uint8Array.from([...head, ...new Array<number>(zeros).fill(0), ...tail]);
}

/** The text of 4 or 16 bytes; IPv6 in full groups without leading zeros, not shortened. */
export function ipText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups: string[] = [];
  for (let i = 0; i + 1 < bytes.length; i += 2) groups.push(((bytes[i]! << 8) | bytes[i + 1]!).toString(16));
  return groups.join(":");
}
