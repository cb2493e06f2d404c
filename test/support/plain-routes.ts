// A small product that says failures plainly, takes keys in a header of their own, and limits calls: routes of every kind the
// helpdesk has, and an application that answers them.
import * as z from 'zod';
import { createHttpApp, type HttpAppParts } from '../../lib/adapters/fastify/http-app.ts';
import { ERRORS } from '../../lib/core/http/errors.ts';
import { etagOf, hasCopy, meetsIfMatch } from '../../lib/core/http/etag.ts';
import type { Handlers } from '../../lib/core/http/handler.ts';
import { bearerOf } from '../../lib/core/http/request-rules.ts';
import { defineRoute } from '../../lib/core/http/route.ts';
import { limitParam, offsetParam, searchParam } from '../../lib/core/routes/list-query.ts';
import { formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import { keyCaller, sessionCaller } from '../../lib/core/tenancy/authenticate.ts';
import type { ProductAccess } from '../../lib/core/tenancy/grant.ts';
import { createMemoryCallLimiter } from './memory/call-limiter.ts';
import { createManualClock } from './memory/clock.ts';
import { createMemoryIdempotencyStore } from './memory/idempotency-store.ts';
import { createSeededRandom } from './memory/random.ts';
import { createMemoryTables } from './memory/tables.ts';
import { memoryKeys, memoryMembers } from './memory/tenancy-stores.ts';

const DESK: ProductAccess = {
  product: 'hdk',
  opensOf: (scopes) => scopes,
  scopesOf: (rights) => (rights.includes('manage:helpdesk') ? ['read:notes', 'write:notes'] : ['read:notes']),
};

const shared = { part: 'helpdesk', summary: 'For tests' } as const;
const byKey = (key: string) => ({ key, keyHeader: 'x-api-key' }) as const;
const byScope = (key: string) => ({ key, keyHeader: 'x-api-key', session: 'by_scope' }) as const;
const note = z.object({ id: z.string(), text: z.string() });
const params = z.object({ id: z.guid() });
const NOTE_TEXTS = { not_found: 'Note not found', conflict: 'Note already exists' } as const;

export const listNotes = defineRoute({
  ...shared,
  id: 'listNotes',
  method: 'GET',
  path: '/api/v1/notes',
  auth: byScope('read:notes'),
  cors: 'listed',
  rateLimit: { perMinute: 3 },
  query: z.object({
    limit: limitParam(20, 100),
    offset: offsetParam(10_000),
    search: searchParam(200),
    state: z.enum(['new', 'done']).optional(),
  }),
  replies: { 200: z.object({ query: z.unknown() }) },
  errors: [],
});
export const readNote = defineRoute({
  ...shared,
  id: 'readNote',
  method: 'GET',
  path: '/api/notes/:id',
  auth: byKey('read:notes'),
  texts: NOTE_TEXTS,
  params,
  headers: z.object({ 'if-none-match': z.string().optional() }),
  replies: { 200: note, 304: null },
  replyHeaders: { etag: 'The version.' },
  errors: ['not_found'],
});
export const createNote = defineRoute({
  ...shared,
  id: 'createNote',
  method: 'POST',
  path: '/api/v1/notes',
  auth: byScope('write:notes'),
  texts: NOTE_TEXTS,
  rateLimit: { perMinute: 1_000 },
  idempotent: true,
  body: z.object({ text: z.string().min(1).max(10), tags: z.array(z.string()).optional() }),
  replies: { 201: note },
  errors: ['conflict', 'unavailable'],
});
export const closeNote = defineRoute({
  ...shared,
  id: 'closeNote',
  method: 'POST',
  path: '/api/notes/:id/close',
  auth: byKey('write:notes'),
  params,
  headers: z.object({ 'if-match': z.string().optional() }),
  body: z.object({ reason: z.string().optional() }).optional(),
  replies: { 200: z.object({ reason: z.string().nullable(), hadBody: z.boolean() }) },
  errors: ['precondition_failed'],
});
export const wakeNote = defineRoute({
  ...shared,
  id: 'wakeNote',
  method: 'DELETE',
  path: '/api/notes/:id/snooze',
  auth: byKey('write:notes'),
  params,
  replies: { 200: z.object({ success: z.literal(true) }) },
  errors: [],
});
export const health = defineRoute({
  ...shared,
  id: 'health',
  method: 'GET',
  path: '/healthz',
  auth: 'public',
  replies: { 200: z.object({ ok: z.literal(true) }) },
  errors: [],
});

export const PLAIN_ROUTES = [listNotes, readNote, createNote, closeNote, wakeNote, health] as const;
type Routes = (typeof PLAIN_ROUTES)[number];

export const NOTE_ID = '11111111-1111-1111-1111-111111111111';
const T0 = Date.UTC(2026, 10, 20, 12, 0, 50);
const KEPT_OPEN = { seal: async (_m: string, _c: string, text: string) => text };

function handlersOf(): Handlers<Routes> {
  return {
    listNotes: async ({ query }) => ({ status: 200, body: { query } }),
    async readNote({ params: { id }, headers }) {
      if (id !== NOTE_ID) return { failure: 'not_found' };
      const etag = etagOf(7);
      if (hasCopy(headers['if-none-match'], etag)) return { status: 304, body: undefined, headers: { etag } };
      return { status: 200, body: { id, text: 'a' }, headers: { etag } };
    },
    async createNote({ body }) {
      if (body.text === 'twice') return { failure: 'conflict' };
      if (body.text === 'away') return { failure: 'unavailable' };
      if (body.text === 'bug') throw new TypeError('password=hunter2');
      return { status: 201, body: { id: NOTE_ID, text: body.text } };
    },
    async closeNote({ body, headers }) {
      if (!meetsIfMatch(headers['if-match'], etagOf(7))) return { failure: 'precondition_failed' };
      return { status: 200, body: { reason: body?.reason ?? null, hadBody: body !== undefined } };
    },
    wakeNote: async () => ({ status: 200, body: { success: true } }),
    health: async () => ({ status: 200, body: { ok: true } }),
  };
}

/** Of one merchant: a key that reads, one that does everything, one of the other product; sessions `member`, `owner`, `nobody`. */
export async function openPlainApp(changes: Partial<HttpAppParts<Routes>> = {}) {
  const clock = createManualClock(T0);
  const tables = createMemoryTables();
  const config = { ...memoryKeys('hdk', tables), ...memoryMembers() };
  const keyOf = async (product: 'evk' | 'hdk', fill: number, scopes: readonly string[]): Promise<string> => {
    const key = formatApiKey(`${product}_live`, Buffer.alloc(32, fill));
    const record = { sha256: hashApiKey(key), keyId: `key_${fill}`, merchantId: 'm', name: 'test', scopes };
    await memoryKeys(product, tables).putApiKey({ ...record, prefix: key.slice(0, 13), createdAtMs: T0 });
    return key;
  };
  const keys = {
    reads: await keyOf('hdk', 1, ['read:notes']),
    all: await keyOf('hdk', 2, ['read:notes', 'write:notes']),
    events: await keyOf('evk', 3, ['read:notes', 'write:notes', 'admin']),
  };
  for (const role of ['member', 'owner'] as const)
    await config.putMember({ sub: role, merchantId: 'm', role });
  const sessions = { verify: async (token: string) => (/^[a-z]+$/.test(token) ? { sub: token } : null) };
  const reports: { readonly problem: string; readonly error: unknown }[] = [];
  const limiter = createMemoryCallLimiter();
  const app = createHttpApp<Routes>({
    routes: PLAIN_ROUTES,
    handlers: handlersOf(),
    failures: { style: 'plain', errors: ERRORS },
    queryOnce: true,
    authenticate: async (authorization, key, merchant) => {
      if (key !== undefined) return await keyCaller(key, DESK, { config, clock });
      const token = bearerOf(authorization);
      if (token === undefined) return null;
      return await sessionCaller(token, merchant, DESK, { config, sessions, clock });
    },
    limits: { limiter, clock, failedPerMinute: 60 },
    idempotency: {
      store: createMemoryIdempotencyStore(),
      vault: { ...KEPT_OPEN, open: async (_m, _c, sealed) => sealed },
      clock,
      random: createSeededRandom('plain'),
    },
    origins: ['https://desk.example'],
    report: (problem, error) => void reports.push({ problem, error }),
    ...changes,
  });
  return { app, keys, clock, reports, limiter };
}
