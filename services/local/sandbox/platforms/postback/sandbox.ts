// Stand-ins for the networks, each at its own host and in its own words as far as they are known.
import * as z from 'zod';
import { defineSandbox, nameByEventId, type SandboxDefinition } from '../define-sandbox.ts';
import {
  jsonAnswer,
  type PlatformSandbox,
  type SandboxAnswer,
  type SandboxRequest,
} from '../platform-sandbox.ts';
import { listOf, record } from '../reading.ts';
import * as schemas from './schema.ts';

const empty = (status: number): SandboxAnswer => ({ status, headers: {}, body: '' });
const said = (status: number, title: string): SandboxAnswer => jsonAnswer(status, { status, title });
const failed = (message: string): SandboxAnswer =>
  jsonAnswer(400, { Status: 'ERROR', errors: [{ field: 'body', level: 'ERROR', message }] });

/** What all share; a network says the rest. */
function network(
  schema: z.ZodType,
  {
    refused,
    ...own
  }: Pick<SandboxDefinition<string>, 'hosts' | 'login' | 'path' | 'secret' | 'seen' | 'answer'> &
    Partial<SandboxDefinition<string>> & { readonly refused: SandboxAnswer },
): PlatformSandbox {
  return defineSandbox<string>({
    slug: 'postback',
    dedupeWindowSec: 0,
    events: (body) => [body],
    eventsMax: 1,
    refusals: {
      noRoute: refused,
      noJson: refused,
      wrongSecret: said(401, 'Unauthorized'),
      unknownAccount: () => said(403, 'Access Denied'),
      noEvents: refused,
      tooManyEvents: refused,
    },
    refusalOf: (event) => {
      const { error } = schema.safeParse(event);
      return error === undefined ? null : z.prettifyError(error);
    },
    reasonOf: (reason) => reason,
    allOrNothing: true,
    provoked: { throttled: said(429, 'Too Many Requests'), unavailable: said(503, 'Service Unavailable') },
    ...own,
  });
}

/** Its account is the network as a whole: nothing of the request names one, and anybody may ask. */
const open = (host: string, path: RegExp, schema: z.ZodType, fields: readonly [id: string, value: string]) =>
  network(schema, {
    hosts: [host],
    login: () => ({ account: host, secret: 'none' }),
    path,
    account: () => host,
    secret: () => 'none',
    seen: { name: 'name', id: fields[0], value: fields[1], currency: 'currency' },
    answer: ([refusal]) => empty(refusal === null ? 204 : 400),
    refused: empty(400),
  });

const taboola = open('trc.taboola.com', /^\/actions-handler\/log\/3\/s2s-action$/, schemas.taboola, [
  'orderid',
  'revenue',
]);
const outbrain = open('tr.outbrain.com', /^\/unifiedPixel$/, schemas.outbrain, ['orderId', 'orderValue']);

const awin = network(schemas.awin, {
  hosts: ['api.awin.com'],
  login: ['account_id', 'api_key'],
  path: /^\/s2s\/advertiser\/([^/]+)\/orders$/,
  secret: ({ request }) => request.headers['x-api-key'],
  events: 'orders',
  eventsMax: 1_000,
  isTest: (_request, { orders }) => record(listOf(orders)[0])?.isTest === true,
  seen: {
    name: ({ commissionGroups: [group] = [] }: { commissionGroups?: unknown[] }) => record(group)?.code,
    id: 'orderReference',
    value: 'amount',
    currency: 'currency',
  },
  answer: (refusals) => {
    const errors = refusals.flatMap((message) => (message === null ? [] : [{ field: 'order', message }]));
    return errors.length === 0
      ? jsonAnswer(200, { batchId: 'b', successfulOrders: [{}] })
      : jsonAnswer(206, { batchId: 'b', failedOrders: [{ errors }] });
  },
  refused: empty(400),
});

const impact = network(schemas.impact, {
  hosts: ['api.impact.com'],
  login: ({ account_id, api_key }) => ({
    account: String(account_id),
    secret: Buffer.from(`${account_id}:${api_key}`).toString('base64'),
  }),
  path: /^\/Advertisers\/([^/]+)\/Conversions$/,
  secret: ({ request }) => /^Basic (\S+)$/.exec(request.headers.authorization ?? '')?.[1],
  seen: {
    name: ({ EventTypeId, EventTypeCode }) => String(EventTypeId ?? EventTypeCode),
    id: 'OrderId',
    value: 'Amount',
    currency: 'CurrencyCode',
  },
  answer: ([refusal = null], { account }) =>
    refusal === null
      ? jsonAnswer(200, { Status: 'QUEUED', QueuedUri: `/Advertisers/${account}/APISubmissions/1` })
      : failed(refusal),
  refused: failed('is not valid'),
});

/** It answers 200 to everything, and says in it what it did not take. */
const criteo = network(schemas.criteo, {
  hosts: ['widget.eu.criteo.com', 'widget.us.criteo.com', 'widget.as.criteo.com'],
  login: ['account_id', 'caller_id'],
  path: /^\/m\/event$/,
  account: (_request, { account }) => account,
  secret: ({ body: { id } }) => String(record(id)?.mapping_key ?? ''),
  seen: {
    name: ({ events }) => record(listOf(events)[0])?.event,
    id: ({ events }) => record(listOf(events)[0])?.id,
    value: () => undefined,
    currency: ({ events }) => record(listOf(events)[0])?.currency,
  },
  answer: ([refusal]) => jsonAnswer(200, { errors: refusal === null ? [] : [refusal], warnings: [] }),
  refused: jsonAnswer(200, { errors: ['is not valid'], warnings: [] }),
});

const BY_NETWORK: Readonly<Record<string, PlatformSandbox>> = { awin, criteo, impact, outbrain, taboola };
const ALL = Object.values(BY_NETWORK);

/** What a GET says, as a body. */
const readable = (request: SandboxRequest): SandboxRequest =>
  request.method === 'GET' && [taboola, outbrain].some(({ hosts }) => hosts.includes(request.host))
    ? { ...request, method: 'POST', body: JSON.stringify(request.query) }
    : request;

export const sandbox: PlatformSandbox = {
  ...impact,
  hosts: ALL.flatMap(({ hosts }) => hosts),
  acknowledgesByStatus: true,
  nameOf: nameByEventId,
  login: (credentials) => (BY_NETWORK[String(credentials.network)] ?? impact).login(credentials),
  handle: (request, context) =>
    (ALL.find(({ hosts }) => hosts.includes(request.host)) ?? impact).handle(readable(request), context),
};
