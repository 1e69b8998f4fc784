/** What a driver is told of a volume and its pod when it is published. */
import { type CsiVolume, secretOf } from "./volume.ts";

type Strings = Readonly<Record<string, string>>;

/** Keys for drivers are public names in every dialect: drivers go by them. */
const KEY = "csi.storage.k8s.io";

/** See the top of the file. */
interface PublishContext {
  readonly attributes: Strings;
  readonly secrets: Strings;
}

/** @throws Error: a secret or a token cannot be had */
export async function publishContext(volume: CsiVolume): Promise<PublishContext> {
  const { setup: { host }, object, publishSecret, attributes } = volume;
  const secrets = await secretOf(host, publishSecret, "fetching NodePublishSecretRef");
  const told = { ...attributes, ...(object?.spec.podInfoOnMount ? podInfo(volume) : {}) };
  const tokens = await tokensOf(volume);
  return object?.spec.serviceAccountTokenInSecrets
    ? { attributes: told, secrets: { ...secrets, ...tokens } }
    : { attributes: { ...told, ...tokens }, secrets };
}

function podInfo({ setup: { ref, pod }, isEphemeral }: CsiVolume): Strings {
  return {
    [`${KEY}/pod.name`]: ref.name,
    [`${KEY}/pod.namespace`]: ref.namespace,
    [`${KEY}/pod.uid`]: ref.uid,
    [`${KEY}/serviceAccount.name`]: pod.spec?.serviceAccountName ?? "",
    [`${KEY}/ephemeral`]: String(isEphemeral),
  };
}

async function tokensOf({ setup: { host, ref, pod }, object }: CsiVolume): Promise<Strings> {
  const wishes = object?.spec.tokenRequests ?? [];
  if (wishes.length === 0) return {};
  const tokens: Record<string, unknown> = {};
  try {
    for (const { audience, expirationSeconds } of wishes) {
      const seconds = expirationSeconds === undefined ? undefined : Number(expirationSeconds);
      const wish = { serviceAccount: pod.spec?.serviceAccountName ?? "", audience, seconds };
      tokens[audience] = await host.tokens.status(ref, wish);
    }
  } catch (e) {
    const why = (e as Error).message;
    throw new Error(
      `kubernetes.io/csi: mounter.SetUpAt failed to get service accoount token attributes: ${why}`,
      { cause: e },
    );
  }
  return { [`${KEY}/serviceAccount.tokens`]: JSON.stringify(tokens) };
}
