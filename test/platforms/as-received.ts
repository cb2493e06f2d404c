// A request as the stand-in of its vendor gets it.
import type { HttpRequest } from '#lib/events/platforms/platform.ts';
import type { SandboxRequest } from '#services/local/sandbox/platforms/platform-sandbox.ts';

export function asReceived(
  { method, url, headers, body, packed }: HttpRequest,
  change: Partial<SandboxRequest> = {},
): SandboxRequest {
  const { host, pathname: path, searchParams } = new URL(url);
  return {
    method,
    host,
    path,
    query: Object.fromEntries(searchParams),
    headers,
    body,
    ...(packed === undefined ? {} : { packed }),
    ...change,
  };
}

/** The body as JSON; as a list, where it is lines of JSON; nothing of a request that has none. */
export function parsedBody(body: string): unknown {
  if (body === '') return '';
  const lines = body.endsWith('\n') ? body.trimEnd().split('\n') : [body];
  const values = lines.map((line) => JSON.parse(line) as unknown);
  return values.length === 1 ? values[0] : values;
}
