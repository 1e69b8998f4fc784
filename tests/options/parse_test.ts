import assert from "node:assert/strict";
import { ROWS } from "../../server/options/table.ts";
import { flagTexts } from "../../schema/flags/texts.ts";
import { type Options, parseOptions } from "../../server/options/mod.ts";

function run(...argv: string[]): Options {
  const parsed = parseOptions(argv);
  assert.equal(parsed.kind, "run", JSON.stringify(parsed));
  return (parsed as { options: Options }).options;
}

function errors(...argv: string[]): readonly string[] {
  const parsed = parseOptions(argv);
  assert.equal(parsed.kind, "errors", "expected errors");
  return (parsed as { errors: readonly string[] }).errors;
}

Deno.test("defaults are those of the specification", () => {
  const o = run();
  assert.equal(o.securePort, 6443);
  assert.equal(o.bindAddress, "0.0.0.0");
  assert.equal(o.requestTimeout, 60_000);
  assert.equal(o.eventTtl, 3_600_000);
  assert.deepEqual(o.serviceNodePortRange, { from: 30000, to: 32767 });
  assert.deepEqual(o.oidcSigningAlgs, ["RS256"]);
  assert.deepEqual(o.authorizers, ["AlwaysAllow"]);
  assert.equal(o.storageMediaType, "application/vnd.orch.protobuf");
  assert.equal(o.auditLogVersion, "audit.orch.io/v1");
  assert.equal(o.backend, "denokv");
  assert.deepEqual(o.controllers, ["*"]);
  assert.equal(run("--api-dialect=kubernetes").storageMediaType, "application/vnd.kubernetes.protobuf");
});

Deno.test("every way to write an option", () => {
  assert.equal(run("--secure-port=1").securePort, 1);
  assert.equal(run("--secure-port", "2").securePort, 2);
  assert.equal(run("--secure_port=3").securePort, 3);
  assert.equal(run("--secure-port=1", "--secure-port=4").securePort, 4);
  for (const v of [["-v", "5"], ["-v=5"], ["-v5"], ["--v=5"]]) assert.equal(run(...v).v, 5);
  assert.equal(run("--watch-cache=false").watchCache, false);
  assert.equal(run("--disable-http2-serving").disableHttp2Serving, true);
  assert.match(errors("--watch-cache", "false")[0]!, /"false" is no option/);
});

Deno.test("lists, pairs, ranges", () => {
  assert.deepEqual(run("--authorization-mode=Node,RBAC").authorizers, ["Node", "RBAC"]);
  assert.deepEqual(run("--controllers=-*", "--controllers=namespace").controllers, ["-*", "namespace"]);
  assert.deepEqual(
    run("--service-account-issuer=https://a,b", "--service-account-issuer=https://c").serviceAccountIssuer,
    [
      "https://a,b",
      "https://c",
    ],
  );
  assert.deepEqual(run("--tls-sni-cert-key=a,b:x.example,y.example").tlsSniCertKey, [
    { cert: "a", key: "b", domains: ["x.example", "y.example"] },
  ]);
  assert.deepEqual(run("--tls-sni-cert-key=a, b: x.example, ::1").tlsSniCertKey, [
    { cert: "a", key: "b", domains: ["x.example", "::1"] },
  ]);
  assert.deepEqual(run("--cors-allowed-origins", '//a$,"^b{1,2}$"').corsAllowedOrigins, ["//a$", "^b{1,2}$"]);
  for (const prefix of ["/registry", "registry", "/registry/", "//registry"]) {
    assert.equal(run(`--etcd-prefix=${prefix}`).storePrefix, "/registry");
  }
  assert.equal(run("--request-timeout=1h0m1.5s").requestTimeout, 3_601_500);
  assert.deepEqual(run("--service-cluster-ip-range=10.0.0.0/16,fd00::/108").serviceClusterIpRange, [
    "10.0.0.0/16",
    "fd00::/108",
  ]);
  assert.deepEqual(run("--service-cluster-ip-range=10.0.0.5/24,FD00:0::1/108").serviceClusterIpRange, [
    "10.0.0.0/24",
    "fd00::/108",
  ]);
});

Deno.test("names of the public server are taken for those of the specification", () => {
  assert.deepEqual(run("--etcd-servers=http://127.0.0.1:2379").storeServers, ["http://127.0.0.1:2379"]);
  assert.equal(run("--etcd-servers=http://127.0.0.1:2379").backend, "etcd3");
});

