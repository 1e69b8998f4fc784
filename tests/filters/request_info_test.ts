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
