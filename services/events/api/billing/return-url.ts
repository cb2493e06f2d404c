// Where the payment provider sends people back to. Refuses: pages of any origin that the deployment does not list, however
// the address is written; a page of somebody else would be reached from our checkout and be trusted for it.
import type { ErrorDetail } from '#lib/core/http/errors.ts';

type Checked = { readonly url: string | undefined } | { readonly details: readonly ErrorDetail[] };

/** `url` as it was understood: what is sent on is what was looked at. */
export function returnUrl(path: string, given: string | undefined, origins: readonly string[]): Checked {
  if (given === undefined) return { url: undefined };
  const url = URL.parse(given);
  // `blob:` has the origin of the page that made it.
  const isPage = url !== null && /^https?:$/.test(url.protocol) && origins.includes(url.origin);
  if (isPage && url.username === '' && url.password === '') return { url: url.href };
  const allowed = origins.length === 0 ? 'no origin is listed' : `listed are ${origins.join(', ')}`;
  return { details: [{ path, message: `must be a page of an origin that the API lists; ${allowed}` }] };
}
