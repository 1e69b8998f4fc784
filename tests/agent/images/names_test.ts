/** Names of images, and which credentials are for which. */
import assert from "node:assert/strict";
import { readLogins } from "../../../agent/images/docker_config.ts";
import { meansImage } from "../../../agent/images/glob.ts";
import { Keyring } from "../../../agent/images/keyring.ts";
import { fullName, parseImageName, withoutTag, withTag } from "../../../agent/images/name.ts";

const digest = `sha256:${"0123456789abcdef".repeat(4)}`;

Deno.test("names of images in full, with their tag", () => {
  const rows: readonly (readonly [image: string, repository: string, tag: string, tagged: string])[] = [
    ["busybox", "docker.io/library/busybox", "latest", "busybox:latest"],
    ["busybox:1.35", "docker.io/library/busybox", "1.35", "busybox:1.35"],
    ["team/app", "docker.io/team/app", "latest", "team/app:latest"],
    ["docker.io/app", "docker.io/library/app", "latest", "docker.io/app:latest"],
    ["index.docker.io/app", "docker.io/library/app", "latest", "index.docker.io/app:latest"],
    ["localhost/app:v1", "localhost/app", "v1", "localhost/app:v1"],
    ["127.0.0.1:5000/a/b__c/d", "127.0.0.1:5000/a/b__c/d", "latest", "127.0.0.1:5000/a/b__c/d:latest"],
    ["[::1]:5000/app", "[::1]:5000/app", "latest", "[::1]:5000/app:latest"],
    ["Registry/app", "Registry/app", "latest", "Registry/app:latest"],
    [`a/b@${digest}`, "docker.io/a/b", "", `a/b@${digest}`],
    [`a/b:v2@${digest}`, "docker.io/a/b", "v2", `a/b:v2@${digest}`],
  ];
  for (const [image, repository, tag, tagged] of rows) {
    const name = parseImageName(image);
    assert.deepEqual([name.repository, name.tag], [repository, tag], image);
    assert.equal(withTag(image), tagged);
  }
  assert.equal(fullName("busybox"), "docker.io/library/busybox:latest");
  assert.equal(fullName(`busybox:1@${digest}`), `docker.io/library/busybox@${digest}`);
  assert.equal(withoutTag("localhost:5000/a:1"), "localhost:5000/a");
  assert.equal(withoutTag(`a:1@${digest}`), "a");
});

Deno.test("what is no name of an image", () => {
  const rows: readonly (readonly [image: string, fault: string])[] = [
    ["", "invalid reference format"],
    ["a b", "invalid reference format"],
    ["a:", "invalid reference format"],
    ["a:b:c", "invalid reference format"],
    ["-a", "invalid reference format"],
    [":5000/a", "invalid reference format"],
    ["App", "invalid reference format: repository name (library/App) must be lowercase"],
    ["0123456789abcdef".repeat(4), "cannot specify 64-byte hexadecimal strings"],
    [`a/${"b".repeat(300)}`, "repository name must not be more than 255 characters"],
    ["a@sha256:0123456789abcdef0123456789abcdef", "invalid checksum digest length"],
    [`a@md5:${"0".repeat(32)}`, "unsupported digest algorithm"],
    ["a/".repeat(100_000), "invalid reference format"],
  ];
  for (const [image, fault] of rows) {
    assert.throws(() => parseImageName(image), (e: Error) => {
      assert.ok(e.message.startsWith("couldn't parse image name ") && e.message.includes(fault), e.message);
      return true;
    });
  }
});

Deno.test("patterns mean hosts part by part, a port and the beginning of a path", () => {
  const rows: readonly (readonly [pattern: string, image: string, means: boolean])[] = [
    ["*.example.com", "a.example.com/x", true],
    ["*.example.com", "a.b.example.com/x", false],
    ["*.example.com", "example.com/x", false],
    ["app*.example.com", "app1.example.com/x", true],
    ["a*b*c.example.com", "aXbYbZc.example.com/x", true],
    ["ab*ba.example.com", "aba.example.com/x", false],
    ["[a.example.com", "[a.example.com/x", false],
    ["[::1]:5000", "[::1]:5000/x", true],
    ["example.com", "example.com:5000/x", false],
    ["example.com:5000", "example.com:5000/x", true],
    ["example.com/team", "example.com/team/x", true],
    ["example.com/team", "example.com/other/x", false],
    ["example.com/*", "example.com/x", false],
    ["exampleXcom", "example.com/x", false],
    ["joe@example.com:5000", "example.com:5000/x", true],
    ["a@b@example.com", "example.com/x", true],
    [`${"@".repeat(1 << 20)} `, "example.com/x", false],
  ];
  for (const [pattern, image, means] of rows) assert.equal(meansImage(pattern, image), means, `${pattern} ${image}`);
});

Deno.test("the more telling credentials come first, those of the public registry where no other are", () => {
  const keyring = new Keyring();
  const auth = btoa("joe:se:cret");
  keyring.add(readLogins(JSON.stringify({ auths: { "https://index.docker.io/v1/": { auth } } }), true));
  keyring.add(readLogins(
    JSON.stringify({
      "example.com": { username: "host", password: "" },
      "http://example.com/v2/team/": { username: "team", password: "" },
      "*.com": { username: "any", password: "" },
      "no host": { username: "none", password: "" },
    }),
    false,
  ));
  const users = (image: string) => keyring.lookup(image).map((c) => c.username);
  assert.deepEqual(users("example.com/team/app"), ["team", "host", "any"]);
  assert.deepEqual(users("example.com/app"), ["host", "any"]);
  assert.deepEqual(keyring.lookup("docker.io/library/busybox"), [{ username: "joe", password: "se:cret" }]);
  assert.deepEqual(users("quay.io/app"), []);
  assert.throws(() => readLogins('{"a":{"auth":"am9l"}}', false), /base64\(username:password\)/);
  assert.throws(() => readLogins("[]", false), /object/);
});
