// From `track` to a final answer.
import type { Consent } from '../../../lib/domain/consent.ts';
import { withBrowserSignal } from './consent.ts';
import type { PixelEvent } from './event.ts';
import { browserIds } from './identifiers.ts';
import { endpoint, now, settings } from './page.ts';

const key = `millrace:${settings.merchant}`;
let blocked = false;

/** Events without a final answer, oldest first. */
let queue: PixelEvent[] = [];
/** Nothing is sent before this time (ms). */
let pausedUntil = 0;
/** What the merchant's consent banner said. Absent: it has not spoken yet. */
let choice: Consent | undefined;

let held: PixelEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let busy = false;
let failures = 0;
let beaconed: string;

const denied = (signal: 'ad_storage' | 'analytics') => withBrowserSignal(choice)[signal] === 'denied';
const allDenied = () => denied('ad_storage') && denied('analytics');

/** Takes over what other tabs and earlier pages wrote. */
function load(): void {
  try {
    if (!blocked) {
      const [q, t, c] = JSON.parse(localStorage[key]);
      // An hour less than the server's window for duplicates: beyond it, sending again could count twice.
      queue = q.filter((event: PixelEvent) => event.event_time > now() / 1e3 - 82800);
      pausedUntil = t;
      choice = c;
    }
  } catch {
    // No storage, no entry or a broken one: the state in memory stands.
  }
}

function save(): void {
  let json: string;
  do json = JSON.stringify([queue, pausedUntil, choice]);
  while (json.length > 2e4 && queue.shift());
  try {
    localStorage[key] = json;
  } catch {
    // Full or forbidden. What is stored is older than what we hold, so it must not be read back.
    blocked = true;
  }
}

function flushIn(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(flush, ms || 1e3);
}

/** Takes the event; sends it soon if that is allowed, holds it (in memory) while the banner has not spoken. */
export function enqueue(event: PixelEvent): void {
  load();
  if (settings.consent === 'required' && !choice) {
    held.push(event);
  } else if (!allDenied()) {
    event.consent = withBrowserSignal(choice);
    if (!denied('ad_storage')) event.user_data.browser_ids = browserIds();
    const json = JSON.stringify(event);
    if (json.length < 15e3) queue.push(JSON.parse(json));
    save();
    if (queue.length > 9) flush();
    else flushIn(0);
  }
}

export function setConsent(update: Record<string, unknown>): void {
  load();
  for (const signal in update) {
    const answer = update[signal];
    if (answer === 'granted' || answer === 'denied') choice = { ...choice, [signal]: answer } as Consent;
  }
  if (choice) {
    if (allDenied()) queue = [];
    save();
    held.splice(0).forEach(enqueue);
  }
}

export async function flush(event?: Event): Promise<void> {
  load();
  const batch = queue.slice(0, 30);
  const body = JSON.stringify({ merchant_id: settings.merchant, events: batch });
  if (busy || !batch[0] || (event && body === beaconed)) return;
  const wait = pausedUntil - now();
  if (wait > 0 && wait < 4e6 && !(event && failures)) return flushIn(wait);
  busy = true;
  let status: number | undefined;
  let retryAfterSec = 0;
  let results: { status: number }[] | undefined;
  try {
    if (!event || !navigator.sendBeacon?.(endpoint, (beaconed = body))) {
      const response = await fetch(endpoint, { method: 'POST', body, keepalive: true, signal: AbortSignal.timeout?.(1e4) });
      retryAfterSec = Number(response.headers.get('retry-after'));
      status = response.status;
      results = (await response.json()).results;
    }
  } catch {
    // Offline, refused by a policy or a blocker, timed out.
  }
  busy = false;
  load();
  pausedUntil = 0;
  queue = queue.filter(({ event_id }) => {
    const index = batch.findIndex((sent) => sent.event_id === event_id);
    if (index < 0) return true;
    const answer = results?.[index]?.status || status;
    if (answer && answer !== 429 && answer < 500) return false;
    pausedUntil = 1;
    return true;
  });
  if (!pausedUntil || event) failures = 0;
  else pausedUntil = now() + Math.min((retryAfterSec || 2 ** ++failures) * (1 + Math.random() / 2), 3600) * 1e3;
  save();
  if (queue[0]) flushIn(0);
}
