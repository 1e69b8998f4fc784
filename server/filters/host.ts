/** The header `Host`: the address of a request is put together of it and of the path. */

/** All that a host and a port may be written with. A slash or a question mark would make a part of the path of it. */
const PLAIN = /^[\w!$%&'()*+,\-.:;=[\]~]*$/;

/** Whether nothing of the header can be taken for another part of the address. */
export function hasPlainHost({ headers }: Request): boolean {
  const host = headers.get("host");
  return host === null || PLAIN.test(host);
}

/** 400 as web servers say it: there is nobody yet to tell more. */
export function malformedHost(): Response {
  return new Response("400 Bad Request: malformed Host header", {
    status: 400,
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
  });
}
