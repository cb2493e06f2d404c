// Click and browser identifiers for `user_data.browser_ids`.
// Guarantees: a value the ingestion would refuse (too long, control characters) or a cookie could not carry
// (a semicolon) is ignored, so that a hostile link cannot spoil a visitor's events for 90 days.
// biome-ignore-all lint/suspicious/noAssignInExpressions: see pixel.ts
// biome-ignore-all lint/style/useTemplate: see pixel.ts
import type { BrowserIds } from '../../../../lib/events/domain/identity/identity.ts';
import { now } from './page.ts';

/** A parameter of the URL or, failing that, a cookie; of `_ga` (GA1.1.<client>.<first visit>) the last two parts. */
const find = (name: string) =>
  new URLSearchParams(location.search + '&' + document.cookie.replace(/; /g, '&'))
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
    // `name` or `name:key`: the name in the browser and, where it differs, on the wire. 11 parameters, then cookies.
    'gclid,gbraid,li_fat_id,ttclid,epik,wbraid,rdt_cid,twclid,ScCid:sc_click_id,_kx:kx,msclkid,_ttp:ttp,_fbp:fbp,_fbc:fbc,_scid:sc_cookie1,_rdt_uuid:rdt_uuid,_ga:ga_client_id'
      .split(',')
      .forEach((entry, index) => {
        const [name, key = name] = entry.split(':') as [string, string?];
        const value = (ids[key] = find(name));
        if (index < 11 && value && location.search.includes(name)) writeCookie(name, value);
      });
  } catch {
    // A sandboxed page has no cookies.
  }
  return ids as BrowserIds;
};
