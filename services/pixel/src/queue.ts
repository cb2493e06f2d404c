// From `track` to a final answer. An event waits in memory for consent, then in the store for its answer.
// Guarantees: one request at a time per page, given up after 10 s; at least a second between requests that were
// not asked for; Retry-After is kept across page loads; an event leaves the store only by a final answer, by age,
// or as the oldest of a full store. Sending one twice is safe (the ingestion answers 409): losing one is not.
import { adStorageDenied, allDenied, consent, waiting } from './consent.ts';
import type { PixelEvent } from './event.ts';
import { browserIds } from './identifiers.ts';
import { endpoint, now, settings } from './page.ts';
import { load, save, state } from './store.ts';

interface Result {
  event_id: string;
  status: number;
}

const held: PixelEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let busy = false;
let failures = 0;

function flushIn(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(flush, ms || 1e3);
}

/** Takes the event; sends it soon if that is allowed, holds it (in memory) while the banner has not spoken. */
export function enqueue(event: PixelEvent): void {
  load();
  if (waiting()) {
    if (held.push(event) > 99) held.shift();
  } else if (!allDenied()) {
    event.consent = consent();
    if (!adStorageDenied()) event.user_data.browser_ids = browserIds();
    const json = JSON.stringify(event);
    if (json.length < 15e3) state.q.push(JSON.parse(json));
    save();
    if (state.q.length > 9) flush();
    else flushIn(0);
  }
}

/** The banner has spoken. */
export function release(): void {
  held.splice(0).forEach(enqueue);
}

const bodyOf = (events: PixelEvent[]) => JSON.stringify({ merchant_id: settings.merchant, events });

/** What is left of a pause (ms), else 0; a longer one than is ever set means that the clock was put back. */
const pause = () => {
  const wait = state.t - now();
  return wait > 0 && wait < 4e6 ? wait : 0;
};

async function flush(): Promise<void> {
  load();
  const batch = state.q.slice(0, 30);
  if (busy || !batch[0]) return;
  if (pause()) return flushIn(pause());
  busy = true;
  let status: number | undefined;
  let retryAfterSec: number | undefined;
  let results: Result[] | undefined;
  try {
    const response = await fetch(endpoint, { method: 'POST', body: bodyOf(batch), keepalive: true, signal: AbortSignal.timeout?.(1e4) });
    retryAfterSec = Number(response.headers.get('retry-after'));
    status = response.status;
    results = (await response.json()).results;
  } catch {
    // Offline, refused by a policy or a blocker, timed out.
  }
  busy = false;
  load();
  state.t = 0;
  state.q = state.q.filter(({ event_id }) => {
    const index = batch.findIndex((sent) => sent.event_id === event_id);
    if (index < 0) return true;
    const answer = results?.[index]?.status || status;
    if (answer && answer !== 429 && answer < 500) return false;
    return state.t = 1;
  });
  if (state.t) state.t = now() + Math.min((retryAfterSec || 2 ** ++failures) * (1 + Math.random() / 2), 3600) * 1e3;
  else failures = 0;
  save();
  if (state.q.length) flushIn(0);
}

/** The page may be about to end: sends what has no answer yet without waiting for one; it stays stored. */
export function flushOnHide(): void {
  load();
  const batch = state.q.slice(0, 30);
  if (pause() || !batch[0]) return;
  if (navigator.sendBeacon?.(endpoint, bodyOf(batch))) {
    state.t = now() + 1e3;
    save();
  } else flush();
}
