// The browser SDK: takes over `window.millrace`, replays what the page queued before it came, reports page views.
//
// Guarantees
// - No call throws, rejects or waits; whatever a page, a policy or a blocker breaks, the shop goes on.
// - An event leaves the queue only by a final answer, by age, or as the oldest of a full queue. Sending one twice is
//   safe (the ingestion answers 409), losing one is not: what left by beacon stays queued until it is answered.
// - One request at a time, given up after 10 s; at most one a second; Retry-After is kept, across page loads too.
//   (Only the beacon of a page that is being left goes beside it.)
// - Nothing is stored or sent before `data-consent="required"` is answered, nor when analytics and ad_storage are
//   both denied (but that choice). No identifier is read or made while ad_storage is denied; Global Privacy Control
//   and Do Not Track deny everything about ads, whatever the banner says.
// - At most 20,000 characters (40 kB) are stored, which is also few enough for one beacon of 64 KiB.
// Refuses: a second copy of itself on one page (what it finds in `millrace.q` is not iterable, which ends it).
//
// Written for the budget in build.ts, which counts the compressed bytes; hence:
// biome-ignore-all lint/suspicious/noDoubleEquals: a byte each; what they compare are strings
// biome-ignore-all lint/suspicious/noAssignInExpressions: as above
// biome-ignore-all lint/style/useTemplate: as above
import type { Consent } from '#lib/events/domain/event/consent.ts';
import { browserIds } from './identifiers.ts';
import { now, settings, src, stored } from './page.ts';

type Call = readonly [command: string, ...args: never[]];
type Millrace = ((...call: Call) => void) & { q?: { push(call: Call): void } };

declare global {
  interface Window {
    millrace?: Millrace;
  }
  interface Navigator {
    globalPrivacyControl?: boolean;
  }
}

/** Beside the script, so that a path in front of /v1/ works too: …/v1/pixel.js → …/v1/browser/events. */
const endpoint = new URL('browser/events', src);

/** Events without a final answer as JSON texts, oldest first. */
let queue: string[] = [];
/** Nothing is sent before this time (ms). */
let pausedUntil = stored('p');
/** True while the pause holds even when the page ends: the ingestion asked for it, or the page's last word is said. */
let asked: unknown = pausedUntil;
/** In a row, on this page, without a Retry-After. */
let failures = 0;
/** What the merchant's banner said. Undefined: it has not spoken yet. */
let choice: Consent | undefined;
let page: string;
/** Kept in memory only: no e-mail address stays behind in the browser but inside unsent events. */
const userData = {};

try {
  // The server forgets an event id after 24 hours: sent again later, the event would count twice.
  queue = stored('q').filter((json: string) => JSON.parse(json).event_time > now() / 1e3 - 8e4);
} catch {
  // Nothing stored, or nothing of ours.
}

/** The consent attached to events: the newest choice made in any tab, overruled by the browser's own signal. */
const consent = (): Consent => ({
  ...(choice = stored('c') || choice),
  ...((navigator.globalPrivacyControl || (navigator.doNotTrack as unknown as number) > 0) && {
    ad_user_data: 'denied',
    ad_personalization: 'denied',
    ad_storage: 'denied',
  }),
});

const denied = (signal: 'ad_storage' | 'analytics') => consent()[signal] == 'denied';
const allDenied = () => denied('ad_storage') && denied('analytics');

