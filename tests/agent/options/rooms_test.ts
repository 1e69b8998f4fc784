/** What the rooms of the agent ask of options is what the options have: by type alone. */
import type { AdmissionOptions } from "../../../agent/admission/mod.ts";
import type { EvictionOptions } from "../../../agent/eviction/mod.ts";
import type { HttpOptions } from "../../../agent/http/types.ts";
import type { CollectOptions, PullOptions } from "../../../agent/images/options.ts";
import type { DnsOptions } from "../../../agent/network/dns.ts";
import type { NodeOptions } from "../../../agent/node/options.ts";
import type { AgentOptions } from "../../../agent/options/mod.ts";
import type { ResourceOptions } from "../../../agent/resources/mod.ts";
import type { VolumeOptions } from "../../../agent/volumes/mod.ts";

type Asked =
  & AdmissionOptions
  & CollectOptions
  & DnsOptions
  & EvictionOptions
  & HttpOptions
  & NodeOptions
  & PullOptions
  & ResourceOptions
  & VolumeOptions;

Deno.test("every room is satisfied", () => {
  const given: (options: AgentOptions) => Asked = (options) => options;
  void given;
});