Deno.test("all faults come at once, unknown options with a suggestion", () => {
  const found = errors(
    "--securre-port=1",
    "--min-request-timeout=x",
    "--goaway-chance=0.3",
    "--request-timeout=5",
    "word",
    "--v",
  );
  assert.deepEqual(errors("--foo"), ["--foo: unknown option"], "nothing is like it");
  assert.deepEqual(errors("--api-dialect=a"), ['--api-dialect: "a" should be one of orch, kubernetes'], "said once");
  assert.deepEqual(found, [
    "--securre-port: unknown option; did you mean --secure-port?",
    'argument "word" is no option',
    "--v: needs a value",
    '--goaway-chance: "0.3": should be at most 0.02',
    '--request-timeout: "5": should be a duration, such as 1m30s',
    '--min-request-timeout: "x": should be an integer',
  ]);
});

Deno.test("options that exclude or need each other", () => {
  const one = (...argv: string[]) => errors(...argv).join("\n");
  assert.match(one("--plain-http"), /loopback/);
  assert.equal(run("--plain-http", "--bind-address=127.0.0.1").plainHttp, true);
  assert.match(one("--authorization-config=f", "--authorization-mode=RBAC"), /cannot go with --authorization-mode/);
  assert.match(one("--authorization-mode=ABAC"), /authorization-policy-file/);
  assert.match(one("--authorization-mode="), /^--authorization-mode: names no mode$/);
  assert.match(one("--authorization-mode=Nope"), /"Nope" should be one of AlwaysAllow/);
  assert.match(one("--admission-control=A", "--enable-admission-plugins=B"), /--admission-control/);
  assert.match(one("--storage-backend=memory", "--store-servers=http://a"), /cannot use --store-servers/);
  assert.match(one("--store-servers="), /^--store-servers: names no server$/);
  assert.match(one("--tls-cert-file=a"), /go together/);
  assert.match(one("--tls-cipher-suites=TLS_AES_128_GCM_SHA256,A"), /^--tls-cipher-suites: "A" should be one of TLS_/);
  assert.match(one("--oidc-username-claim=sub"), /--oidc-username-claim: needs --oidc-issuer-url/);
  assert.match(one("--service-cluster-ip-range=10.0.0.0/8,11.0.0.0/8"), /different families/);
  assert.match(one("--secure-port=0"), /at least 1/);
  assert.match(one("--encryption-provider-config-automatic-reload"), /needs --encryption-provider-config/);
});

Deno.test("versions", () => {
  assert.deepEqual(run("--emulated-version=orch=1.35").versions, { emulated: 35, minCompatible: 34 });
  assert.deepEqual(run("--emulated-version=1.36", "--emulation-forward-compatible").versions.emulated, 36);
  assert.match(errors("--emulated-version=orch=1.33")[0]!, /between 1.34 and 1.37/);
  assert.match(errors("--emulation-forward-compatible")[0]!, /below that of the server/);
  assert.match(errors("--emulated-version=1.35", "--min-compatibility-version=1.36")[0]!, /not be above/);
  assert.equal(run("--version=v1.37.4-ours").gitVersion, "v1.37.4-ours");
  assert.equal(run("--version=v2.0.1").gitVersion, "v2.0.1");
  assert.match(errors("--version=2.0")[0]!, /should be raw, true, false or vX\.Y\.Z/);
  assert.deepEqual(parseOptions(["--version"]), { kind: "print", text: "Orch v1.37.0" });
  assert.equal(parseOptions(["--version=raw"]).kind, "print");
});

Deno.test("help names every option", () => {
  const parsed = parseOptions(["-h"]);
  assert.equal(parsed.kind, "print");
  const text = (parsed as { text: string }).text;
  for (
    const name of [
      "orch store",
      "--secure-port",
      "--controllers",
      "--audit-webhook-truncate-max-event-size",
      "--version",
    ]
  ) {
    assert.ok(text.includes(name), name);
  }
  assert.ok(Math.max(...text.split("\n").map((l) => l.length)) <= 160);
});

