// From `track` to a final answer.
import { allDenied, consent, isDenied, waiting } from './consent.ts';
import type { PixelEvent } from './event.ts';
import { browserIds } from './identifiers.ts';
import { endpoint, now, settings } from './page.ts';
import { bodiesOf, CONSENT, keep, PAUSE, put, store, unsent } from './store.ts';

const held: PixelEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let busy = false;
let failures = 0;
let beaconed: string;

function flushIn(ms?: number): void {
  clearTimeout(timer);
  timer = setTimeout(flush, ms || 1e3);
}

/** Takes the event; sends it soon if that is allowed, holds it (in memory) while the banner has not spoken. */
export function enqueue(event: PixelEvent): void {
  if (waiting()) held.push(event);
  else if (!allDenied()) {
    event.consent = consent();
    if (!isDenied('ad_storage')) event.user_data.browser_ids = browserIds();
    keep(JSON.stringify(event));
    flushIn(unsent().length > 9 ? 1 : 0);
  }
}

export function setConsent(update: Record<string, unknown>): void {
  for (const signal in update) {
    const answer = update[signal];
    if (answer === 'granted' || answer === 'denied') put(CONSENT, JSON.stringify({ ...consent(), [signal]: answer }));
  }
  if (!waiting()) {
    if (allDenied()) unsent().map((key) => delete store[key]);
    held.splice(0).forEach(enqueue);
  }
}

export async function flush(event?: Event): Promise<void> {
  const batch = unsent().slice(0, 30);
  const body = `{"merchant_id":"${settings.merchant}","events":[${bodiesOf(batch)}]}`;
  const wait = +(store[PAUSE] as string) - now();
  let retry = false;
  let response: Response | undefined;
  let results: { status: number }[] | undefined;
  if (busy || !batch[0] || (event && body === beaconed)) return;
  if (wait > 0 && wait < 4e6 && !(event && failures)) return flushIn(wait);
  busy = true;
  try {
    if (!event || !navigator.sendBeacon?.(endpoint, (beaconed = body))) {
      response = await fetch(endpoint, { method: 'POST', body, keepalive: true, signal: AbortSignal.timeout?.(1e4) });
      results = (await response.json()).results;
    }
  } catch {
    // Offline, refused by a policy or a blocker, timed out.
  }
  busy = false;
  batch.map((key, index) => {
    if ((results?.[index]?.status || response?.status) < 429) delete store[key];
    else retry = true;
  });
  if (retry && !event) put(PAUSE, now() + Math.min((+response?.headers.get('retry-after') || 2 ** ++failures) * (1 + Math.random() / 2), 3600) * 1e3);
  else failures = 0;
  flushIn();
}