/** Sends the oldest events. With an event (the page is being hidden, maybe for good) by beacon, unanswered. */
const flush = async (hide?: Event): Promise<void> => {
  pageView();
  const batch = queue.slice(0, 30);
  const body = `{"merchant_id":"${settings.merchant}","events":[${batch}]}`;
  let retry: boolean | undefined;
  let response: Response | undefined;
  let results: { status: number }[] | undefined;
  // Its own pause, or a request under way, is no reason to keep an event back when the page ends.
  if (!batch[0] || ((asked || !hide) && pausedUntil > now())) return;
  pausedUntil = Infinity;
  asked = hide;
  try {
    if (!(hide && navigator.sendBeacon?.(endpoint, body))) {
      // A text body needs no preflight. Only the last request outlives the page: one that does cannot be given up.
      response = await fetch(endpoint, {
        method: 'post',
        body,
        keepalive: hide as never,
        signal: AbortSignal.timeout?.(1e4) as AbortSignal,
      });
      results = (await response.json()).results;
    }
  } catch {
    // Offline, refused by a policy or a blocker, timed out.
  }
  asked = hide || +(response?.headers.get('retry-after') as string);
  batch.forEach((sent, index) => {
    // Below 429 an answer is final (202, 409, a refusal); 429, 5xx and none at all are not.
    if (((results?.[index]?.status || response?.status) as number) < 429)
      queue = queue.filter((json) => json != sent);
    else retry = !hide;
  });
  stored('q', queue);
  if (retry) {
    stored(
      'p',
      (pausedUntil =
        now() + Math.min((asked as number) || 2 ** ++failures, 3600) * 1e3 * (1 + Math.random())),
    );
  } else {
    failures = 0;
    pausedUntil = now() + 1e3;
  }
};

const commands: Record<string, (...args: never[]) => void> = {
  track(
    name: string,
    props?: Record<string, unknown>,
    options?: { event_id?: string },
    at = now(),
    href = location.href,
  ) {
    consent();
    if (settings.consent == 'required' && !choice) {
      // Held in memory, with the time and place it belongs to.
      if (!calls[98]) calls.push(['track', name, props, options, at, href] as never);
    } else if (!allDenied()) {
      const { value, currency, order_id, items, ...custom } = props || {};
      // In the order that compresses best.
      const json = JSON.stringify({
        // Without a currency, or not a number, it would be refused, and the event with it.
        value: currency && (value as number) >= 0 ? +(value as number) : undefined,
        event_time: (at / 1e3) >>> 0,
        event_source_url: href.slice(0, 2e3),
        event_name: name,
        action_source: 'website',
        currency,
        order_id: order_id && '' + order_id,
        items,
        user_data: { ...userData, browser_ids: denied('ad_storage') ? undefined : browserIds() },
        consent: consent(),
        custom_data: custom,
        referrer_url: document.referrer.slice(0, 2e3),
        event_id: '' + (options?.event_id || crypto.randomUUID?.() || now() + '-' + Math.random()),
      });
      // One that is out of all proportion must not push out the others.
      if (json.length < 15e3) queue.push(json);
      while (JSON.stringify(queue).length > 2e4) queue.shift();
      stored('q', queue);
      if (queue.length > 9) void flush();
    }
  },
  identify(data: object) {
    // A copy, or nothing: a cycle in it would spoil every event to come.
    Object.assign(userData, JSON.parse(JSON.stringify(data)));
  },
  consent(update: Record<string, unknown>) {
    consent();
    for (const signal in update) {
      if (update[signal] == 'granted' || update[signal] == 'denied') {
        // Consent Mode's `analytics_storage` is our `analytics`.
        choice = { ...choice, [signal.replace('s_storage', 's')]: update[signal] };
      }
    }
    // Written once: another tab must not find half a choice.
    stored('c', choice);
    if (allDenied()) stored('q', (queue = []));
    calls.splice(0).forEach(replay);
  },
};

const millrace: Millrace = (command, ...args) => {
  try {
    (commands[command] as (...args: never[]) => void)(...args);
  } catch {
    // The shop goes on.
  }
};

const replay = (call: Call) => millrace(...call);

/** Polled: a single-page shop changes its address in more ways than there are events, and history is not ours to patch. */
const pageView = () => {
  if (settings.auto != 'false' && page != location.pathname) {
    page = location.pathname;
    millrace('track', 'PageView' as never);
  }
};

/** What the page called before we came, later what waits for consent. */
const calls: Call[] = [...((window.millrace?.q || []) as Call[])];
window.millrace = millrace;
// For pages that kept the stub in a variable.
millrace.q = { push: replay };
calls.splice(0).forEach(replay);
addEventListener('pagehide', flush);
addEventListener('visibilitychange', flush);
setInterval(flush, 1e3);
pageView();
