/** Dynamic resource allocation: version v1beta1 nests devices and flattens requests. */
import { emptiedIn } from "../codec/emptied.ts";
import { isMap } from "../model/members.ts";
import type { JsonMap } from "../model/types.ts";
import { edit, present, type ShapeTable, type VersionShape } from "./types.ts";

/** Members of a request that later versions hold under `exactly`. */
const EXACT = [
  "deviceClassName",
  "selectors",
  "allocationMode",
  "count",
  "adminAccess",
  "tolerations",
  "capacity",
  "derivedAttributes",
];

function nestRequest(request: JsonMap): JsonMap {
  const exactly = present(Object.fromEntries(EXACT.map((name) => [name, request[name]])));
  const rest = Object.fromEntries(Object.entries(request).filter(([name]) => !EXACT.includes(name)));
  // The class is always written, empty where a request has alternatives.
  const any = Object.values(exactly).some((v) => v !== "") || emptiedIn(request).some((name) => EXACT.includes(name));
  return any ? { ...rest, exactly } : rest;
}

function flattenRequest({ exactly, ...request }: JsonMap): JsonMap {
  return isMap(exactly) ? { ...exactly, ...request } : request;
}

const requests = (...path: string[]): VersionShape => ({
  toHub: (o) => edit(o, [...path, "devices", "requests", "*"], nestRequest),
  fromHub: (o) => edit(o, [...path, "devices", "requests", "*"], flattenRequest),
});

const DEVICES = ["spec", "devices", "*"];

/** Versions of `resource.k8s.io` whose shape is not that of v1. */
export const RESOURCE: ShapeTable = {
  "resource.k8s.io/v1beta1 ResourceClaim": requests("spec"),
  "resource.k8s.io/v1beta1 ResourceClaimTemplate": requests("spec", "spec"),
  "resource.k8s.io/v1beta1 ResourceSlice": {
    toHub: (o) => edit(o, DEVICES, ({ basic, ...device }) => ({ ...(isMap(basic) ? basic : {}), ...device })),
    fromHub: (o) => edit(o, DEVICES, ({ name, ...basic }) => ({ ...present({ name }), basic })),
    placeInHub: (path) => path[3] === "basic" ? path.toSpliced(3, 1) : path,
  },
};
