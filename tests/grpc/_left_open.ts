/** A process whose client is left open after a call. */
import { AT_ONCE, bytes, callTo } from "./_trial.ts";
import { UNIX } from "../../host/grpc.ts";
import { GrpcClient } from "../../schema/grpc/client.ts";

const client = new GrpcClient(Deno.args[0]!, UNIX, AT_ONCE);
await client.call(callTo("echo"), bytes(""), {});
console.log("answered");
