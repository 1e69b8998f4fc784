/** Rules of secrets. */
import { format, immutable } from "../checks/basic.ts";
import { textOfBytes } from "../certificates/pem.ts";
import { configKey } from "../checks/formats.ts";
import type { ErrorList } from "../errors.ts";
import { perProduct } from "../local.ts";
import { Path } from "../path.ts";
import { isSet, type Tree } from "../tree.ts";
import type { KindRules } from "../types.ts";
import { DATA_LIMIT, decodedLength, immutableData } from "./config_map.ts";

const DATA = Path.of("data");
type TypeRule = (secret: Tree, errors: ErrorList) => void;

const needs = (...keys: string[]): TypeRule => (s, errors) => {
  for (const k of keys) if (!isSet(s["data"]?.[k])) errors.required(DATA.key(k));
};
const needsJson = (key: string): TypeRule => (s, errors) => {
  const text = s["data"]?.[key];
  if (!isSet(text)) return errors.required(DATA.key(key));
  try {
    const value = JSON.parse(textOfBytes(text));
    if (value !== null && (typeof value !== "object" || Array.isArray(value))) throw new Error("not an object");
  } catch {
    errors.invalid(DATA.key(key), "<secret contents redacted>", "must be a JSON object");
  }
};

/** What a type asks for. Types that are not here ask for nothing. */
const TYPES = perProduct((p): Readonly<Record<string, TypeRule>> => {
  const account = p.local("kubernetes.io/service-account.name");
  return {
    [p.local("kubernetes.io/service-account-token")]: (s, errors) => {
      if (!s["metadata"].annotations?.[account]) errors.required(Path.of("metadata", "annotations").key(account));
    },
    [p.local("kubernetes.io/dockercfg")]: needsJson(".dockercfg"),
    [p.local("kubernetes.io/dockerconfigjson")]: needsJson(".dockerconfigjson"),
    [p.local("kubernetes.io/basic-auth")]: (s, errors) => {
      if (!isSet(s["data"]?.username) && !isSet(s["data"]?.password)) needs("username", "password")(s, errors);
    },
    [p.local("kubernetes.io/ssh-auth")]: (s, errors) => {
      if (!s["data"]?.["ssh-privatekey"]) errors.required(DATA.key("ssh-privatekey"));
    },
    [p.local("kubernetes.io/tls")]: needs("tls.crt", "tls.key"),
  };
});

/** Rules of `secrets`. */
export const SECRET: KindRules = {
  changesFirst: true,
  prepareUpdate(obj, old) {
    if (!obj["type"]) obj["type"] = old["type"];
  },
  validate(obj, errors, ctx) {
    let size = 0;
    const data: Tree = obj["data"] ?? {};
    for (const k in data) {
      format(k, DATA.key(k), errors, configKey);
      size += decodedLength(data[k] ?? "");
    }
    if (size > DATA_LIMIT) errors.tooLong(DATA, DATA_LIMIT);
    const types = TYPES(ctx.product), type: string = obj["type"] ?? "";
    if (Object.hasOwn(types, type)) types[type]!(obj, errors);
  },
  warnings(obj, _old, ctx) {
    if (obj["type"] !== ctx.product.local("kubernetes.io/tls")) return [];
    const data: Tree = obj["data"] ?? {};
    const why = ctx.certificates?.pairFault(data["tls.crt"] ?? "", data["tls.key"] ?? "");
    return why ? [`tls: ${why}`] : [];
  },
  validateUpdate(obj, old, errors) {
    immutable(obj["type"], old["type"], Path.of("type"), errors);
    immutableData(obj, old, ["data"], errors);
  },
};
