// The vendors' endpoints on one local port: `/{vendor host}/{path}` is answered by that platform's sandbox, and
// `/received`, `/counted`, `/faults` show and steer it; `/webhooks` receives those of the helpdesk. For laptops and tests only: it listens on 127.0.0.1 and
// knows no authentication of its own.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import * as z from 'zod';
import { listen, readBody } from '../http/server.ts';
import { parseJson } from '../parse-json.ts';
import { accountCheck, credentialsOf, type ValidCredentials } from './accounts.ts';
import { type Fault, FaultPlan, faultSchema, KEPT_FROM_PLATFORM } from './faults.ts';
import { Ledger } from './ledger.ts';
import { loadSandboxes } from './platform-sandboxes.ts';
import {
  jsonAnswer,
  type PlatformSandbox,
  type SandboxReply,
  type SandboxRequest,
} from './platforms/platform-sandbox.ts';
import { writeAnswer, writeFault } from './reply-writer.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

export interface SandboxOptions {
  /** 0 takes any free port. */
  readonly port?: number;
  readonly now?: () => number;
  /** [0, 1), for faults with a probability. */
  readonly random?: () => number;
  readonly validCredentials?: ValidCredentials;
  /** JSONL file every event is appended to before it is answered, and reloaded from at start. */
  readonly logFile?: string;
  /** Events listed per platform by `GET /received`; default 10,000. */
  readonly arrivalsMax?: number;
  /** Asked first, for what stands in here beside the platforms: true where it answered, and false before it read anything. */
  readonly beside?: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
}

export interface RunningSandbox {
  readonly url: string;
  close(): Promise<void>;
}

const BODY_MAX_BYTES = 16 * 1_048_576;

interface State {
  readonly sandboxes: ReadonlyMap<string, PlatformSandbox>;
  readonly byHost: ReadonlyMap<string, readonly PlatformSandbox[]>;
  readonly ledger: Ledger;
  readonly faults: FaultPlan;
  readonly webhooks: WebhookReceiver;
  readonly now: () => number;
  readonly validCredentials?: ValidCredentials;
}

/** Throws a LocalProblem if the port is busy. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const sandboxes = await loadSandboxes();
  const state: State = {
    sandboxes,
    byHost: byHost(
      [...sandboxes.values()].flatMap((sandbox) => [
        sandbox,
        ...(sandbox.other === undefined ? [] : [sandbox.other]),
      ]),
    ),
    ledger: new Ledger({
      sandboxes,
      arrivalsMax: options.arrivalsMax ?? 10_000,
      ...(options.logFile === undefined ? {} : { logFile: options.logFile }),
    }),
    faults: new FaultPlan(options.random ?? Math.random),
    webhooks: new WebhookReceiver(),
    now: options.now ?? Date.now,
    ...(options.validCredentials === undefined ? {} : { validCredentials: options.validCredentials }),
  };
  const server = createServer((request, response) => {
    const beside = options.beside?.(request, response) ?? Promise.resolve(false);
    const served = beside.then((done) => (done ? undefined : serve(state, request, response)));
    served.catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else writeAnswer(response, jsonAnswer(500, { error: String(error) }));
    });
  });
  return {
    url: await listen(server, 'sandbox', options.port ?? 0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://sandbox');
  const bytes = await readBody(request, BODY_MAX_BYTES);
  if (bytes === null) return writeAnswer(response, jsonAnswer(413, { error: 'the body is too large' }));
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const unpacked = isPacked ? gunzipSync(bytes, { maxOutputLength: BODY_MAX_BYTES }) : bytes;
  const body = unpacked.toString('utf8');
  const [, first = '', ...rest] = url.pathname.split('/');
  if (first === 'webhooks') return writeAnswer(response, webhooks(state, request, rest.join('/'), body));
  const sharing = state.byHost.get(first);
  if (sharing === undefined) return writeAnswer(response, steer(state, request.method ?? 'GET', url, body));
  const vendorRequest: SandboxRequest = {
    method: request.method ?? 'GET',
    host: first,
    path: `/${rest.join('/')}`,
    query: Object.fromEntries(url.searchParams),
    headers: lowercased(request),
    body,
    ...(isPacked ? { packed: bytes } : {}),
  };
  return answerAsVendor(state, sharing, vendorRequest, response);
}

function byHost(sandboxes: readonly PlatformSandbox[]): State['byHost'] {
  const pairs = sandboxes.flatMap((sandbox) => sandbox.hosts.map((host) => ({ host, sandbox })));
  return new Map(
    [...Map.groupBy(pairs, ({ host }) => host)].map(([host, some]) => [
      host,
      some.map(({ sandbox }) => sandbox),
    ]),
  );
}

/**
 * By the one that the request is for; where none is sure, by the first that takes it. Where several platforms take it (the token
 * endpoint of Google Ads and Google Analytics), it is `shared`: the faults of one are not those of the others.
 */
