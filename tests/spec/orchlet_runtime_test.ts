/** Options of the node agent about the way to its container runtime, by their rows. */
import assert from "node:assert/strict";
import { RuntimeError } from "../../agent/runtime/types.ts";
import { type Row, SocketPlugin } from "../fixture/socket_plugin.ts";
import { onHost } from "./_host.ts";
import { faultsOf, optionsOf, withBase } from "./_orchlet.ts";
import { spec } from "./_spec.ts";

/** A runtime behind a socket that knows two calls; `mute`: it never answers. */
class Cri extends SocketPlugin {
  mute = false;

  protected override services() {
    const answer = (told: () => object): Row[2] => () => this.mute ? new Promise<never>(() => {}) : { ...told() };
    return {
      "runtime.v1.RuntimeService": {
        Version: [[], [[2, "runtimeName", "string"]], answer(() => ({ runtimeName: this.path }))] as Row,
      },
      "runtime.v1.ImageService": { ListImages: [[], [], answer(() => ({}))] as Row },
    };
  }
}

/** Runs with two of them, and the agent's way there. */
function withRuntimes(
  flags: (main: Cri, other: Cri) => readonly string[],
  run: (asked: () => Promise<string>, main: Cri, other: Cri) => Promise<void>,
): Promise<void> {
  let both: readonly [Cri, Cri] | undefined;
  return withBase((dir) => {
    both = [new Cri(`${dir}/main.sock`), new Cri(`${dir}/other.sock`)];
    return flags(...both);
  }, async ({ base: { runtime } }) => {
    for (const cri of both!) await cri.start();
    try {
      await run(async () => {
        await runtime.listImages();
        return (await runtime.version()).runtimeName;
      }, ...both!);
    } finally {
      runtime.close();
      await Promise.all(both!.map((cri) => cri.stop()));
    }
  });
}

const runtimeAt = (cri: Cri): string => `--container-runtime-endpoint=${cri.endpoint}`;

spec(
  "Node agent options",
  onHost({
    "--container-runtime-endpoint": async () => {
      assert.equal(optionsOf().containerRuntimeEndpoint, "unix:///run/containerd/containerd.sock");
      await withRuntimes((_, other) => [runtimeAt(other)], async (asked, main, other) => {
        assert.equal(await asked(), other.path);
        assert.deepEqual([main.calls, other.calls], [[], ["ListImages", "Version"]]);
      });
      await assert.rejects(
        withBase(["--container-runtime-endpoint=tcp://127.0.0.1:1"], async () => {}),
        /container-runtime-endpoint.*should be a socket/,
      );
    },
    "--image-service-endpoint": async () => {
      const apart = (main: Cri, other: Cri) => [runtimeAt(main), `--image-service-endpoint=${other.endpoint}`];
      await withRuntimes(apart, async (asked, main, other) => {
        assert.equal(await asked(), main.path);
        assert.deepEqual([main.calls, other.calls], [["Version"], ["ListImages"]]);
      });
    },
    "--runtime-request-timeout": async () => {
      await withRuntimes((main) => [runtimeAt(main), "--runtime-request-timeout=50ms"], async (asked, main) => {
        main.mute = true;
        await assert.rejects(asked(), (e) => e instanceof RuntimeError && e.code === "DeadlineExceeded");
      });
      assert.equal(optionsOf().runtimeRequestTimeout, 120_000);
      assert.notEqual(faultsOf("--runtime-request-timeout=soon"), "");
    },
  }),
);
