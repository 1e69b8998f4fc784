/** The addresses that members of the cluster, and users of this host, are told. */
import assert from "node:assert/strict";
import { advertisedAddress, type HostAddress, localAddress } from "../../server/options/advertised.ts";

const HOST: readonly HostAddress[] = [
  { family: "IPv4", address: "127.0.0.1" },
  { family: "IPv6", address: "::1" },
  { family: "IPv6", address: "fe80::1" },
  { family: "IPv4", address: "192.0.2.2" },
  { family: "IPv6", address: "2001:db8::2" },
];
const FOUR = "10.0.0.0/24", SIX = "fd00::/108";

for (
  const [advertise, bind, range, told] of [
    ["198.51.100.1", "0.0.0.0", FOUR, "198.51.100.1"],
    ["", "198.51.100.1", FOUR, "198.51.100.1"],
    ["0.0.0.0", "0.0.0.0", FOUR, "192.0.2.2"],
    ["::", "0.0.0.0", FOUR, "192.0.2.2"],
    ["", "127.0.0.1", FOUR, "192.0.2.2"],
    ["", "::", SIX, "2001:db8::2"],
    ["", "::1", SIX, "2001:db8::2"],
    ["127.0.0.1", "127.0.0.1", SIX, "127.0.0.1"],
    ["2001:db8::9", "0.0.0.0", FOUR, undefined],
    ["", "198.51.100.1", SIX, undefined],
    ["", "0.0.0.0", SIX, "2001:db8::2"],
    ["", "::", FOUR, "192.0.2.2"],
  ] as const
) {
  Deno.test(`--advertise-address=${advertise} --bind-address=${bind} for services of ${range}: ${told}`, () => {
    const asked = { advertiseAddress: advertise, bindAddress: bind, serviceClusterIpRange: [range] };
    if (told) assert.equal(advertisedAddress(asked, HOST), told);
    else assert.throws(() => advertisedAddress(asked, HOST), /should be of the family of/);
  });
}

Deno.test("a host without an address of the services' family: only a server of its own starts", () => {
  const asked = { advertiseAddress: "", bindAddress: "0.0.0.0", serviceClusterIpRange: [SIX] };
  assert.throws(() => advertisedAddress(asked, HOST.slice(0, 4)), /should be of the family of 192\.0\.2\.2/);
  assert.equal(advertisedAddress({ ...asked, bindAddress: "127.0.0.1" }, HOST.slice(0, 4)), "127.0.0.1");
  assert.equal(advertisedAddress(asked, HOST.slice(0, 3)), "127.0.0.1");
});

Deno.test("this host reaches the server where it listens, by the loopback where that is everywhere", () => {
  const binds = ["", "0.0.0.0", "::", "127.0.0.1", "127.0.0.2", "::1", "198.51.100.1"];
  const local = ["127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.1", "127.0.0.2", "::1", "198.51.100.1"];
  assert.deepEqual(binds.map(localAddress), local);
});