function handledBy(
  { validCredentials }: State,
  sharing: readonly PlatformSandbox[],
  request: SandboxRequest,
  nowMs: number,
): { readonly sandbox: PlatformSandbox; readonly usual: SandboxReply; readonly shared: boolean } {
  const open = sharing.filter((sandbox) => sandbox.claims?.(request) !== false);
  const sure = open.filter((sandbox) => sandbox.claims?.(request) === true);
  const replies = (sure.length > 0 ? sure : open).map((sandbox) => ({
    sandbox,
    usual: sandbox.handle(request, {
      nowMs,
      check: accountCheck(sandbox, validCredentials),
      credentialsOf: (account) => credentialsOf(sandbox, validCredentials, account),
    }),
  }));
  const taken = replies.filter(({ usual }) => usual.answer.status < 400);
  const [first] = taken.length > 0 ? taken : replies;
  if (first === undefined) throw new Error(`${request.path} is for no sandbox`);
  return { ...first, shared: new Set(taken.map(({ sandbox }) => sandbox.slug)).size > 1 };
}

async function answerAsVendor(
  state: State,
  sharing: readonly PlatformSandbox[],
  request: SandboxRequest,
  response: ServerResponse,
): Promise<void> {
  const nowMs = state.now();
  const { sandbox, usual, shared } = handledBy(state, sharing, request, nowMs);
  const fault = shared ? undefined : state.faults.strike(sandbox.slug);
  if (fault === undefined) {
    state.ledger.record(sandbox.slug, usual.events, nowMs);
    return writeAnswer(response, usual.answer);
  }
  const reply = altered(sandbox, fault, usual);
  state.ledger.record(sandbox.slug, struck(fault, reply).events, nowMs);
  return writeFault(response, fault, reply.answer, sandbox);
}

/** Partial success and wrong counts as the vendor would say them; a vendor that has no such answer says something odd. */
function altered(sandbox: PlatformSandbox, fault: Fault, usual: SandboxReply): SandboxReply {
  if (fault.kind !== 'partial' && fault.kind !== 'wrong_counts') return usual;
  const alter = fault.kind === 'partial' ? sandbox.partial : sandbox.wrongCounts;
  return alter?.(usual) ?? { ...usual, answer: jsonAnswer(200, { unexpected: usual.events.length + 7 }) };
}

function struck(fault: Fault, reply: SandboxReply): SandboxReply {
  if (!KEPT_FROM_PLATFORM.has(fault.kind)) return reply;
  const reason = `fault: ${fault.kind}`;
  return { ...reply, events: reply.events.map((event) => ({ ...event, accepted: false, reason })) };
}

function webhooks({ webhooks: receiver, now }: State, request: IncomingMessage, name: string, body: string) {
  switch (request.method) {
    case 'GET':
      return jsonAnswer(200, { received: receiver.list() });
    case 'DELETE':
      receiver.clear();
      return jsonAnswer(200, { success: true });
    default:
      receiver.take(name, request.headers, body, now());
      return jsonAnswer(200, { success: true });
  }
}

/** Everything but the vendors' endpoints. */
function steer(state: State, method: string, url: URL, body: string) {
  const platform = url.searchParams.get('platform');
  if (platform !== null && !state.sandboxes.has(platform))
    return jsonAnswer(400, { error: `no platform ${platform}`, platforms: [...state.sandboxes.keys()] });
  const slugs = platform === null ? [...state.sandboxes.keys()] : [platform];
  const wrap = (items: readonly unknown[]) =>
    jsonAnswer(200, platform === null ? { platforms: items } : items[0]);
  switch (`${method} ${url.pathname}`) {
    case 'GET /received':
      return wrap(slugs.map((slug) => state.ledger.received(slug)));
    case 'GET /counted':
      return wrap(slugs.map((slug) => state.ledger.counted(slug)));
    case 'DELETE /received':
      state.ledger.clear();
      return jsonAnswer(200, { success: true });
    case 'GET /faults':
      return jsonAnswer(200, { faults: state.faults.list() });
    case 'POST /faults':
      return addFault(state, body);
    case 'DELETE /faults':
      state.faults.clear(platform ?? undefined);
      return jsonAnswer(200, { success: true });
    default:
      return jsonAnswer(404, { error: 'no such path', hosts: [...state.byHost.keys()] });
  }
}

function addFault(state: State, body: string) {
  const parsed = faultSchema.safeParse(parseJson(body));
  if (!parsed.success) return jsonAnswer(400, { error: z.prettifyError(parsed.error) });
  if (!state.sandboxes.has(parsed.data.platform))
    return jsonAnswer(400, {
      error: `no platform ${parsed.data.platform}`,
      platforms: [...state.sandboxes.keys()],
    });
  state.faults.add(parsed.data);
  return jsonAnswer(200, { success: true, faults: state.faults.list() });
}

function lowercased(request: IncomingMessage): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) out[name] = Array.isArray(value) ? value.join(', ') : value;
  return out;
}
