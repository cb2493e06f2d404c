// G16 under load: a hundred clients at once read every route and send events by every path, good ones, repeated ones and bad
// ones, to the running host. Nobody gets a failure of ours, but for a 503 that says when to come back; nothing that was
// accepted is missing; what was refused is in the overview. A number of requests, not a time, is what bounds it: every route is read.
import { describe, expect, it } from 'vitest';
import { routesOf } from '../../lib/events/routes/every-route.ts';
import { purchase, useHost } from './hosts.ts';

const CLIENTS = 100;
const ROUNDS = 2;
const GETS = routesOf('api').filter(({ method }) => method === 'GET');
const { session, errors } = useHost();

interface Answer {
  readonly what: string;
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

async function ask(what: string, url: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  return { what, status: answer.status, retryAfter: answer.headers.get('retry-after'), text };
}

function read(path: string, id: string): Promise<Answer> {
  const filled = path.replaceAll(/:[a-z_]+/gi, encodeURIComponent(id));
  const headers = { authorization: `Bearer ${session().session_jwt}` };
  return ask(`GET ${path}`, session().api_url + filled, { headers });
}

function send(path: string, body: unknown, authorization: string): Promise<Answer> {
  return ask(`POST ${path}`, session().ingestion_url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(authorization === '' ? {} : { authorization }) },
    body: JSON.stringify(body),
  });
}

/** Of a person few platforms know enough of: deliveries are not what is loaded here. */
const event = (id: string, more: Readonly<Record<string, unknown>> = {}) =>
  purchase(id, { user_data: { email: 'jane@example.com' }, ...more });

/** One client's requests, one after the other; where it begins among the routes is its own. */
async function client(number: number, accepted: string[]): Promise<Answer[]> {
  const { api_key, merchant_id } = session();
  const bearer = `Bearer ${api_key}`;
  const basic = `Basic ${Buffer.from(`${api_key}:`).toString('base64')}`;
  const answers: Answer[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const id = `load-${number}-${round}`;
    const single = await send('/v1/events', event(id), bearer);
    if (single.status === 202) accepted.push(id);
    const route = GETS[(number + round) % GETS.length];
    answers.push(
      single,
      await send('/v1/events', event(id), bearer),
      await send('/v1/ingest', { events: [event(`${id}-b`), event(id, { event_time: 'soon' })] }, bearer),
      await send('/v1/browser/events', { ...event(`${id}-w`), merchant_id }, ''),
      await send('/v1/track', { event: 'Order Completed', userId: 'u', messageId: `${id}-t` }, basic),
      await read(route?.path ?? '', id),
    );
  }
  return answers;
}

describe('a hundred clients at once', () => {
  it('get no failure, lose nothing that was accepted, and see what was refused', async () => {
    const accepted: string[] = [];
    const clients = Array.from({ length: CLIENTS }, (_, number) => client(number, accepted));
    const answers = (await Promise.all(clients)).flat();
    expect(answers).toHaveLength(CLIENTS * ROUNDS * 6);
    expect(new Set(answers.map(({ what }) => what)).size).toBe(GETS.length + 4);
    const isFailure = ({ status, retryAfter }: Answer): boolean =>
      status >= 500 && !(status === 503 && Number(retryAfter) > 0);
    expect(answers.filter(isFailure)).toEqual([]);
    expect(accepted.length).toBeGreaterThan(0);
    for (const id of accepted) expect((await read('/v1/events/:id', id)).status).toBe(200);
    const overview = await read('/v1/analytics/overview', '');
    const { refused } = JSON.parse(overview.text) as {
      refused: { total: number; by_reason: { reason: string; field?: string; count: number }[] };
    };
    // Written once by each process at its first refusal; the rest a minute later.
    expect(refused.total).toBeGreaterThan(0);
    expect(refused.total).toBe(refused.by_reason.reduce((sum, { count }) => sum + count, 0));
    expect(errors).toEqual([]);
  });
});
