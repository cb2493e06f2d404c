// The helpdesk on the embedded host, as `npm start` runs it, with ten thousand tickets, which are planted: what its API takes
// for each call, from one client and from sixteen at once. A workspace of its own, without webhooks and without drafts, and as
// many API keys as keep rate limits from binding.
import { randomBytes, randomUUID } from 'node:crypto';
import { Agent, request } from 'undici';
import { systemClock } from '#lib/adapters/clock/system-clock.ts';
import { HELPDESK_SCOPES } from '#lib/helpdesk/domain/account/scopes.ts';
import { type EmbeddedHost, startEmbeddedHost, tablesOf } from '../embedded-host.ts';
import { BODY, plantTickets, subjectOf } from '../plant-tickets.ts';
import { plantMerchant } from '../planted-merchant.ts';
import { figure, type Row, report, sized } from '../result.ts';
import { quantile } from '../rounds.ts';

const TICKETS = sized(10_000, 600);
const KEYS = 40;
const AT_ONCE = 16;
const ALONE_CALLS = sized(50, 5);
const TOGETHER_CALLS = sized(240, 32);

type Call = (n: number) => Promise<unknown>;

const host = await startEmbeddedHost();
try {
  const { keys, ids } = await plantWorkspace(host);
  const agent = new Agent({ connections: AT_ONCE });
  const call = caller(host.session.helpdesk_url, keys, agent);
  await call('PUT', '/api/v1/accounts', { config: { ai: { auto_draft: false } } });
  const rows: Row[] = [];
  const calls: readonly (readonly [string, Call])[] = [
    ['create', (n) => call('POST', '/api/tickets', ticket(n + TICKETS))],
    ['list, a page of 20', () => call('GET', '/api/tickets?limit=20')],
    ['list by status, a page of 20', () => call('GET', '/api/tickets?status=pending&limit=20')],
    ['search, a word of few tickets', (n) => call('GET', `/api/tickets?search=order${n}`)],
    ['search, a word of every ticket', () => call('GET', '/api/tickets?search=parcel&limit=20')],
    ['search, two words', (n) => call('GET', `/api/tickets?search=parcel%20order${n}`)],
    ['conversations with counts', () => call('GET', '/api/v1/conversations?limit=20&counts=true')],
    [
      'reply',
      (n) =>
        call('POST', `/api/tickets/${ids[n]}/reply`, { body: 'Your parcel arrives tomorrow before noon.' }),
    ],
  ];
  for (const [what, one] of calls) {
    rows.push(...figures(what, 1, await timed(ALONE_CALLS, 1, one)));
    const together = await timed(TOGETHER_CALLS, AT_ONCE, (n) => one(n + ALONE_CALLS));
    rows.push(...figures(what, AT_ONCE, together));
  }
  await agent.close();
  report({
    benchmark: 'helpdesk',
    rows,
    notes: [
      `${TICKETS} tickets in one workspace of the embedded host, one client and ${AT_ONCE} at once, ${KEYS} API keys`,
    ],
  });
} finally {
  await host.close();
}

/** Of a customer that nobody knows yet. */
function ticket(n: number) {
  return {
    customer_email: `customer${n}@example.com`,
    customer_name: 'Jane Doe',
    subject: subjectOf(n),
    body: BODY,
  };
}

interface Timed {
  readonly tookMs: readonly number[];
  readonly perSec: number;
}

async function timed(count: number, atOnce: number, call: Call): Promise<Timed> {
  const tookMs: number[] = [];
  let next = 0;
  const startedMs = performance.now();
  const client = async (): Promise<void> => {
    while (next < count) {
      const n = next++;
      const beganMs = performance.now();
      await call(n);
      tookMs.push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return { tookMs, perSec: (count * 1_000) / (performance.now() - startedMs) };
}

function figures(what: string, atOnce: number, { tookMs, perSec }: Timed): readonly Row[] {
  const of = `${what}, ${atOnce === 1 ? 'one client' : `${atOnce} at once`}`;
  return [
    figure(`${of}, median`, quantile(tookMs, 0.5), 'ms'),
    figure(`${of}, 99 %`, quantile(tookMs, 0.99), 'ms'),
    figure(of, perSec, '/s'),
  ];
}

/** Each call with the next key. Rejects where the answer is none of 2xx. */
function caller(origin: string, keys: readonly string[], dispatcher: Agent) {
  let sent = 0;
  return async (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<unknown> => {
    const answer = await request(origin + path, {
      dispatcher,
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': keys[sent++ % keys.length] ?? '' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text);
  };
}

async function plantWorkspace(host: EmbeddedHost) {
  const { db, tableOf } = await tablesOf(host);
  const workspaceId = randomUUID();
  const keys = await plantMerchant(
    { db, table: tableOf(/config/i), clock: systemClock },
    {
      merchantId: workspaceId,
      keysOf: 'hdk_test',
      scopes: HELPDESK_SCOPES,
      secrets: Array.from({ length: KEYS }, () => randomBytes(32)),
    },
  );
  const startMs = systemClock.now() - TICKETS * 1_000;
  const table = tableOf(/helpdesk.*records/i);
  const ids = await plantTickets(db, { table, workspaceId, count: TICKETS, startMs });
  db.destroy();
  return { keys, ids };
}
