/**
 * Certificates for pods: for each projection a key is made and a request is posted; what a signer answers is looked up
 * with each sync. A certificate is asked for anew once its signer says that it is time.
 */
import type { PodCertificateRequest } from "../../schema/api/certificates.k8s.io_v1.ts";
import type { Pod, PodCertificateProjection, ServiceAccount } from "../../schema/api/core_v1.ts";
import { timeToSeconds } from "../../schema/values/time.ts";
import type { Product } from "../../schema/product.ts";
import { type Api, type Clock, type Events, isNotFound, type PodRef } from "../types.ts";
import { certificatePem, certificatesIn } from "./pem.ts";
import { keyAndRequest } from "./stub_request.ts";

/** A certificate is renewed up to so much later than its signer says, and is overdue after so much more, ms. */
const JITTER = 5 * 60_000, OVERDUE = 10 * 60_000;

/** What a pod is given, PEM. */
export interface Credential {
  readonly key: string;
  readonly chain: string;
}

interface Held extends Credential {
  /** ms */
  readonly renewAt: number;
  readonly expires: number;
}

/** One projection of one pod. */
interface Projection {
  held?: Held;
  asked?: { readonly name: string; readonly key: string };
  /** Why there will never be a certificate. */
  refused?: string;
  /** Events that were told of what is held. */
  told: Set<string>;
}

const REFUSALS: Readonly<Record<string, string>> = { Denied: "was denied", Failed: "failed" };
const ms = (time: string | undefined | null) => time ? timeToSeconds(time).seconds * 1000 : Infinity;

/** What certificates are asked for with. */
export interface CertificateParts {
  /** Undefined: the agent has no server. */
  readonly api: Api | undefined;
  readonly clock: Clock;
  readonly events: Events;
  /** Of the node's object. */
  readonly node: { uid(): string };
  readonly product: Product;
  /** In [0, 1). */
  readonly random: () => number;
}

/** Which projection of which pod. */
export interface Place {
  readonly pod: Pod;
  readonly ref: PodRef;
  /** Name of the volume. */
  readonly name: string;
}

/** See the top of the file. */
export class PodCertificates {
  /** By pod, then by volume and place in its sources. */
  readonly #projections = new Map<string, Map<string, Projection>>();

  constructor(readonly parts: CertificateParts) {}

  /** @throws Error while there is none, or when there will be none */
  async of(volume: Place, index: number, source: PodCertificateProjection): Promise<Credential> {
    const { api, clock } = this.parts;
    if (!api) throw new Error("pod certificates are not supported without a server");
    const it = this.#projection(volume.ref, `${volume.name}/${index}`);
    try {
      if (it.asked) await this.#look(api, it, volume);
      if (!it.refused && !it.asked && (!it.held || clock.now() >= it.held.renewAt)) {
        it.asked = await this.#ask(api, volume, source);
      }
    } catch (e) {
      if (!it.held) throw e;
    }
    if (it.refused) throw new Error(it.refused);
    if (!it.held) throw new Error("credential bundle is not issued yet");
    this.#tellLate(it, it.held, volume);
    return it.held;
  }

  /** The pod is no more. */
  release(uid: string): void {
    this.#projections.delete(uid);
  }

  #projection({ uid }: PodRef, key: string): Projection {
    let ofPod = this.#projections.get(uid);
    if (!ofPod) this.#projections.set(uid, ofPod = new Map());
    let it = ofPod.get(key);
    if (!it) ofPod.set(key, it = { told: new Set() });
    return it;
  }

  #path(namespace: string): string {
    const group = this.parts.product.local("certificates.k8s.io");
    return `/apis/${group}/v1/namespaces/${encodeURIComponent(namespace)}/podcertificaterequests`;
  }

  async #ask(api: Api, { ref, pod }: Place, source: PodCertificateProjection) {
    const { product, node } = this.parts;
    const serviceAccountName = pod.spec?.serviceAccountName ?? "";
    const accounts = `/api/v1/namespaces/${encodeURIComponent(ref.namespace)}/serviceaccounts`;
    const account = await api.request<ServiceAccount>("GET", `${accounts}/${encodeURIComponent(serviceAccountName)}`)
      .catch((e: Error) => {
        throw new Error(`while fetching service account: ${e.message}`, { cause: e });
      });
    const { key, request } = await keyAndRequest(source.keyType ?? "");
    const body: PodCertificateRequest = {
      apiVersion: product.local("certificates.k8s.io/v1"),
      kind: "PodCertificateRequest",
      metadata: {
        generateName: "req-",
        ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: ref.name, uid: ref.uid }],
      },
      spec: {
        signerName: source.signerName ?? "",
        podName: ref.name,
        podUID: ref.uid,
        serviceAccountName,
        serviceAccountUID: account.metadata?.uid ?? "",
        nodeName: pod.spec?.nodeName ?? "",
        nodeUID: node.uid(),
        ...(source.maxExpirationSeconds === undefined ? {} : { maxExpirationSeconds: source.maxExpirationSeconds }),
        stubPKCS10Request: request.toBase64(),
        ...(source.userAnnotations ? { unverifiedUserAnnotations: source.userAnnotations } : {}),
      },
    };
    const made = await api.request<PodCertificateRequest>("POST", this.#path(ref.namespace), { body });
    return { name: made.metadata?.name ?? "", key };
  }

  /** What became of the request. One that is gone is forgotten, so that another one is made. */
  async #look(api: Api, it: Projection, { ref, pod }: Place): Promise<void> {
    const { name, key } = it.asked!;
    let request: PodCertificateRequest;
    try {
      request = await api.request("GET", `${this.#path(ref.namespace)}/${encodeURIComponent(name)}`);
    } catch (e) {
      if (!isNotFound(e)) throw e;
      delete it.asked;
      return;
    }
    const { conditions, certificateChain, beginRefreshAt, notAfter } = request.status ?? {};
    for (const { type, reason, message } of conditions ?? []) {
      const why = `reason=${JSON.stringify(reason)}`, said = JSON.stringify(message);
      if (Object.hasOwn(REFUSALS, type)) {
        it.refused = `PodCertificateRequest was permanently ${type.toLowerCase()}: ${why} message=${said}`;
        const event = `PodCertificateRequest ${ref.namespace}/${name} ${REFUSALS[type]}, ${why}, message=${said}`;
        this.parts.events.pod(pod, "Warning", type, event);
        delete it.asked;
      }
      if (type !== "Issued") continue;
      const renewAt = ms(beginRefreshAt) + this.parts.random() * JITTER;
      const chain = certificatesIn(certificateChain ?? "").map(certificatePem).join("");
      it.held = { key, chain, renewAt, expires: ms(notAfter) };
      it.told.clear();
      delete it.asked;
    }
  }

  #tellLate(it: Projection, { renewAt, expires }: Held, { pod }: Place): void {
    const now = this.parts.clock.now();
    const late = [
      [now > renewAt + OVERDUE, "CertificateOverdueForRefresh", "PodCertificate refresh overdue"],
      [now > expires, "CertificateExpired", "PodCertificate expired"],
    ] as const;
    for (const [is, reason, message] of late) {
      if (!is || it.told.has(reason)) continue;
      it.told.add(reason);
      this.parts.events.pod(pod, "Warning", reason, message);
    }
  }
}
