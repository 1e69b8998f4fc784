/** Listens and says where, until it is ended. */
import { listen } from "../../server/listen/mod.ts";

const listener = await listen(() => new Response("ok"), { hostname: "127.0.0.1", port: 0 });
console.log(listener.port);
