// The helpdesk's API on memory ports, two workspaces, and one credential of every kind. Every reply is held against the
// contract: the document that callers get, the route's own schema to the last field, and the one shape of failures.
import type { FastifyInstance } from 'fastify';
import { expect } from 'vitest';
import type { z } from 'zod';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import { type Route, routesAt } from '../../lib/core/http/route.ts';
import { type ApiKeyRecord, formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import type { CallLimiter } from '../../lib/core/work/call-limiter.ts';
import { HELPDESK_SCOPES, type HelpdeskScope } from '../../lib/helpdesk/domain/account/scopes.ts';
import { helpdeskDocument } from '../../lib/helpdesk/routes/document.ts';
import { HELPDESK_ROUTES } from '../../lib/helpdesk/routes/every-route.ts';
import { buildHelpdeskApi } from '../../services/helpdesk/api/app.ts';
import type { HelpdeskApiPorts } from '../../services/helpdesk/api/ports.ts';
import { documentedAnswers } from '../support/documented-answers.ts';
import { createManualClock } from '../support/memory/clock.ts';
import { createMemoryConfig, createMemoryDataKeys } from '../support/memory/config-stores.ts';
import { PLAIN_WRAPPER } from '../support/memory/event-vault.ts';
import { memoryHelpdesk } from '../support/memory/helpdesk.ts';
import { createMemoryIdempotencyStore } from '../support/memory/idempotency-store.ts';
import { createMemoryQueue } from '../support/memory/queue.ts';
import { createSeededRandom } from '../support/memory/random.ts';
import { memoryAuditIntents, memoryKeys } from '../support/memory/tenancy-stores.ts';
import {
  bodyOf,
  type HostReply,
  type HostRequest,
  inject,
  MINE,
  NOBODY,
  NOW,
  putMembers,
  SESSIONS,
  sessionOf,
  THEIRS,
} from './any-host.ts';

export { bodyOf, MINE, NOW, THEIRS };

export const PAGE = 'https://desk.example';
/** Well-formed, and nobody's. */
export const UNKNOWN_ID = '11111111-1111-1111-1111-111111111111';

export type DeskReply = HostReply;
type DeskRequest = HostRequest;

const isDocumented = documentedAnswers(HELPDESK_ROUTES, helpdeskDocument());

/** Most tests make more calls than a minute takes. */
const UNLIMITED: CallLimiter = { take: async () => ({ granted: true, remaining: 1, resetSec: 60 }) };

type Pointer = { readonly workspaceId: string; readonly id: string };

export async function openHelpdesk(changes: Partial<HelpdeskApiPorts> = {}) {
  const clock = createManualClock(NOW);
  const stores = memoryHelpdesk();
  const config = { ...createMemoryConfig(), ...memoryKeys('hdk') };
  const reports: { problem: string; error: unknown }[] = [];
  const queues = {
    deliveries: createMemoryQueue<Pointer>({ clock }),
    runs: createMemoryQueue<Pointer>({ clock }),
    mails: createMemoryQueue<Pointer>({ clock }),
    tasks: createMemoryQueue<Pointer & { readonly kind: string }>({ clock }),
    acceptedMails: createMemoryQueue<{ readonly accepted: Pointer }>({ clock }),
  };
  const ports: HelpdeskApiPorts = {
    stores,
    config,
    ...queues,
    audits: memoryAuditIntents(),
    sessions: SESSIONS,
    vault: createVault({ wrapper: PLAIN_WRAPPER, keys: createMemoryDataKeys(), clock }),
    idempotency: createMemoryIdempotencyStore(),
    limiter: UNLIMITED,
    webhooks: { refused: () => null, transport: async () => ({ send: async () => NOBODY }) },
    mailDomain: 'desk.example',
    origins: [PAGE],
    clock,
    random: createSeededRandom('helpdesk'),
    report: (problem, error) => reports.push({ problem, error }),
    ...changes,
  };
  await putMembers(config);
  await config.putMerchant({
    merchantId: MINE,
    name: 'Analytical Engines',
    email: 'desk@example.com',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs: NOW - 86_400_000,
    browserIngestion: { enabled: false, origins: [] },
  });
  let keys = 0;
  const keyFor = async (
    scopes: readonly HelpdeskScope[] = HELPDESK_SCOPES,
    merchantId: string = MINE,
    more: Pick<ApiKeyRecord, 'expiresAtMs' | 'suspendedAtMs'> = {},
  ) => {
    keys++;
    const key = formatApiKey('hdk_live', Buffer.alloc(32, keys));
    const keyId = `key_${keys}`;
    const record = { sha256: hashApiKey(key), keyId, merchantId, name: 'test', prefix: key.slice(0, 13) };
    await config.putApiKey({ ...record, ...more, scopes, createdAtMs: NOW });
    return { key, keyId };
  };
  const app = buildHelpdeskApi(ports);
  await app.ready();
  const { key } = await keyFor();
  const ask = (method: string, url: string, request: DeskRequest = {}) =>
    call(app, url, { ...(request.token === undefined ? { key } : {}), ...request, method });
  return {
    app,
    ports,
    stores,
    clock,
    config,
    reports,
    key,
    keyFor,
    ...queues,
    session: sessionOf,
    /** With exactly the credentials that the request says. */
    call: (url: string, request: DeskRequest = {}) => call(app, url, request),
    /** With a key of every scope where the request says no credential. */
    ask,
    /** Id of a ticket that a customer just opened. */
    async ticket(changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
      const body = {
        customer_email: 'ada@example.com',
        subject: 'Order 7',
        body: 'Where is it?',
        ...changes,
      };
      const reply = await ask('POST', '/api/tickets', { body });
      expect(reply.status, reply.text).toBe(201);
      return (reply.body as { ticket_id: string }).ticket_id;
    },
    async shown(id: string): Promise<Readonly<Record<string, unknown>>> {
      const reply = await ask('GET', `/api/tickets/${id}`);
      expect(reply.status, reply.text).toBe(200);
      return (reply.body as { ticket: Record<string, unknown> }).ticket;
    },
  };
}

export type Desk = Awaited<ReturnType<typeof openHelpdesk>>;

async function call(app: FastifyInstance, url: string, request: DeskRequest): Promise<DeskReply> {
  const { method, status, headers, text } = await inject(app, url, request);
  expect(isDocumented({ method, path: url, status, headers, text }), `${method} ${url}`).toEqual([]);
  const isJson = String(headers['content-type']).startsWith('application/json');
  const reply = { status, headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined };
  if (method !== 'HEAD') keepsContract(reply, method, url);
  return reply;
}

/** Equality, not success: a field that the contract does not name would be dropped by parsing. */
function keepsContract({ status, body, text }: DeskReply, method: string, url: string): void {
  if (status >= 400) {
    expect(Object.keys(body as object), text).toEqual(['error']);
    expect((body as { error: unknown }).error).toEqual(expect.stringMatching(/^\S/));
    return;
  }
  const route = routeFor(method, url);
  const schema = route?.replies[status] as z.ZodType | null | undefined;
  if (schema === null || schema === undefined || route?.replyType !== undefined) return;
  expect(schema.parse(body)).toEqual(body);
}

export function routeFor(method: string, url: string): Route | undefined {
  const routes: readonly Route[] = HELPDESK_ROUTES;
  return routesAt(routes, url).find((route) => route.method === method);
}

/** The sentence of a failure. */
export const errorOf = ({ body }: DeskReply): string => (body as { error: string }).error;

/** Names that a schema of a body or a query has. */
export function fieldsOf(given: z.ZodType | undefined): readonly string[] {
  let schema = given as { readonly shape?: object; readonly unwrap?: () => unknown } | undefined;
  while (schema !== undefined && schema.shape === undefined) schema = schema.unwrap?.() as typeof schema;
  return Object.keys(schema?.shape ?? {});
}
