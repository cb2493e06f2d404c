// A request as the stand-in of its vendor gets it.
import type { HttpRequest } from '#lib/events/platforms/platform.ts';
import type { SandboxRequest } from '#services/local/sandbox/platforms/platform-sandbox.ts';

export function asReceived(
  { method, url, headers, body }: HttpRequest,
  change: Partial<SandboxRequest> = {},
): SandboxRequest {
  const { host, pathname: path, searchParams } = new URL(url);
  return { method, host, path, query: Object.fromEntries(searchParams), headers, body, ...change };
}
