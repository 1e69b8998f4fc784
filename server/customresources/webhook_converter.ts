/** Conversion of custom objects by a webhook (`spec.conversion.strategy: Webhook`). */
import { stringifyJson } from "../../schema/codec/json.ts";
import type { Converter, Json, Kind, Obj } from "../../schema/model/types.ts";
import { splitApiVersion } from "../../schema/scheme.ts";
import { StatusError } from "../../schema/status.ts";
import { uuid } from "../../schema/values/random.ts";
import { type AddressContext, addressing, NoAddress } from "../admission/webhooks/address.ts";
import { postWithin } from "../admission/webhooks/within.ts";
import { type ClientConfig, clientConfig } from "../admission/webhooks/hook.ts";
import type { HookAddress, HookTransport } from "../admission/webhooks/transport.ts";
import type { CallFailure, ConversionMetrics } from "../metrics/conversions.ts";
import type { Definition } from "./definition.ts";
import {
  checkCount,
  convertedObject,
  convertedTrees,
  plainFailure,
  type Review,
  type ReviewVersion,
} from "./webhook_answer.ts";
import { said } from "../said.ts";

/** How webhooks that convert are reached. */
export interface ConversionHooks extends AddressContext {
  /** The connections of all that convert, opened at the first use. */
  transport(): HookTransport;
  readonly metrics: ConversionMetrics;
  /** ms since the epoch. */
  readonly now: () => number;
}

/** The bound of one call, seconds. */
const TIMEOUT_S = 30;
/** Most objects, and about the most characters, of one call: answers are bounded too. */
const MAX_OBJECTS = 500;
const MAX_TEXT = 2 * 1024 * 1024;
const VERSIONS: readonly string[] = ["v1", "v1beta1"];

/** Objects of one call, as JSON. */
interface Batch {
  readonly objects: Obj[];
  readonly texts: string[];
}

/** The converter of a definition; undefined where its versions differ by their schemas only. `kinds`: all its versions. */
export function webhookConverter(
  d: Definition,
  hooks: ConversionHooks,
  kinds: () => Iterable<Kind>,
): Converter | undefined {
  const { strategy, webhook } = d.spec.conversion ?? {};
  if (strategy !== "Webhook") return undefined;
  const client = trusted(clientConfig(webhook?.clientConfig ?? {})), whereIs = addressing(hooks);
  const version = webhook?.conversionReviewVersions?.find((v) => VERSIONS.includes(v)) as ReviewVersion | undefined;
  const apiVersion = `${hooks.product.local("apiextensions.k8s.io")}/${version}`;
  const call = async ({ objects, texts }: Batch, to: Kind, signal: AbortSignal | undefined): Promise<Obj[]> => {
    const about = `conversion webhook for ${objects[0]!.apiVersion}, Kind=${objects[0]!.kind}`;
    if (!version) throw plainFailure("no supported conversion review versions");
    const review: Review = { apiVersion, version, uid: uuid(hooks.random) };
    const started = hooks.now();
    let step: CallFailure = "conversion_webhook_call_failure";
    try {
      const address = placed(about, () => whereIs(client, TIMEOUT_S));
      const body = reviewText(review, to, texts);
      const answer = await post(about, hooks.transport(), address, body, signal);
      step = "conversion_webhook_malformed_response_failure";
      const trees = convertedTrees(about, review, answer);
      const one = objects.length === 1;
      step = `conversion_webhook_${one ? "no_objects_returned" : "partial_response"}_failure`;
      checkCount(about, trees, objects.length);
      step = "conversion_webhook_invalid_converted_object_failure";
      const made = objects.map((object, i) => convertedObject(about, object, trees[i], to, i));
      step = "";
      return made;
    } finally {
      hooks.metrics.called(hooks.now() - started, step);
    }
  };
  const convert = async (objects: readonly Obj[], to: Kind, signal: AbortSignal | undefined): Promise<Obj[]> => {
    const made: Obj[] = [];
    for (const batch of batches(objects)) made.push(...await call(batch, to, signal));
    return made;
  };
  const refusing: Converter = async (objects, to, signal) => {
    const known = new Set([...kinds()].map((k) => k.apiVersion));
    for (const { apiVersion } of objects) {
      if (!known.has(apiVersion)) {
        throw plainFailure(`request to convert CR from an invalid group/version: ${apiVersion}`);
      }
    }
    return await convert(objects, to, signal);
  };
  return measured(d.metadata.name!, hooks, refusing);
}

/** Tells how long conversions between versions take. */
function measured(definition: string, { metrics, now }: ConversionHooks, convert: Converter): Converter {
  return async (objects, to, signal) => {
    const started = now(), from = splitApiVersion(objects[0]?.apiVersion ?? "").version;
    let succeeded = false;
    try {
      const made = await convert(objects, to, signal);
      succeeded = true;
      return made;
    } finally {
      if (objects.length > 0 && from !== to.version) {
        metrics.converted({ definition, from, to: to.version, ms: now() - started, succeeded });
      }
    }
  };
}

/** A bundle of nothing but blanks is none. */
const trusted = (c: ClientConfig): ClientConfig => "ca" in c && c.ca.trim() === "" ? { ...c, ca: "" } : c;

function* batches(objects: readonly Obj[]): Generator<Batch> {
  let batch: Batch = { objects: [], texts: [] }, size = 0;
  for (const object of objects) {
    const text = stringifyJson(object as Json);
    if (batch.objects.length === MAX_OBJECTS || (size > 0 && size + text.length > MAX_TEXT)) {
      yield batch;
      [batch, size] = [{ objects: [], texts: [] }, 0];
    }
    batch.objects.push(object);
    batch.texts.push(text);
    size += text.length;
  }
  if (size > 0) yield batch;
}

function reviewText({ apiVersion, uid }: Review, to: Kind, texts: readonly string[]): string {
  const request = `"uid":"${uid}","desiredAPIVersion":${JSON.stringify(to.apiVersion)},"objects":[${texts.join(",")}]`;
  return `{"kind":"ConversionReview","apiVersion":${JSON.stringify(apiVersion)},"request":{${request}}}`;
}

function placed(about: string, where: () => HookAddress): HookAddress {
  try {
    return where();
  } catch (e) {
    throw e instanceof NoAddress ? plainFailure(`${about} failed: ${e.message}`) : e;
  }
}

/** The text of an answer. @throws StatusError 500 where there is none, 504 when the request has ended */
async function post(
  about: string,
  transport: HookTransport,
  address: HookAddress,
  body: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const answer = await postWithin(TIMEOUT_S * 1000, transport, address, body, signal).catch((e: Error) => {
    throw e instanceof StatusError ? e : plainFailure(`${about} failed: ${e.message}`);
  });
  if (answer.status >= 200 && answer.status <= 206) return answer.body;
  throw plainFailure(`${about} failed: ${said(answer.body) ?? `the server answered ${answer.status}`}`);
}
