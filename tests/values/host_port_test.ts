import assert from "node:assert/strict";
import { hostPort, parseHostPort, urlHost } from "../../schema/values/host_port.ts";

Deno.test("hosts and ports in one text", () => {
  const pairs = [
    ["192.0.2.1", 6443, "192.0.2.1:6443"],
    ["a.example", 65535, "a.example:65535"],
    ["2001:db8::1", 1, "[2001:db8::1]:1"],
  ] as const;
  for (const [host, port, text] of pairs) {
    assert.equal(hostPort(host, port), text);
    assert.equal(`${urlHost(host)}:${port}`, text);
    assert.deepEqual(parseHostPort(text), { host, port });
  }
  for (const none of ["", "a", "a:", ":1", "a:0", "a:65536", "2001:db8::1:1", "a:1x"]) {
    assert.equal(parseHostPort(none), undefined, none);
  }
});
