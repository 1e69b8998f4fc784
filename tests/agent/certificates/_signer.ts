/** Approves requests for certificates and signs them, as a controller manager does. */
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import type { ApiClient } from "../../../agent/client/mod.ts";
import type { Product } from "../../../schema/product.ts";
import type { Loose } from "../../fixture/loose.ts";
import { signingKeyOf } from "../../fixture/signing_key.ts";

const CURVE = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 24 * 60 * 60 * 1000;

/** Follows all requests with an administrator's client until the signal ends it. */
export class Signer {
  /** What was asked for: the signer, the subject and who asked. */
  readonly seen: string[] = [];
  readonly #done = new Set<string>();

  private constructor(private readonly ca: x509.X509Certificate, private readonly key: CryptoKey) {}

  /** @param directory with `ca.crt` and `ca.key` */
  static async of(directory: string): Promise<Signer> {
    const key = await signingKeyOf(await Deno.readTextFile(`${directory}/ca.key`));
    const ca = new x509.X509Certificate(await Deno.readTextFile(`${directory}/ca.crt`));
    return new Signer(ca, key);
  }

  run(api: ApiClient, product: Product, signal: AbortSignal): Promise<void> {
    const path = `/apis/${product.local("certificates.k8s.io")}/v1/certificatesigningrequests`;
    const take = (request: Loose) => void this.#sign(api, path, request);
    return api.follow(path, {}, {
      replace: (requests: readonly Loose[]) => requests.forEach(take),
      changed: (type, request) => type !== "DELETED" && take(request),
    }, signal);
  }

  async #sign(api: ApiClient, path: string, request: Loose): Promise<void> {
    const { name } = request.metadata;
    if (this.#done.has(name)) return;
    this.#done.add(name);
    const asked = new x509.Pkcs10CertificateRequest(atob(request.spec.request));
    this.seen.push(`${request.spec.signerName} ${asked.subject} ${request.spec.username}`);
    const names = asked.getExtension("2.5.29.17");
    const usage = request.spec.usages.includes("client auth") ? "clientAuth" : "serverAuth";
    const cert = await x509.X509CertificateGenerator.create({
      subject: asked.subjectName,
      issuer: this.ca.subjectName,
      publicKey: asked.publicKey,
      signingKey: this.key,
      signingAlgorithm: CURVE,
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + DAY_MS),
      extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[usage]]), ...(names ? [names] : [])],
    });
    const conditions = [{ type: "Approved", status: "True", reason: "Test", message: "" }];
    const approved: Loose = await api.request("PUT", `${path}/${name}/approval`, {
      body: { ...request, status: { conditions } },
    });
    const status = { ...approved.status, certificate: btoa(`${cert.toString("pem")}\n`) };
    await api.request("PUT", `${path}/${name}/status`, { body: { ...approved, status } });
  }
}
