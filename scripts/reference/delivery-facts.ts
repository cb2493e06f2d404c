// What makes two events one at a platform, and whether it takes a test: asked of the platform's stand-in and of the
// definition, not written down again.

import type { PlatformSandbox } from '#services/local/sandbox/platforms/platform-sandbox.ts';
import { asReceived } from '#test/platforms/as-received.ts';
import type { PlatformExample } from '#test/platforms/platform-example.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import type { NormalizedEvent } from '../../lib/events/domain/event/normalized-event.ts';
import type { HttpRequest, Platform } from '../../lib/events/platforms/platform.ts';
import { credentialFields } from '../../lib/events/routes/platforms/credential-form.ts';
import { code, listed, seconds } from './markdown.ts';
import { difference, requestFor, valuesOf } from './request-values.ts';

interface Judged {
  readonly platform: Platform;
  readonly example: PlatformExample;
  /** All there are, of which one may take a test that the first does not. */
  readonly examples: readonly PlatformExample[];
  readonly sandbox: PlatformSandbox;
}

/** Two events that differ in one of these only. */
const PARTS: Readonly<Record<string, Partial<NormalizedEvent>>> = {
  event_id: { dedupId: 'order-2' },
  event_name: { name: 'AddToCart' },
  order_id: { orderId: '2002' },
};

export function dedupeFacts(judged: Judged): string {
  const purchase = keyOf(judged, sampleEvent());
  if (purchase === undefined) return 'Deduplication: none.';
  const parts = partsOf(judged, {});
  const { dedupeWindowSec: windowSec } = judged.sandbox;
  const within = windowSec === 0 ? 'window unknown' : `within ${seconds(windowSec)}`;
  const others = keyOf(judged, sampleEvent({ name: 'AddToCart' })) === undefined ? ' Purchases only.' : '';
  const offline =
    keyOf(judged, sampleEvent({ actionSource: 'physical_store' })) === undefined
      ? ' Not in a physical store.'
      : '';
  return `Deduplication: by ${listed(parts)} (${within}).${others}${offline}`;
}

/** What a success says, and whether more can be learnt. */
export function takenFacts({ takenMeans: { text, source }, statusOf }: Platform): string {
  const later = statusOf === undefined ? '' : ' Confirmed later.';
  return `Success says that ${text} (<${source}>).${later}`;
}

function partsOf(judged: Judged, base: Partial<NormalizedEvent>): readonly string[] {
  const key = keyOf(judged, sampleEvent(base));
  return Object.keys(PARTS).filter((part) => keyOf(judged, sampleEvent({ ...base, ...PARTS[part] })) !== key);
}

function keyOf({ platform, example, sandbox }: Judged, event: NormalizedEvent): string | undefined {
  const request = asReceived(requestFor(platform, example, event));
  const reply = sandbox.handle(request, { nowMs: event.receivedAtMs + 60_000, check: () => 'ok' });
  return reply.events[0]?.dedupeKey;
}

export function testFacts({ platform, example: first, examples }: Judged): string {
  const parsed = ({ credentials }: PlatformExample) =>
    platform.credentials.parse(credentials) as Readonly<Record<string, unknown>>;
  const example = [first, ...examples].find((one) => platform.testable?.(parsed(one)) !== false);
  if (example === undefined) return `Test mode: none is known: whatever arrives at ${platform.label} counts.`;
  const credentials = parsed(example);
  const elsewhere = example === first ? '' : ' With other credentials none is known.';
  const needed = credentialFields(platform).filter(
    (field) => !field.required && !testableWithout(platform, credentials, field.name),
  );
  const needs = needed.length === 0 ? '' : ` Needs ${listed(needed.map(({ name }) => name))}.`;
  const live = requestFor(platform, example, sampleEvent());
  const test = requestFor(platform, example, sampleEvent(), true);
  const marks = [...addressMark(live, test), ...difference(valuesOf(live.body), valuesOf(test.body)).came];
  const said = platform.keepsTestsApart === true ? ', not counted' : '; not of test keys';
  return `Test mode: ${marks.map(code).join(', ')}${said}.${needs}${elsewhere}`;
}

function testableWithout(
  platform: Platform,
  credentials: Readonly<Record<string, unknown>>,
  field: string,
): boolean {
  const { [field]: _left, ...rest } = credentials;
  const parsed = platform.credentials.safeParse(rest);
  return !parsed.success || platform.testable?.(parsed.data) !== false;
}

function addressMark(live: HttpRequest, test: HttpRequest): readonly string[] {
  const [before, after] = [new URL(live.url), new URL(test.url)];
  const path = before.pathname === after.pathname ? [] : [longer(before.pathname, after.pathname)];
  const query = [...after.searchParams].filter(([key]) => !before.searchParams.has(key));
  return [...path, ...query.map(([key, value]) => `?${key}=${value}`)];
}

/** Only what a path has more than the other, where it goes on from there. */
const longer = (before: string, after: string): string =>
  after.startsWith(`${before}/`) ? `…${after.slice(before.length)}` : after;
