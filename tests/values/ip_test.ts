import assert from "node:assert/strict";
import { ValueError } from "../../schema/values/error.ts";
import * as ip from "../../schema/values/ip.ts";
import { seeded } from "../fixture/random.ts";

Deno.test("ip: text of the canonical form", () => {
  const table: [string, string][] = [
    ["1.2.3.4", "1.2.3.4"],
    ["0.0.0.0", "0.0.0.0"],
    ["255.255.255.255", "255.255.255.255"],
    ["::", "::"],
    ["::1", "::1"],
    ["1::", "1::"],
    ["2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["1:0:0:2:0:0:0:3", "1:0:0:2::3"],
    ["fe80:0:0:0:0:0:0:0abc", "fe80::abc"],
    ["64:ff9b::192.0.2.1", "64:ff9b::c000:201"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["::ffff:102:304", "1.2.3.4"],
  ];
  for (const [text, want] of table) assert.equal(ip.formatIp(ip.parseIp(text)), want, text);
});

Deno.test("ip: what is none", () => {
  const texts = [
    "",
    "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256",
    "1.2.3.04",
    "1.2.3.-4",
    "1.2.3.4 ",
    "a.b.c.d",
    "1",
    ":",
    ":::",
    "1::2::3",
    "1:2:3:4:5:6:7",
    "1:2:3:4:5:6:7:8:9",
    "1:2:3:4:5:6:7::8",
    "12345::",
    "g::",
    "::1.2.3",
    "1.2.3.4::",
    "fe80::1%eth0",
    "[::1]",
    "::1/64",
  ];
  for (const text of texts) assert.throws(() => ip.parseIp(text), ValueError, text);
  assert.equal(ip.formatIp(ip.parseIp("010.002.003.004", { legacy: true })), "10.2.3.4");
});

Deno.test("cidr: the block", () => {
  const table: [string, string][] = [
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["1.2.3.4/32", "1.2.3.4/32"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8::1/64", "2001:db8::/64"],
    ["::/0", "::/0"],
    ["::ffff:1.2.3.4/120", "1.2.3.0/24"],
  ];
  for (const [text, want] of table) assert.equal(ip.formatCidr(ip.parseCidr(text)), want);
  for (
    const text of [
      "",
      "10.0.0.0",
      "10.0.0.0/",
      "10.0.0.0/33",
      "::/129",
      "10.0.0.0/-1",
      "10.0.0.0/08",
      "10.0.0/8",
      "/8",
      "10.0.0.0/8/8",
    ]
  ) {
    assert.throws(() => ip.parseCidr(text), ValueError, text);
  }
});

Deno.test("cidr: what it holds, size and addresses", () => {
  const c = ip.parseCidr("10.96.0.0/12");
  assert.equal(ip.contains(c, ip.parseIp("10.111.255.255")), true);
  assert.equal(ip.contains(c, ip.parseIp("10.112.0.0")), false);
  assert.equal(ip.contains(c, ip.parseIp("::a60:0")), false);
  assert.equal(ip.sizeOf(c), 1n << 20n);
  assert.equal(ip.formatIp(ip.addressAt(c, 1)), "10.96.0.1");
  assert.throws(() => ip.addressAt(c, 1n << 20n), ValueError);
});

Deno.test("ip: special ranges", () => {
  const table: [string, ip.IpRange[]][] = [
    ["0.0.0.0", ["unspecified"]],
    ["::", ["unspecified"]],
    ["127.0.0.53", ["loopback"]],
    ["::1", ["loopback"]],
    ["169.254.169.254", ["linkLocalUnicast"]],
    ["fe80::1", ["linkLocalUnicast"]],
    ["224.0.0.1", ["linkLocalMulticast", "multicast"]],
    ["ff02::1", ["linkLocalMulticast", "multicast"]],
    ["239.1.1.1", ["multicast"]],
    ["192.168.1.1", ["private"]],
    ["8.8.8.8", []],
  ];
  const all: ip.IpRange[] = [
    "unspecified",
    "loopback",
    "linkLocalUnicast",
    "linkLocalMulticast",
    "multicast",
    "private",
  ];
  for (const [text, want] of table) assert.deepEqual(all.filter((r) => ip.inRange(ip.parseIp(text), r)), want, text);
});

Deno.test("ip: errors of old and new fields", () => {
  const table: [string, string[], string[], string[]][] = [
    ["1.2.3.4", [], [], []],
    ["1.2.3.04", [], ["must not have leading 0s"], ["must not have leading 0s"]],
    ["::ffff:1.2.3.4", [], ["must not be an IPv4-mapped IPv6 address"], ["must not be an IPv4-mapped IPv6 address"]],
    ["FE80::1", [], [], ['must be in canonical form ("fe80::1")']],
    ["1.2.3.0000000004", [], ["must not have leading 0s"], ["must not have leading 0s"]],
    ["fe80::000255", [], ["must not have leading 0s"], ["must not have leading 0s"]],
  ];
  for (const [text, loose, strict, canonical] of table) {
    assert.deepEqual(ip.legacyIpErrors(text, false), loose, text);
    assert.deepEqual(ip.legacyIpErrors(text, true), strict, text);
    assert.deepEqual(ip.ipErrors(text), canonical, text);
  }
  assert.deepEqual(ip.ipErrors("x"), ["must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"]);
  assert.deepEqual(ip.legacyCidrErrors("1.2.3.4/24", false), []);
  assert.deepEqual(ip.legacyCidrErrors("1.2.3.4/24", true), ["must not have bits set beyond the prefix length"]);
  assert.deepEqual(ip.legacyCidrErrors("1.2.3.0/024", false), []);
  assert.deepEqual(ip.legacyCidrErrors("1.2.3.0/0000000024", false), []);
  assert.deepEqual(ip.legacyCidrErrors("1.2.3.0/024", true), ["must not have leading 0s in IP or prefix length"]);
  assert.deepEqual(ip.legacyCidrErrors("::ffff:1.2.3.0/120", true), ["must not have an IPv4-mapped IPv6 address"]);
  assert.deepEqual(ip.cidrErrors("FE80::/64"), ['must be in canonical form ("fe80::/64")']);
  assert.deepEqual(ip.interfaceAddressErrors("192.168.1.5/24"), []);
  assert.deepEqual(ip.interfaceAddressErrors("::ffff:192.168.1.5/120"), [
    'must be in canonical form ("192.168.1.5/24")',
  ]);
});

Deno.test("ip: warnings of old fields", () => {
  assert.deepEqual(ip.ipWarnings("p", "1.2.3.4"), []);
  assert.deepEqual(ip.ipWarnings("p", "1.2.3.04"), ['p: non-standard IP address "1.2.3.04" is invalid: use "1.2.3.4"']);
  assert.deepEqual(ip.ipWarnings("p", "FE80::1"), [
    'p: IPv6 address "FE80::1" should be in RFC 5952 canonical format ("fe80::1")',
  ]);
  assert.deepEqual(ip.cidrWarnings("p", "1.2.3.4/24"), [
    'p: CIDR value "1.2.3.4/24" is ambiguous in this context (should be "1.2.3.0/24" or "1.2.3.4/32"?)',
  ]);
  assert.deepEqual(ip.cidrWarnings("p", "1.2.3.0/024"), [
    'p: non-standard CIDR value "1.2.3.0/024" is invalid: use "1.2.3.0/24"',
  ]);
});

Deno.test("ip: text reads back", () => {
  const random = seeded(5);
  for (let i = 0; i < 20_000; i++) {
    let bits = 0n;
    for (let g = 0; g < 8; g++) bits = bits << 16n | BigInt(random() < 0.5 ? 0 : Math.floor(random() * 65536));
    if (bits >> 32n === 0xffffn) continue;
    assert.equal(ip.parseIp(ip.formatIp({ family: 6, bits })).bits, bits);
    const four = bits & 0xffffffffn;
    assert.equal(ip.parseIp(ip.formatIp({ family: 4, bits: four })).bits, four);
  }
});
