/** Answers outside the API. */

/** 404 of a path that is nothing here. */
export function pageNotFound(): Response {
  return new Response("404 page not found\n", {
    status: 404,
    headers: { "content-type": "text/plain; charset=utf-8", "x-content-type-options": "nosniff" },
  });
}
