// Goal: a reconciliation survives `kill -9` in the middle of its walk, on the real host with its real handlers and tables, and says
// what one that was left alone says. Takes about three minutes: a job that was dropped is taken up when it has not moved for two.
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Session } from '../../services/local/session.ts';
import { keepPlatforms, purchase, send, useKillableHost } from './hosts.ts';

const EVENTS = 2_500;
const BATCH = 500;
/** Against hanging only. */
const END_MAX_MS = 900_000;
/** A step may end between two looks at it: then it was not killed in its middle, and another one is. */
const TRIES = 20;

const host = useKillableHost();

interface View {
  readonly id: string;
  readonly status: string;
  readonly updated_at: string;
  readonly platforms: Readonly<Record<string, Readonly<Record<string, number>> | null>>;
  readonly progress: { readonly events: number };
}

async function ask<T>({ api_url, session_jwt }: Session, path: string, init: RequestInit = {}): Promise<T> {
  const headers = { authorization: `Bearer ${session_jwt}`, ...init.headers };
  const answer = await fetch(`${api_url}${path}`, { ...init, headers });
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return JSON.parse(text) as T;
}

async function ingest(session: Session): Promise<void> {
  for (let from = 0; from < EVENTS; from += BATCH) {
    const events = Array.from({ length: BATCH }, (_, i) => {
      // Every tenth is reported twice.
      const order_id = `${(from + i) % 10 === 9 ? from + i - 1 : from + i}`;
      return purchase(`order-${from + i}`, { order_id, user_data: { email: 'jane@example.com' } });
    });
    // As a shop does. On a busy machine a function may need its whole timeout, which is a 502 in front of a Lambda, too.
    let answer = await send(session, '/v1/ingest', { events });
    for (let tries = 1; answer.status >= 500 && tries < TRIES; tries++)
      answer = await send(session, '/v1/ingest', { events });
    expect(answer.status).toBe(202);
  }
}

const upload = async (session: Session): Promise<string> => {
  const lines = Array.from({ length: EVENTS }, (_, i) => `${i},${i % 100 === 0 ? 11 : 10}.00,usd`);
  const { reconciliation } = await ask<{ reconciliation: View }>(session, '/v1/reconciliations', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: `order_id,value,currency\r\n${lines.join('\r\n')}`,
  });
  return reconciliation.id;
};

/** Until it is as wished. */
async function look(
  session: Session,
  id: string,
  isThere: (view: View) => boolean,
  everyMs = 50,
): Promise<View> {
  const endMs = performance.now() + END_MAX_MS;
  for (;;) {
    const { reconciliation } = await ask<{ reconciliation: View }>(session, `/v1/reconciliations/${id}`);
    if (isThere(reconciliation)) return reconciliation;
    if (performance.now() > endMs) throw new Error(`it stays ${JSON.stringify(reconciliation)}`);
    await pause(everyMs);
  }
}
/** Some take two minutes. */
const done = (session: Session, id: string): Promise<View> =>
  look(session, id, ({ status }) => status === 'done', 1_000);

async function settled(session: Session): Promise<void> {
  const endMs = performance.now() + END_MAX_MS;
  while (performance.now() < endMs) {
    const open = await Promise.all(
      ['QUEUED', 'SENDING', 'RETRY'].map((status) =>
        ask<{ deliveries: unknown[] }>(session, `/v1/deliveries?status=${status}&limit=1`),
      ),
    );
    if (open.every(({ deliveries }) => deliveries.length === 0)) return;
    await pause(1_000);
  }
  throw new Error('deliveries do not end');
}

/** Of one whose first step had begun and not ended when the host died. */
async function killedInTheMiddle(): Promise<string> {
  for (let tries = 0; tries < TRIES; tries++) {
    const session = await host.start();
    await settled(session);
    const id = await upload(session);
    const before = await look(session, id, () => true);
    const taken = await look(session, id, ({ updated_at }) => updated_at !== before.updated_at);
    await host.kill();
    if (taken.status === 'running' && taken.progress.events === 0) return id;
  }
  throw new Error(`no step was met in its middle in ${TRIES} tries`);
}

it('says the same after kill -9 in the middle of its walk', { timeout: 4 * END_MAX_MS }, async () => {
  let session = await host.start();
  await keepPlatforms(session, 'meta', 'ga4');
  await ingest(session);
  await settled(session);
  await host.kill();
  const id = await killedInTheMiddle();
  session = await host.start();
  const killed = await done(session, id);
  const calm = await done(session, await upload(session));
  expect(killed.platforms).toEqual(calm.platforms);
  expect(killed.progress.events).toBe(EVENTS);
  const { meta } = killed.platforms;
  // Orders of two events went out as one.
  const figures = { doubled: 0, missing: EVENTS / 10, wrong_value: EVENTS / 100 };
  expect(meta).toMatchObject({ ...figures, matched: EVENTS - 0.11 * EVENTS });
});
