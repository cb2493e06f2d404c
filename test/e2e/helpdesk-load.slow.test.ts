// Goal: a hundred clients at once read every route of the helpdesk and make what can be made, and nobody gets a failure of ours
// but a 503 that says when to come back; what was acknowledged is there. Method: the embedded host; a number of requests, not a
// time, is what bounds it.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../lib/core/http/route.ts';
import { HELPDESK_SCOPES } from '../../lib/helpdesk/domain/account/scopes.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { type Desk, type DeskAnswer, deskAt, shapeProblems, withKey } from './desk.ts';
import { useHost } from './hosts.ts';

const CLIENTS = 100;
const ROUNDS = 3;
const KEYS = 15;
/** What the host says of a 503 to whoever lost to the crowd at one record. */
const CROWDED =
  /^helpdesk: POST \/api\/v1\/(?:messages|runs) failed: .+ could not be written in time: others wrote it first$/;
const GETS = (HELPDESK_ROUTES as readonly Route[]).filter(({ method }) => method === 'GET');

const { session, errors } = useHost(() => ({ hasHelpdeskSample: true }));
let desks: readonly Desk[] = [];
beforeAll(async () => {
  const { helpdesk_url, helpdesk_api_key } = session();
  const desk = deskAt(helpdesk_url, withKey(helpdesk_api_key));
  const made = Array.from({ length: KEYS }, async (_, i) => {
    const body = { name: `load ${i}`, scopes: HELPDESK_SCOPES, environment: 'test' };
    const { body: answer } = await desk('POST', '/api/v1/api-keys', { body });
    return deskAt(helpdesk_url, withKey(String(answer?.secret)));
  });
  desks = await Promise.all(made);
});

interface Asked {
  readonly what: string;
  readonly answer: DeskAnswer;
}

/** What exists, at routes that ask for it. */
function pathOf({ path, id }: Route): string {
  const { tickets, contacts, articles, webhook } = session().helpdesk_sample;
  const known = path.includes('/contacts')
    ? contacts[0]
    : path.includes('/articles')
      ? articles[0]
      : tickets[0];
  const filled = path.replace(':id', (path.includes('/webhooks') ? webhook : known) ?? '');
  return id === 'listMessages' ? `${filled}?ticket_id=${tickets[0]}` : filled;
}

const MADE: readonly (readonly [path: string, body: (token: string) => unknown])[] = [
  ['/api/tickets', (t) => ({ customer_email: `${t}@example.com`, subject: t, body: t })],
  ['/api/v1/conversations', (t) => ({ customer_email: 'many@example.com', subject: t, message: t })],
  ['/api/contacts', (t) => ({ email: `${t}@example.org`, name: t })],
  ['/api/v1/contacts', () => ({ email: 'one@example.org' })],
  ['/api/knowledge/ingest', (t) => ({ title: 'The same title', content: t, status: 'published' })],
  [
    '/api/v1/messages',
    (t) => ({ ticket_id: session().helpdesk_sample.tickets[0], body: t, author: 'customer' }),
  ],
  ['/api/v1/audit-log', (t) => ({ action: 'settings.load', metadata: { t } })],
  ['/api/v1/runs', () => ({ ticket_id: session().helpdesk_sample.tickets[1] })],
];

/** One client's requests, one after the other; where it begins among the routes is its own. */
async function client(number: number): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const at = number * ROUNDS + round;
    const desk = desks[at % KEYS] as Desk;
    const get = GETS[at % GETS.length] as Route;
    asked.push({ what: `GET ${get.path}`, answer: await desk('GET', pathOf(get)) });
    const [path, body] = MADE[at % MADE.length] as (typeof MADE)[number];
    asked.push({ what: `POST ${path}`, answer: await desk('POST', path, { body: body(`load${at}t`) }) });
  }
  return asked;
}

describe('a hundred clients at once', () => {
  it('get no failure of the helpdesk, and lose nothing that was acknowledged', async () => {
    const asked = (await Promise.all(Array.from({ length: CLIENTS }, (_, number) => client(number)))).flat();
    expect(asked).toHaveLength(CLIENTS * ROUNDS * 2);
    expect(new Set(asked.map(({ what }) => what)).size).toBe(GETS.length + MADE.length);
    expect(
      asked.flatMap(({ what, answer }) => shapeProblems(answer).map((problem) => `${what}: ${problem}`)),
    ).toEqual([]);
    const statuses = Map.groupBy(asked, ({ answer }) => answer.status);
    const expected = [200, 201, 409, 503];
    // No run is known by its id here.
    const others = asked.filter(
      ({ what, answer }) =>
        !expected.includes(answer.status) && !(what === 'GET /api/v1/runs/:id' && answer.status === 404),
    );
    expect(
      others.map(({ what, answer }) => `${what}: ${answer.status} ${answer.text.slice(0, 200)}`),
    ).toEqual([]);
    console.log(
      JSON.stringify(Object.fromEntries([...statuses].map(([status, all]) => [status, all.length]))),
    );

    const made = asked.filter(({ what, answer }) => what === 'POST /api/tickets' && answer.status === 201);
    expect(made.length).toBeGreaterThan(0);
    for (const [i, { answer }] of made.entries()) {
      const { status } = await (desks[i % KEYS] as Desk)('GET', `/api/tickets/${answer.body?.ticket_id}`);
      expect(status).toBe(200);
    }
    // Of all who created one contact, one did.
    const ones = asked.filter(
      ({ what, answer }) => what === 'POST /api/v1/contacts' && answer.status === 201,
    );
    expect(ones).toHaveLength(1);
    const refused = statuses.get(503)?.length ?? 0;
    const counted = errors.filter((text) => text.trim() === 'helpdesk: answered with 5xx');
    expect(counted).toHaveLength(refused);
    const crowded = errors.filter((text) => CROWDED.test(text.trim()));
    expect(errors.filter((text) => !counted.includes(text) && !crowded.includes(text))).toEqual([]);
    expect(crowded.length).toBeLessThanOrEqual(refused);
  });
});
