/** Renews the pair of a store before it comes to its end. */
import { generateKey } from "../../pki/keys.ts";
import type { KeyPair } from "../../pki/pair.ts";
import type { LogLine } from "../../schema/log/log.ts";
import type { Product } from "../../schema/product.ts";
import { fraction, type RandomBytes } from "../../schema/values/random.ts";
import { growing } from "../client/mod.ts";
import type { Api, Clock } from "../types.ts";
import type { RenewalFigures } from "./metrics.ts";
import { lifeOf } from "./pair.ts";
import { askForCertificate, type Wanted } from "./signing.ts";
import type { PairStore } from "./store.ts";
import { satisfies, type Template } from "./x509.ts";

/** Renewal comes after such a part of a certificate's life, and up to so much more. */
const PART = 0.7;
const JITTER = 0.2;
/** How often it is looked whether what is wanted has changed. */
const LOOK_MS = 5_000;
const WAIT_MS = 15 * 60_000;
/** Pauses after attempts that failed. */
const PAUSE_MS = 2_000;
const MAX_PAUSE_MS = 32_000;

/** What rotation goes by. */
export interface RotationParts {
  readonly store: PairStore;
  readonly signer: Wanted["signer"];
  /** What the certificate is to say; undefined: that is not known yet. */
  template(): Template | undefined;
  /** Who asks: chosen at each attempt. */
  api(): Api;
  /** Another pair is in use. */
  changed(pair: KeyPair): void;
  readonly product: Product;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly log: LogLine;
  readonly figures: RenewalFigures;
}

/** When a certificate is to be renewed, ms. */
export function renewalOf(cert: string, random: RandomBytes): number {
  const { from, to } = lifeOf(cert);
  return from + (to - from) * (PART + JITTER * fraction(random));
}

/** Keeps the store's pair good until the signal ends it. @param now the pair is to be renewed at once */
export async function rotate(p: RotationParts, now: boolean, signal: AbortSignal): Promise<void> {
  const { clock, random, store, log } = p;
  const pauses = growing(PAUSE_MS, MAX_PAUSE_MS, random);
  for (let at = now ? 0 : undefined as number | undefined; !signal.aborted;) {
    const template = p.template(), { current } = store;
    at ??= current ? renewalOf(current.cert, random) : 0;
    if (template && (clock.now() >= at || !await says(current, template))) {
      try {
        await renew(p, template, signal);
        at = renewalOf(store.current!.cert, random);
        const fault = !await says(store.current, template)
          ? "says less than was asked for"
          : at <= clock.now()
          ? "is to be renewed at once"
          : undefined;
        if (fault === undefined) pauses.reset();
        else {
          log("warn", `a certificate of ${p.product.local(p.signer)} ${fault}`);
          await clock.wait(pauses.next(), signal);
        }
      } catch (e) {
        if (signal.aborted) return;
        p.figures.failed();
        log("warn", `no certificate of ${p.product.local(p.signer)}`, e instanceof Error ? e.message : e);
        await clock.wait(pauses.next(), signal);
      }
    } else await clock.wait(template ? Math.min(LOOK_MS, at - clock.now()) : LOOK_MS, signal);
  }
}

const says = (pair: KeyPair | undefined, template: Template): Promise<boolean> =>
  satisfies(pair?.cert ?? "", template).catch(() => false);

async function renew(p: RotationParts, template: Template, signal: AbortSignal): Promise<void> {
  const { signer, product, clock, store, log, figures } = p;
  const before = store.current?.cert;
  const key = generateKey("pkcs8"), stop = new AbortController();
  const end = () => stop.abort(signal.reason);
  signal.addEventListener("abort", end);
  const wanted = { template, key, signer, waitMs: WAIT_MS };
  const same = () => JSON.stringify(p.template()) === JSON.stringify(template);
  whenOther(same, clock, stop).catch(end);
  try {
    const cert = await askForCertificate(p.api(), product, clock, wanted, stop.signal);
    await store.update({ cert, key }, clock.now());
    figures.renewed(before);
  } finally {
    signal.removeEventListener("abort", end);
    stop.abort();
  }
  log("info", `a certificate of ${product.local(signer)} was issued`);
  p.changed(store.current!);
}

/** Gives up what is waited for when something else is wanted meanwhile. */
async function whenOther(same: () => boolean, clock: Clock, stop: AbortController): Promise<void> {
  while (!stop.signal.aborted && same()) await clock.wait(LOOK_MS, stop.signal);
  stop.abort(new Error("another certificate is wanted by now"));
}
