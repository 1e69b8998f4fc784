/** `x-kubernetes-unions`: members of which one is chosen. */
import type { JsonMap, Message } from "../../schema/model/types.ts";
import { upper } from "./names.ts";

/** What a definition says of a union; nothing for other messages. The discriminator's value is the member's name. */
export function unionsOf(message: Message): JsonMap {
  if (!message.union) return {};
  const discriminator = message.json.find((f) => f.unionDiscriminator);
  const members = message.json.filter((f) => f !== discriminator).map((f) => f.name).sort();
  const by: JsonMap = Object.fromEntries(members.map((name) => [name, upper(name)]));
  const union: JsonMap = {
    ...(discriminator ? { discriminator: discriminator.name } : {}),
    "fields-to-discriminateBy": by,
  };
  return { "x-kubernetes-unions": [union] };
}
