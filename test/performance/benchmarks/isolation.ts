// One platform's trouble is nobody else's, and one merchant's rush neither: latencies from 202 to arrival at each
// platform, on the embedded host with every platform connected; undisturbed, with one platform that never answers and one
// that only fails, and with one merchant that sends ten times as much. All in one run, so that only ratios are claimed.
// Besides: what one event alone takes, and in how many requests a burst goes out.
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import {
  arrivals,
  type Disturbed,
  type EmbeddedHost,
  nowSec,
  type Sent,
  sendEvent,
  startEmbeddedHost,
} from '../embedded-host.ts';
import { addMerchants } from '../embedded-merchants.ts';
import { MEASURED_PLATFORMS } from '../measured-platforms.ts';
import { atMost, figure, type Row, report, sized } from '../result.ts';
import { median, quantile } from '../rounds.ts';
import { standardEvent } from '../standard-event.ts';

const WARM_UP = 20;
const LONE = sized(8, 1);
const LONE_MAX_SEC = 2;
const BURST = sized(500, 50);
const PER_SECOND = 10;
const STEADY_SEC = sized(10, 2);
/** Each of calm and disturbed in turn; the medians are compared, for other work on the machine comes and goes. */
const ROUNDS = sized(3, 1);
const QUIET_MERCHANTS = 3;
const RUSH = 10;
const RATIO_MAX = 2;
const QUIET_MS = 3_000;
/** An event a function has no time left for comes again with the sweep. */
const ARRIVE_MAX_MS = 300_000;

/** Somebody who sends at a steady pace. */
interface Sender {
  readonly apiKey: string;
  readonly perSecond: number;
}

const host = await startEmbeddedHost();
const agent = new Agent({ connections: 32 });
const seeded = { apiKey: host.session.api_key };
let index = 0;
try {
  const taking = await warmUp();
  const rows: Row[] = [
    ...(await loneEvents(taking)),
    ...(await rush(taking)),
    ...(await trouble(taking)),
    ...(await burst(taking)),
  ];
  const others = MEASURED_PLATFORMS.filter((slug) => !taking.includes(slug));
  report({
    benchmark: 'isolation',
    rows,
    notes: others.length === 0 ? [] : [`the standard event is not for ${others.join(', ')}`],
  });
} finally {
  await faults('DELETE');
  await agent.close();
  await host.close();
}

/** The platforms that take the standard event. */
async function warmUp(): Promise<readonly string[]> {
  const sent = await steadily([{ ...seeded, perSecond: PER_SECOND }], WARM_UP / PER_SECOND);
  const all = await settled(host);
  return MEASURED_PLATFORMS.filter((slug) =>
    sent.flat().every(({ eventId }) => all.has(`${slug} ${eventId}`)),
  );
}

async function loneEvents(taking: readonly string[]): Promise<readonly Row[]> {
  const slowestMs: number[] = [];
  for (let i = 0; i < LONE; i++) {
    const sent = await send(seeded.apiKey);
    slowestMs.push(Math.max(...[...(await latencies([sent], taking)).values()].flat()));
    await settled(host);
  }
  return [
    figure('lone event, from 202 to the slowest platform, median', quantile(slowestMs, 0.5) / 1_000, 's'),
    atMost(`lone event, worst of ${LONE}`, Math.max(...slowestMs) / 1_000, 's', LONE_MAX_SEC),
  ];
}

/** Events of one request arrive in the same millisecond; those of two may: an upper bound of events a request. */
async function burst(taking: readonly string[]): Promise<readonly Row[]> {
  let left = BURST;
  const sent: Sent[] = [];
  const worker = async (): Promise<void> => {
    while (left-- > 0) sent.push(await send(seeded.apiKey));
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  // What was refused while platforms were troubled stays in the list.
  await latencies(sent, taking, new Set(taking));
  const all = await arrivals(host.dataDir, new Set(taking));
  return taking.map((slug) => {
    const moments = new Set(sent.map(({ eventId }) => all.get(`${slug} ${eventId}`)));
    return figure(
      `${slug}: events arriving in one moment of a burst of ${BURST}`,
      BURST / moments.size,
      'events',
    );
  });
}

async function rush(taking: readonly string[]): Promise<readonly Row[]> {
  const quiet = (await addMerchants(host, QUIET_MERCHANTS)).map((apiKey) => ({ apiKey, perSecond: 1 }));
  const p95 = async (perSecond: number): Promise<number> => {
    const [, ...others] = await steadily([{ ...seeded, perSecond }, ...quiet], STEADY_SEC);
    const measured = await latencies(others.flat(), taking);
    await settled(host);
    return quantile([...measured.values()].flat(), 0.95);
  };
  // The first of their events opens connections and caches; it is nobody's latency.
  await p95(1);
  const calm: number[] = [];
  const rushing: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    calm.push(await p95(1));
    rushing.push(await p95(RUSH));
  }
  return [
    figure(`p95 of ${QUIET_MERCHANTS} merchants beside an equal one`, median(calm), 'ms'),
    figure(`p95 of the same beside one that sends ${RUSH} times as much`, median(rushing), 'ms'),
    atMost('the same, beside the rush against before', median(rushing) / median(calm), 'x', RATIO_MAX),
  ];
}