Deno.test("help tells other names of an option, and its values where its words do not", () => {
  const { text } = parseOptions(["--help"]) as { text: string };
  assert.match(text, /^ +--store-servers, --etcd-servers strings$/m);
  assert.match(
    text.replaceAll(/\s+/g, " "),
    /--authorization-mode strings [^(]+\(values: AlwaysAllow, AlwaysDeny, ABAC,/,
  );
  assert.doesNotMatch(text, /values: orch, kubernetes/);
});

Deno.test("help tells the defaults in the names of the dialect", () => {
  const text = (...argv: string[]) => (parseOptions(["--help", ...argv]) as { text: string }).text;
  assert.match(text(), /default application\/vnd\.orch\.protobuf\)/);
  assert.match(text(), /default audit\.orch\.io\/v1\)/);
  assert.doesNotMatch(text(), /k8s\.io|vnd\.kubernetes|kubernetes\.default/);
  assert.match(text("--api-dialect=kubernetes"), /default audit\.k8s\.io\/v1\)/);
});

Deno.test("durations are told as they are given", () => {
  const shown = Object.fromEntries(
    flagTexts(ROWS, run("--request-timeout=90s", "--shutdown-delay-duration=1500ms", "--kubelet-timeout=250ms")),
  );
  assert.equal(shown["request-timeout"], "1m30s");
  assert.equal(shown["shutdown-delay-duration"], "1.5s");
  assert.equal(shown["kubelet-timeout"], "250ms");
  assert.equal(shown["event-ttl"], "1h0m0s");
  assert.equal(shown["livez-grace-period"], "0s");
});

for (
  const [argv, fault] of [
    [["--strict-transport-security-directives=max-age=1,foo"], /"foo" should be max-age=seconds/],
    [["--max-requests-inflight=0", "--max-mutating-requests-inflight=0"], /should add up to more than 0/],
    [["--service-account-jwks-uri=http://keys.example"], /should be an https URL/],
    [["--service-account-issuer="], /--service-account-issuer: should not be empty/],
    [["--storage-initialization-timeout=-5s"], /should be at least 0/],
    [["--tls-curve-preferences=23,0"], /should be at least 1/],
    [["--etcd-prefix=/"], /--store-prefix: should not be empty/],
    [["--cors-allowed-origins=.*"], /".*" should say where the host begins/],
    [["--cors-allowed-origins=//a$,a.example$"], /"a.example\$" should say where the host begins/],
    [["--cors-allowed-origins=//a$,,//b$"], /--cors-allowed-origins: a part is empty/],
    [["--requestheader-allowed-names=front,"], /--requestheader-allowed-names: a part is empty/],
    [["--runtime-config-emulation-forward-compatible"], /only for an emulated version below that of the server/],
    [["--service-cluster-ip-range=10.0.0.0/30"], /10\.0\.0\.0\/30 should have at least 8 addresses/],
    [["--service-cluster-ip-range=10.0.0.0/29,fd00::/126"], /fd00::\/126 should have at least 8 addresses/],
    [["--runtime-config=nope/v1=true"], /--runtime-config: nope\/v1: no such built-in API/],
    [["--runtime-config=apps/v7=true"], /--runtime-config: apps\/v7: no such built-in API/],
    [["--runtime-config=meta.orch.io/v1=true"], /--runtime-config: meta\.orch\.io\/v1: no such built-in API/],
    [["--runtime-config=meta.k8s.io/v1=false"], /no such built-in API/],
    [["--runtime-config=audit.orch.io/v1"], /no such built-in API/],
    [["--runtime-config=apidiscovery.k8s.io/v2"], /no such built-in API/],
    [["--runtime-config=apiserver.config.k8s.io/v1beta1"], /no such built-in API/],
    [["--runtime-config=kubelet.config.k8s.io/v1beta1"], /no such built-in API/],
    [["--runtime-config=scheduling.k8s.io/v1alpha2"], /no such built-in API/],
    [
      ["--runtime-config=api/all=false,api/legacy=true", "--enable-priority-and-fairness=false"],
      /should not stand alone/,
    ],
    [["--runtime-config=storage.orch.io/v7=true"], /--runtime-config: storage\.orch\.io\/v7: no such/],
    [
      ["--requestheader-uid-headers=X-Uid", "--feature-gates=RemoteRequestHeaderUID=false"],
      /needs the feature gate RemoteRequestHeaderUID/,
    ],
  ] as const
) {
  Deno.test(`${argv.join(" ")} is refused`, () => assert.match(errors(...argv).join("\n"), fault));
}

