// Click and browser identifiers for `user_data.browser_ids`.
// Guarantees: none is read, made or kept while ad_storage is denied; a value the ingestion would refuse (too
// long, control characters) or a cookie could not carry (a semicolon) is ignored, so that a hostile link cannot
// spoil a visitor's events for 90 days.
import type { BrowserIds } from '../../../lib/domain/identity.ts';
import { now } from './page.ts';

const find = (pairs: string, name: string) =>
  /^[!-:<-~]{1,255}$/.exec(new URLSearchParams(pairs).get(name) || '')?.[0];

const readCookie = (name: string) => find(document.cookie.replace(/; /g, '&'), name);

const lastParts = (text: string, count: number) => text.split('.').slice(-count).join('.');

/** On the widest domain the browser lets us, so that shop.example.com and checkout.example.com share it. */
function writeCookie(name: string, value: string): void {
  for (let labels = 1; labels++ < 6 && readCookie(name) !== value; ) {
    document.cookie = `${name}=${value};path=/;max-age=7776000;domain=${lastParts(location.hostname, labels)}`;
  }
}

/** Everything known now. Keeps the click ids of the landing URL for 90 days and makes `_fbc` and `_fbp`. */
export function browserIds(): BrowserIds {
  const ids: Record<string, string | undefined> = {};
  const prefix = `fb.1.${now()}.`;
  try {
    const { search } = location;
    const click = find(search, 'fbclid');
    // The same click seen again keeps the time of its first sight.
    if (click && !readCookie('_fbc')?.endsWith(click)) writeCookie('_fbc', prefix + click);
    if (!readCookie('_fbp')) writeCookie('_fbp', prefix + ((Math.random() * 2 ** 31) | 0));
    // `name` or `name:key`: the name in the browser and, where it differs, on the wire. First 11 parameters, then cookies.
    'gclid,gbraid,wbraid,ttclid,epik,li_fat_id,rdt_cid,twclid,msclkid,ScCid:sc_click_id,_kx:kx,_fbp:fbp,_fbc:fbc,_ttp:ttp,_scid:sc_cookie1,_rdt_uuid:rdt_uuid,_ga:ga_client_id'
      .split(',')
      .map((entry, index) => {
        const [name, key = name] = entry.split(':') as [string, string?];
        const seen = index < 11 && find(search, name);
        if (seen) writeCookie(name, seen);
        ids[key] = seen || readCookie(name);
      });
    // GA1.1.<client>.<first visit>: the client id is the last two parts.
    if (ids.ga_client_id) ids.ga_client_id = lastParts(ids.ga_client_id, 2);
  } catch {
    // A sandboxed page has no cookies.
  }
  return ids as BrowserIds;
}
