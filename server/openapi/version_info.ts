/** What `/version` answers, as a message: it is of no API group, so that no table of kinds has it. */
import type { Field, Message } from "../../schema/model/types.ts";

const ALWAYS = [
  "major",
  "minor",
  "gitVersion",
  "gitCommit",
  "gitTreeState",
  "buildDate",
  "goVersion",
  "compiler",
  "platform",
];
const SOMETIMES = ["emulationMajor", "emulationMinor", "minCompatibilityMajor", "minCompatibilityMinor"];

const text = (required: boolean) => (name: string): Field => ({
  name,
  number: 0,
  type: "string",
  repeated: false,
  map: false,
  inline: false,
  pointer: false,
  required,
  optional: !required,
  omitempty: !required,
  omitzero: false,
  nullable: false,
});
const fields = [...ALWAYS.map(text(true)), ...SOMETIMES.map(text(false))];

/** Version of the server. */
export const VERSION_INFO: Message = {
  id: "io.k8s.apimachinery.pkg.version.Info",
  fields,
  json: fields,
  byName: new Map(fields.map((f) => [f.name, f])),
  wire: [],
};