Deno.test("what limits and directives are allowed", () => {
  run("--max-requests-inflight=0");
  run("--max-requests-inflight=0", "--max-mutating-requests-inflight=0", "--enable-priority-and-fairness=false");
  run("--strict-transport-security-directives=max-age=31536000,includeSubDomains,preload");
  run("--runtime-config=apps/v1beta1,api/v1,batch/v1/nope=false,storage.orch.io/v1,storage.k8s.io/v1beta1=true");
  run("--runtime-config=api/all=false,api/ga=true");
  run("--runtime-config=api/all=false,v1=true");
  run("--runtime-config=admission.k8s.io/v1,imagepolicy.k8s.io/v1alpha1");
  run("--runtime-config=scheduling.k8s.io/v1alpha2", "--emulated-version=1.36");
});

Deno.test("accepted and deprecated options warn once", () => {
  const parsed = parseOptions([
    "--permit-address-sharing=true",
    "--permit-address-sharing=false",
    "--admission-control=AlwaysAdmit",
    "--authorization-mode=RBAC",
  ]);
  assert.equal(parsed.kind, "run");
  assert.equal((parsed as { warnings: readonly string[] }).warnings.length, 2);
});

Deno.test("options that do nothing without another one say so", () => {
  const warnings = (...flags: string[]) => {
    const parsed = parseOptions(["--authorization-mode=RBAC", ...flags]);
    assert.ok(parsed.kind === "run");
    return parsed.warnings;
  };
  const log = "--audit-log-path=a", policy = "--audit-policy-file=p", ca = "--peer-ca-file=c";
  assert.deepEqual(warnings(log), ["--audit-log-path has no effect without --audit-policy-file"]);
  assert.deepEqual(warnings("--audit-webhook-config-file=w").length, 1);
  assert.match(warnings(policy)[0]!, /has no effect without --audit-log-path or --audit-webhook-config-file/);
  assert.match(warnings(ca)[0]!, /has no effect without --proxy-client-cert-file/);
  const pair = ["--tls-cert-file=c", "--tls-private-key-file=k"];
  assert.deepEqual(warnings("--plain-http", "--bind-address=127.0.0.1", ...pair).length, 1);
  assert.deepEqual(warnings(log, policy, ca, "--proxy-client-cert-file=c", "--proxy-client-key-file=k", ...pair), []);
});

Deno.test("nobody is anonymous where everything is allowed", () => {
  const anonymous = (...flags: string[]) => {
    const parsed = parseOptions(flags);
    assert.ok(parsed.kind === "run");
    return [parsed.options.anonymousAuth, parsed.warnings.some((w) => w.includes("--anonymous-auth"))];
  };
  assert.deepEqual(anonymous(), [false, true]);
  assert.deepEqual(anonymous("--authorization-mode=RBAC,AlwaysAllow"), [false, true]);
  assert.deepEqual(anonymous("--anonymous-auth=false"), [false, false]);
  assert.deepEqual(anonymous("--authorization-mode=RBAC"), [true, false]);
  assert.deepEqual(anonymous("--authorization-config=/authorizers.yaml"), [true, false]);
});

for (
  const [flag, fault] of [
    ["--coordinated-leadership-lease-duration=10s", /lease-duration: should be longer/],
    ["--coordinated-leadership-renew-deadline=15s", /lease-duration: should be longer/],
    ["--coordinated-leadership-renew-deadline=2400ms", /renew-deadline: should be longer/],
    ["--coordinated-leadership-retry-period=9s", /renew-deadline: should be longer/],
    ["--coordinated-leadership-retry-period=0s", /retry-period: should be positive/],
  ] as const
) {
  Deno.test(`${flag} alone is refused`, () => {
    const parsed = parseOptions(["--service-cluster-ip-range=10.0.0.0/24", flag]);
    assert.ok(parsed.kind === "errors" && parsed.errors.some((e) => fault.test(e)), JSON.stringify(parsed));
  });
}
Deno.test("options of peers need their gate", () => {
  for (const flag of ["--peer-ca-file=/ca.pem", "--peer-advertise-ip=192.0.2.1", "--peer-advertise-port=7443"]) {
    assert.equal(parseOptions([flag]).kind, "run", flag);
    const off = parseOptions([flag, "--feature-gates=UnknownVersionInteroperabilityProxy=false"]);
    assert.equal(off.kind, "errors", flag);
  }
});
