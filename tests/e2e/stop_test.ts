/** A real server that is told to end while it answers. */
import assert from "node:assert/strict";
import { connectTls, isRefused, readUntil, until } from "../listen/_fixture.ts";
import { pause } from "../../server/pause.ts";
import { ServerProcess } from "./_server.ts";

const pem = (base64: string) => new TextDecoder().decode(Uint8Array.fromBase64(base64));

Deno.test("a write whose client is still sending it is done though watches have little time", async () => {
  const flags = ["--shutdown-delay-duration=1s", "--shutdown-watch-termination-grace-period=100ms"];
  const server = await ServerProcess.start("kubernetes", flags);
  try {
    const { clusters: [{ cluster }], users: [{ user }] } = JSON.parse(await Deno.readTextFile(server.kubeconfig));
    const socket = await connectTls(server.port, {
      ca: pem(cluster["certificate-authority-data"]),
      cert: pem(user["client-certificate-data"]),
      key: pem(user["client-key-data"]),
    });
    const body = JSON.stringify({ metadata: { name: "late" } });
    const head = `Host: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
    socket.write(`POST /api/v1/namespaces/default/configmaps HTTP/1.1\r\n${head}${body.slice(0, 5)}`);
    const ended = server.stop();
    await until("nobody is let in", () => isRefused(server.port));
    // Longer than watches have.
    await pause(300);
    const answer = readUntil(socket, (text) => text.includes("\r\n\r\n"));
    socket.write(body.slice(5));
    assert.match(await answer, /^HTTP\/1\.1 201 /);
    await ended;
  } finally {
    await server.end();
  }
});
