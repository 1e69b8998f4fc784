/** What is asked for, told from paths that are written oddly: as who they are passed on to reads them. */
import assert from "node:assert/strict";
import { requestInfo } from "../../server/filters/request_info.ts";

const ROWS: readonly [path: string, asked: Partial<ReturnType<typeof requestInfo>>][] = [
  ["/apis/g/v1/namespaces/a/widgets/b%2Fstatus", { name: "b", subresource: "status" }],
  ["/apis/g/v1/namespaces/a/widgets/b%2Fstatus%2F%FF", { name: "b", subresource: "status", rest: "\ufffd" }],
  ["/apis/g/v1/namespaces/a%2Fsecrets/%C3%A9%FF", { namespace: "a", resource: "secrets", name: "é\ufffd" }],
  ["/apis/g/v1/namespaces/a%2Fsecrets/%zz", { namespace: "a", resource: "secrets", name: "%zz" }],
  ["/logs%2f%FF%zz", { path: "/logs/\ufffd%zz", isResource: false }],
];

Deno.test("escapes of a path are read though some of it are no text, or none at all", () => {
  for (const [path, asked] of ROWS) {
    const info = requestInfo("GET", path, new URLSearchParams());
    for (const [key, value] of Object.entries(asked)) assert.equal(Reflect.get(info, key), value, `${key} of ${path}`);
  }
});

const READS: readonly [path: string, asked: Partial<ReturnType<typeof requestInfo>>, method?: string][] = [
  ["/api/v1/pods", { verb: "list", name: "", selected: false }],
  ["/api/v1/pods?watch=1", { verb: "watch" }],
  ["/api/v1/pods?watch=false", { verb: "list" }],
  ["/api/v1/pods?watch=0", { verb: "list" }],
  ["/api/v1/pods?watch=False", { verb: "list" }],
  ["/api/v1/namespaces", { verb: "list", resource: "namespaces", namespace: "" }],
  ["/api/v1/watch", { verb: "list", resource: "watch", deprecatedWatch: false }],
  ["/api/v1/namespaces/a/pods/p?watch", { verb: "watch", namespace: "a", name: "p" }],
  ["/api/v1/namespaces/a/pods/p/log?watch=1", { verb: "get", subresource: "log" }],
  ["/api/v1/watch/pods", { verb: "watch", resource: "pods", deprecatedWatch: true }],
  ["/api/v1/namespaces/a/status", { resource: "namespaces", namespace: "a", name: "a", subresource: "status" }],
  ["/apis/g/v1/namespaces/a/namespaces", {
    resource: "namespaces",
    namespace: "a",
    within: true,
    verb: "list",
    name: "",
  }],
  ["/apis/g/v1/namespaces/a/namespaces/a", {
    resource: "namespaces",
    namespace: "a",
    within: true,
    name: "a",
    subresource: "",
  }],
  ["/api/v1/namespaces/a", { resource: "namespaces", namespace: "a", within: false, name: "a" }],
  ["/api/v1/namespaces/a/pods/p/proxy/x/y", { subresource: "proxy", rest: "x/y" }],
  ["/api/v1/pods?fieldSelector=metadata.name%3Dp", { verb: "list", name: "p", selected: true }],
  ["/api/v1/pods?fieldSelector=metadata.name!%3Dp", { name: "", selected: false }],
  ["/api/v1/pods?fieldSelector=metadata.name%3Da%252Fb", { name: "", selected: false }],
  ["/api/v1/pods?fieldSelector=metadata.name%3Da/b", { name: "", selected: false }],
  ["/api/v1/pods?fieldSelector=metadata.name%3D..", { name: "", selected: false }],
  ["/api/v1/pods?fieldSelector=metadata.name%3Dp", { verb: "deletecollection", name: "", selected: false }, "DELETE"],
  ["/api/v1/watch/pods?fieldSelector=metadata.name%3Dp", { verb: "watch", name: "", selected: false }],
];

Deno.test("a read is of one object, of many, or of one that a selector names, which is a name that objects may have", () => {
  for (const [text, asked, method = "GET"] of READS) {
    const { pathname, searchParams } = new URL(text, "https://x");
    const info = requestInfo(method, pathname, searchParams);
    for (const [key, value] of Object.entries(asked)) assert.equal(Reflect.get(info, key), value, `${key} of ${text}`);
  }
});

Deno.test("slashes without an end are gone through once", () => {
  const slashes = "/".repeat(400_000);
  for (const path of [slashes, `${slashes}api/v1/pods${slashes}`, `/api/v1/pods${slashes}a`]) {
    const { isResource, resource } = requestInfo("GET", path, new URLSearchParams());
    assert.deepEqual([isResource, resource], path === slashes ? [false, ""] : [true, "pods"]);
  }
});
