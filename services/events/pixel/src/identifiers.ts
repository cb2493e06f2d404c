// Click and browser identifiers for `user_data.browser_ids`.
// Guarantees: a value the ingestion would refuse (too long, control characters) or a cookie could not carry
// (a semicolon) is ignored, so that a hostile link cannot spoil a visitor's events for 90 days.
// biome-ignore-all lint/suspicious/noAssignInExpressions: see pixel.ts
// biome-ignore-all lint/style/useTemplate: see pixel.ts
import { CLICK_PARAMETER_COUNT, CLICK_PARAMETERS } from '#lib/events/domain/identity/click-parameters.ts';
import type { BrowserIds } from '#lib/events/domain/identity/identity.ts';
import { now } from './page.ts';

/**
 * A parameter of the URL or, failing that, a cookie; of `_ga` (GA1.1.<client>.<first visit>) the last two parts. `_ga_<stream>`,
 * the session of Google Analytics, loses its name, which nobody knows: the first one stands under none.
 */
const find = (name: string) =>
  new URLSearchParams((location.search + '; ' + document.cookie).replace(/; (_ga_\w+)?/g, '&'))
    .get(name)
    ?.match(/^(GA1\..\.)?([!-:<-~]{1,255})$/)?.[2];

/** For 90 days and, from www., for the whole shop, so that checkout.example.com finds it too. */
const writeCookie = (name: string, value: string) => {
  document.cookie = `${name}=${value};path=/;max-age=7776000;domain=${location.hostname.replace('www.', '')}`;
};

/** All that are known now. Keeps the click ids of the page's URL in cookies; makes `_fbc` and `_fbp`. */
export const browserIds = (): BrowserIds => {
  const ids: Record<string, string | undefined> = {};
  try {
    const click = find('fbclid');
    // The same click seen again keeps the time of its first sight.
    if (click && !find('_fbc')?.includes(click)) writeCookie('_fbc', `fb.1.${now()}.${click}`);
    if (!find('_fbp')) writeCookie('_fbp', `fb.1.${now()}.${(Math.random() * 1e9) | 0}`);
    // `name` or `name:key`: the name in the browser and, where it differs, on the wire. Parameters, then cookies.
    `${CLICK_PARAMETERS},_ttp:ttp,_fbp:fbp,_fbc:fbc,_scid:sc_cookie1,_rdt_uuid:rdt_uuid,crto_mapped_user_id,_ga:ga_client_id,:ga_session_id`
      .split(',')
      .forEach((entry, index) => {
        const [name, key = name] = entry.split(':') as [string, string?];
        const value = (ids[key] = find(name));
        if (index < CLICK_PARAMETER_COUNT && value && location.search.includes(name))
          writeCookie(name, value);
      });
  } catch {
    // A sandboxed page has no cookies.
  }
  return ids as BrowserIds;
};
