/** Events as they are written, and whence requests came. */
import assert from "node:assert/strict";
import { AuditEvent, eventListText, legacyLine } from "../../server/audit/event.ts";
import { sourceIps } from "../../server/audit/source_ips.ts";
import type { EventData } from "../../server/audit/types.ts";

const VERSION = "audit.k8s.io/v1";
const PLAIN: EventData = {
  level: 1,
  auditId: "x",
  stage: "RequestReceived",
  requestUri: "/version",
  verb: "get",
  user: { name: "", groups: [] },
  sourceIps: [],
  userAgent: "",
  received: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
  at: Date.UTC(2026, 0, 2, 3, 4, 5, 7),
  annotations: new Map(),
};
const FULL: EventData = {
  ...PLAIN,
  level: 3,
  stage: "ResponseComplete",
  requestUri: "/api/v1/namespaces/a/pods/p",
  user: { name: "ann", uid: "7", groups: ["g", 'h"i'], extra: { z: ["1"], b: ["2", "3"] } },
  impersonatedUser: { name: "bob", groups: ["j"] },
  constraint: "impersonate:user-info",
  sourceIps: ["192.0.2.1", "192.0.2.2"],
  userAgent: "me/1",
  objectRef: {
    ...{ resource: "pods", namespace: "a", name: "p", uid: "" },
    ...{ apiGroup: "", apiVersion: "v1", resourceVersion: "", subresource: "" },
  },
  responseStatus: { status: "Failure", message: "no", reason: "Conflict", details: { name: "p" }, code: 409 },
  requestObject: '{"a":1}',
  responseObject: '{"b":2}',
  annotations: new Map([["z", "1"], ["b", "2"]]),
};

Deno.test("an event is an object in an order of its own, without what is empty", () => {
  const times =
    '"requestReceivedTimestamp":"2026-01-02T03:04:05.006000Z","stageTimestamp":"2026-01-02T03:04:05.007000Z"';
  const plain =
    '"level":"Metadata","auditID":"x","stage":"RequestReceived","requestURI":"/version","verb":"get","user":{},' +
    times;
  const full = '"level":"RequestResponse","auditID":"x","stage":"ResponseComplete",' +
    '"requestURI":"/api/v1/namespaces/a/pods/p","verb":"get",' +
    '"user":{"username":"ann","uid":"7","groups":["g","h\\"i"],"extra":{"b":["2","3"],"z":["1"]}},' +
    '"impersonatedUser":{"username":"bob","groups":["j"]},' +
    '"authenticationMetadata":{"impersonationConstraint":"impersonate:user-info"},' +
    '"sourceIPs":["192.0.2.1","192.0.2.2"],"userAgent":"me/1",' +
    '"objectRef":{"resource":"pods","namespace":"a","name":"p","apiVersion":"v1"},' +
    '"responseStatus":{"metadata":{},"status":"Failure","message":"no","reason":"Conflict","details":{"name":"p"},"code":409},' +
    `"requestObject":{"a":1},"responseObject":{"b":2},${times},"annotations":{"b":"2","z":"1"}`;
  const events = [new AuditEvent(PLAIN), new AuditEvent(FULL)];
  for (const version of [VERSION, "audit.orch.io/v1"]) {
    const texts = [plain, full].map((text) => `{"kind":"Event","apiVersion":"${version}",${text}}`);
    assert.deepEqual(events.map((event) => event.text(version)), texts);
    const list = `{"kind":"EventList","apiVersion":"${version}","metadata":{},"items":[{${plain}},{${full}}]}`;
    assert.equal(eventListText(events, version), list);
  }
});

Deno.test("an event is a line of old", () => {
  assert.equal(
    legacyLine(PLAIN),
    '2026-01-02T03:04:05.006000Z AUDIT: id="x" stage="RequestReceived" ip="<unknown>" method="get" user="<none>" ' +
      'groups="<none>" as="<self>" asgroups="<lookup>" user-agent="" namespace="<none>" uri="/version" response="<deferred>"',
  );
  assert.equal(
    legacyLine(FULL),
    '2026-01-02T03:04:05.006000Z AUDIT: id="x" stage="ResponseComplete" ip="192.0.2.1" method="get" user="ann" ' +
      String.raw`groups="\"g\",\"h\\\"i\"" as="bob" asgroups="\"j\"" user-agent="me/1" namespace="a" ` +
      'uri="/api/v1/namespaces/a/pods/p" response="409"',
  );
});

Deno.test("a request came by the addresses that it tells, and from that of its connection, which is always the last", () => {
  const rows: [forwarded: string, real: string, remote: string, told: string][] = [
    ["", "", "192.0.2.9", "192.0.2.9"],
    ["", "", "", ""],
    ["192.0.2.1, 192.0.2.2", "", "192.0.2.9", "192.0.2.1 192.0.2.2 192.0.2.9"],
    ["192.0.2.1, x,, 192.0.2.2:80", "", "192.0.2.9", "192.0.2.1 192.0.2.9"],
    ["", "192.0.2.3", "192.0.2.9", "192.0.2.3 192.0.2.9"],
    ["192.0.2.1", "192.0.2.3", "192.0.2.9", "192.0.2.1 192.0.2.3 192.0.2.9"],
    ["192.0.2.3, 192.0.2.1", "192.0.2.3", "192.0.2.9", "192.0.2.3 192.0.2.1 192.0.2.9"],
    ["192.0.2.9, 192.0.2.1", "", "192.0.2.9", "192.0.2.9 192.0.2.1 192.0.2.9"],
    ["192.0.2.1, 192.0.2.9", "", "192.0.2.9", "192.0.2.1 192.0.2.9"],
    ["2001:DB8:0::1", "::ffff:192.0.2.1", "::ffff:192.0.2.9", "2001:db8::1 192.0.2.1 192.0.2.9"],
  ];
  for (const [forwarded, real, remoteAddress, told] of rows) {
    const headers = new Headers({ "x-forwarded-for": forwarded, "x-real-ip": real });
    const ips = sourceIps({ headers, connection: { remoteAddress, peerCertificates: [], tls: true } });
    assert.equal(ips.join(" "), told, `${forwarded} | ${real} | ${remoteAddress}`);
  }
});
