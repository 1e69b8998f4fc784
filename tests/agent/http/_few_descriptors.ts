/** Listens as the agent does and says where, until it is ended. */
import { listen } from "../../../agent/http/listen/listen.ts";

const listener = await listen({
  host: "127.0.0.1",
  port: 0,
  now: () => performance.now(),
  handle: ({ response }) => Promise.resolve(void response.end("ok")),
  failed: () => {},
});
console.log(listener.port);