async function trouble(taking: readonly string[]): Promise<readonly Row[]> {
  const [hanging = '', failing = '', ...healthy] = taking;
  if (healthy.length === 0) throw new Error('isolation needs a third platform');
  const troubled = new Set([hanging, failing]);
  const calm: ReadonlyMap<string, number>[] = [];
  const disturbed: ReadonlyMap<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    calm.push((await measure(healthy, troubled)).p95s);
    await faults('POST', { platform: hanging, kind: 'hang' });
    await faults('POST', { platform: failing, kind: '500' });
    const { p95s, sent } = await measure(healthy, troubled);
    const all = await arrivals(host.dataDir, troubled);
    for (const slug of troubled)
      if (sent.some(({ eventId }) => all.has(`${slug} ${eventId}`)))
        throw new Error(`${slug} took events in spite of its fault`);
    disturbed.push(p95s);
    await faults('DELETE');
  }
  return healthy.flatMap((slug) => {
    const of = (rounds: typeof calm): number => median(rounds.map((p95) => p95.get(slug) ?? Number.NaN));
    return [
      figure(`${slug}: p95 undisturbed`, of(calm), 'ms'),
      figure(`${slug}: p95 while ${hanging} hangs and ${failing} fails`, of(disturbed), 'ms'),
      atMost(`${slug}: disturbed against undisturbed`, of(disturbed) / of(calm), 'x', RATIO_MAX),
    ];
  });
}

/** p95 by platform of one merchant's steady events. Each time another one: a circuit that is open already hides a fault. */
async function measure(slugs: readonly string[], troubled: Disturbed) {
  const [apiKey = ''] = await addMerchants(host, 1);
  const sent = (await steadily([{ apiKey, perSecond: PER_SECOND }], STEADY_SEC)).flat();
  const measured = await latencies(sent, slugs, troubled);
  const p95s = new Map([...measured].map(([slug, list]) => [slug, quantile(list, 0.95)]));
  return { p95s, sent };
}

function send(apiKey: string): Promise<Sent> {
  return sendEvent(host.session.ingestion_url, apiKey, standardEvent(index++, nowSec()), agent);
}

/** What each sender sent, when all have their answers. */
async function steadily(senders: readonly Sender[], seconds: number): Promise<readonly (readonly Sent[])[]> {
  return Promise.all(
    senders.map(async ({ apiKey, perSecond }) => {
      const sending: Promise<Sent>[] = [];
      for (let i = 0; i < perSecond * seconds; i++) {
        sending.push(send(apiKey));
        await pause(1_000 / perSecond);
      }
      return Promise.all(sending);
    }),
  );
}

/** Platform → milliseconds from 202 to arrival, of every event. Throws where one does not arrive. */
async function latencies(
  sent: readonly Sent[],
  slugs: readonly string[],
  troubled?: Disturbed,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const deadlineMs = performance.now() + ARRIVE_MAX_MS;
  for (;;) {
    const all = await arrivals(host.dataDir, troubled);
    const measured = slugs.map((slug) => {
      const list = sent.map(({ eventId, acceptedAtMs }) => {
        const atMs = all.get(`${slug} ${eventId}`);
        return atMs === undefined ? Number.NaN : Math.max(0, atMs - acceptedAtMs);
      });
      return [slug, list] as const;
    });
    if (!measured.some(([, list]) => list.some(Number.isNaN))) return new Map(measured);
    if (performance.now() > deadlineMs) {
      const missing = measured.filter(([, list]) => list.some(Number.isNaN)).map(([slug]) => slug);
      throw new Error(`events never arrived at ${missing.join(', ')}`);
    }
    await pause(100);
  }
}

/** What has arrived when nothing more does. */
async function settled({ dataDir }: EmbeddedHost): Promise<ReadonlyMap<string, number>> {
  let all = await arrivals(dataDir);
  for (;;) {
    await pause(QUIET_MS);
    const now = await arrivals(dataDir);
    if (now.size === all.size) return now;
    all = now;
  }
}

async function faults(method: 'POST' | 'DELETE', fault?: object): Promise<void> {
  const answer = await request(`${host.session.sandbox_url}/faults`, {
    method,
    ...(fault === undefined ? {} : { body: JSON.stringify(fault) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 200) throw new Error(`the sandbox refuses a fault: ${text}`);
}
