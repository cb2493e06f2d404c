// A shop that sends some twenty events a second to whichever releases are up, and sends again what was not answered.
import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '#services/local/session.ts';
import { AGENT, purchase } from '../hosts.ts';

const TICK_MS = 200;
/** All pages are at one address, which may send thirty times a minute. */
const PAGE_TICKS = 20;
const REPEAT_MS = 500;
const TRIES = 60;
/** Requests on their way; on a slow machine the shop sends fewer events rather than more at once. */
const OPEN_MAX = 24;

interface Sent {
  readonly id: string;
  /** Of each try, in order; 0: no answer came. */
  readonly statuses: number[];
}

export function startLoad() {
  /** Who takes requests now. */
  let open: readonly Session[] = [];
  const ledger: Sent[] = [];
  const running = new Set<Promise<void>>();
  let turn = 0;
  let isOver = false;

  /** Until each of the events has an answer that is final. */
  const deliver = async (
    post: (to: Session, left: readonly Sent[]) => Promise<readonly number[]>,
    sent: readonly Sent[],
  ) => {
    for (let tries = 0; tries < TRIES; tries++) {
      const left = sent.filter(({ statuses }) => !isFinal(statuses.at(-1)));
      const to = open[turn++ % open.length];
      if (left.length === 0) return;
      if (to !== undefined) {
        const statuses = await post(to, left).catch(() => left.map(() => 0));
        for (const [i, one] of left.entries()) one.statuses.push(statuses[i] ?? 0);
        if (left.every((one) => isFinal(one.statuses.at(-1)))) return;
      }
      await pause(REPEAT_MS);
    }
  };
  const begin = (post: Parameters<typeof deliver>[0], ids: readonly string[]): void => {
    const sent = ids.map((id): Sent => ({ id, statuses: [] }));
    ledger.push(...sent);
    const work = deliver(post, sent).finally(() => running.delete(work));
    running.add(work);
  };
  const ticking = (async () => {
    for (let tick = 0; !isOver; tick++, await pause(TICK_MS)) {
      if (open.length === 0 || running.size >= OPEN_MAX) continue;
      begin(server, [`one-${tick}`]);
      begin(batch, [`many-${tick}-a`, `many-${tick}-b`]);
      if (tick % PAGE_TICKS === 0) begin(browser, [`page-${tick}`]);
      else begin(server, [`two-${tick}`]);
    }
  })();
  return {
    ledger,
    /** From now on these are asked, in turns; a request on its way elsewhere may end. */
    async route(...to: readonly Session[]): Promise<void> {
      const before = [...running];
      open = to;
      await Promise.all(before);
    },
    async end(): Promise<void> {
      isOver = true;
      await ticking;
      await Promise.all(running);
    },
  };
}

/** Accepted, now or by a try whose answer did not come. */
export const isFinal = (status: number | undefined): boolean => status === 202 || status === 409;

const post = (url: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': AGENT, ...headers },
    body: JSON.stringify(body),
  });

const bearer = ({ api_key }: Session) => ({ authorization: `Bearer ${api_key}` });

async function server(to: Session, [one]: readonly Sent[]): Promise<readonly number[]> {
  const answer = await post(`${to.ingestion_url}/v1/events`, purchase(one?.id ?? ''), bearer(to));
  await answer.arrayBuffer();
  return [answer.status];
}

async function batch(to: Session, left: readonly Sent[]): Promise<readonly number[]> {
  const events = left.map(({ id }) => purchase(id));
  const answer = await post(`${to.ingestion_url}/v1/ingest`, { events }, bearer(to));
  const body = (await answer.json()) as { results?: readonly { readonly status: number }[] };
  return left.map((_, i) => body.results?.[i]?.status ?? answer.status);
}

async function browser(to: Session, [one]: readonly Sent[]): Promise<readonly number[]> {
  // No order: those of pages wait for what a server says of them.
  const { order_id: _, ...event } = purchase(one?.id ?? '', {
    event_name: 'AddToCart',
    user_data: { email: 'jane@example.com' },
  });
  const answer = await post(
    `${to.ingestion_url}/v1/browser/events`,
    { ...event, merchant_id: to.merchant_id },
    {},
  );
  await answer.arrayBuffer();
  return [answer.status];
}
