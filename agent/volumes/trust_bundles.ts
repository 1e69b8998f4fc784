/** Roots of certificates that everybody in the cluster may read (ClusterTrustBundles). */
import type { ClusterTrustBundle } from "../../schema/api/certificates.k8s.io_v1.ts";
import type { ClusterTrustBundleProjection } from "../../schema/api/core_v1.ts";
import type { Product } from "../../schema/product.ts";
import { matches, selectorFromLabelSelector } from "../../schema/values/labels.ts";
import type { Api, Clock } from "../types.ts";
import { certificatePem, certificatesIn } from "./pem.ts";

/** Longest wait for the first answer, ms. */
const FIRST_ANSWER = 5_000;

/** All bundles of the cluster, followed from the first time that a pod asks for one. */
export class TrustBundles {
  readonly #bundles = new Map<string, ClusterTrustBundle>();
  #run: { readonly abort: AbortController; readonly known: Promise<void> } | undefined;

  /** @param api undefined: the agent has no server */
  constructor(readonly api: Api | undefined, readonly clock: Clock, readonly product: Product) {}

  /** Roots as PEM, each once. @throws Error: there are none, or the server does not say */
  async roots(wish: ClusterTrustBundleProjection): Promise<Uint8Array> {
    if (!this.api) throw new Error("ClusterTrustBundle projection is not supported in static kubelet mode");
    if (!await this.#known(this.api)) throw new Error("ClusterTrustBundle informer has not yet synced");
    const chosen = this.#chosen(wish);
    if (chosen.length === 0 && !wish.optional) {
      throw new Error(
        wish.name === undefined
          ? "combination of signerName and labelSelector matched zero ClusterTrustBundles"
          : `while getting ClusterTrustBundle: clustertrustbundle.${this.product.local("certificates.k8s.io")} ${
            JSON.stringify(wish.name)
          } not found`,
      );
    }
    const roots = new Set(chosen.flatMap((b) => certificatesIn(b.spec.trustBundle)));
    return new TextEncoder().encode([...roots].sort().map(certificatePem).join(""));
  }

  /** Follows nothing any more. */
  close(): void {
    this.#run?.abort.abort();
    this.#run = undefined;
    this.#bundles.clear();
  }

  #chosen({ name, signerName, labelSelector }: ClusterTrustBundleProjection): ClusterTrustBundle[] {
    if (name !== undefined) {
      const bundle = this.#bundles.get(name);
      return bundle ? [bundle] : [];
    }
    if (signerName === undefined) {
      throw new Error("ClusterTrustBundle projection requires either name or signerName to be set");
    }
    const selector = selectorFromLabelSelector(labelSelector);
    if (!selector) return [];
    return [...this.#bundles.values()].filter((b) =>
      b.spec.signerName === signerName && matches(selector, b.metadata?.labels)
    );
  }

  async #known(api: Api): Promise<boolean> {
    const { known } = this.#run ??= this.#follow(api);
    const end = new AbortController();
    const answered = await Promise.race([
      known.then(() => true),
      this.clock.wait(FIRST_ANSWER, end.signal).then(() => false),
    ]);
    end.abort();
    return answered;
  }

  #follow(api: Api) {
    const abort = new AbortController();
    const known = Promise.withResolvers<void>();
    const set = (b: ClusterTrustBundle) => this.#bundles.set(b.metadata?.name ?? "", b);
    const to = {
      replace: (bundles: readonly ClusterTrustBundle[]) => {
        this.#bundles.clear();
        bundles.forEach(set);
        known.resolve();
      },
      changed: (type: string, bundle: ClusterTrustBundle) => {
        if (type === "DELETED") this.#bundles.delete(bundle.metadata?.name ?? "");
        else set(bundle);
      },
    };
    const path = this.product.local("/apis/certificates.k8s.io/v1/clustertrustbundles");
    api.follow<ClusterTrustBundle>(path, {}, to, abort.signal).catch(() => this.close());
    return { abort, known: known.promise };
  }
}
