import type { Consent } from '../../../lib/domain/consent.ts';
import { browserIds } from './identifiers.ts';
import { now, settings, src, stored } from './page.ts';

type Call = readonly [command: string, ...args: never[]];
type Millrace = ((...call: Call) => void) & { q?: { push(call: Call): void } };
declare global {
  interface Window {
    millrace?: Millrace;
  }
}

const endpoint = new URL('browser/events', src);
const browser = navigator as Navigator & { globalPrivacyControl?: boolean };
const userData = {};

let queue: string[] = [];
let pausedUntil: number = stored('pause');
let failures = 0;
let choice: Consent | undefined;
let page: string;
try {
  queue = stored('queue').filter((json: string) => JSON.parse(json).event_time > now() / 1e3 - 8e4);
} catch {
}

const consent = (): Consent => {
  choice = stored('consent') || choice;
  return {
  ...choice,
  ...((browser.globalPrivacyControl || Number(browser.doNotTrack) > 0) && {
    ad_user_data: 'denied',
    ad_personalization: 'denied',
    ad_storage: 'denied',
  }),
}};

const denied = (signal: 'ad_storage' | 'analytics') => consent()[signal] === 'denied';
const allDenied = () => denied('ad_storage') && denied('analytics');

async function flush(event?: Event): Promise<void> {
  const batch = queue.slice(0, 30);
  const body = `{"merchant_id":"${settings.merchant}","events":[${batch}]}`;
  let retry: boolean | undefined;
  let response: Response | undefined;
  let results: { status: number }[] | undefined;
  if (!batch[0] || (!(event && failures) && pausedUntil > now())) return;
  pausedUntil = Infinity;
  try {
    if (!(event && navigator.sendBeacon?.(endpoint, body))) {
      response = await fetch(endpoint, { method: 'POST', body, keepalive: true, signal: AbortSignal.timeout?.(1e4) as AbortSignal });
      results = (await response.json()).results;
    }
  } catch {
  }
  batch.map((sent, index) => {
    if ((results?.[index]?.status || response?.status as number) < 429) queue = queue.filter((json) => json !== sent);
    else retry = !event;
  });
  stored('queue', queue);
  if (retry) {
    pausedUntil = now() + Math.min((Number(response?.headers.get('retry-after')) || 2 ** ++failures) * (1 + Math.random() / 2), 3600) * 1e3;
    stored('pause', pausedUntil);
  } else {
    failures = 0;
    pausedUntil = event ? now() + 1e3 : 0;
  }
}

const commands: Record<string, (...args: never[]) => void> = {
  track(name: string, props?: Record<string, unknown>, options?: { event_id?: string }, at = now(), href = location.href) {
    consent();
    if (settings.consent === 'required' && !choice) calls[98] || calls.push(['track', name, props, options, at, href] as never);
    else if (!allDenied()) {
      const { value, currency, order_id, items, ...custom } = props || {};
      const json = JSON.stringify({
        event_id: `${options?.event_id || crypto.randomUUID?.() || now() + '-' + Math.random()}`,
        event_name: name,
        event_time: (at / 1e3) >>> 0,
        event_source_url: href.slice(0, 2e3),
        referrer_url: document.referrer.slice(0, 2e3),
        action_source: 'website',
        user_data: { ...userData, browser_ids: denied('ad_storage') ? undefined : browserIds() },
        value: currency && (value as number) >= 0 ? Number(value) : undefined,
        currency,
        order_id: order_id && `${order_id}`,
        items,
        consent: consent(),
        custom_data: custom,
      });
      if (json.length < 15e3) queue.push(json);
      while (JSON.stringify(queue).length > 2e4) queue.shift();
      stored('queue', queue);
      if (queue.length > 9) flush();
    }
  },
  identify(data: object) {
    Object.assign(userData, JSON.parse(JSON.stringify(data)));
  },
  consent(update: Record<string, unknown>) {
    for (const signal in update) {
      if (update[signal] === 'granted' || update[signal] === 'denied') {
        choice = { ...consent(), [signal]: update[signal] };
        stored('consent', choice);
      }
    }
    if (allDenied()) stored('queue', (queue = []));
    calls.splice(0).map(replay);
  },
};

const millrace: Millrace = (command, ...args) => {
  try {
    (commands[command] as (...args: never[]) => void)(...args);
  } catch {
  }
};
const replay = (call: Call) => millrace(...call);

function pageView(): void {
  if (page !== location.pathname) {
    page = location.pathname;
    millrace('track', 'PageView' as never);
  }
}

const calls: Call[] = [...((window.millrace?.q || []) as Call[])];
window.millrace = millrace;
millrace.q = { push: replay };
calls.splice(0).map(replay);
addEventListener('pagehide', flush);
addEventListener('visibilitychange', flush);
setInterval(flush, 1e3);
if (settings.auto !== 'false') {
  pageView();
  setInterval(pageView, 1e3);
}
