// An AWS endpoint that answers at once and keeps nothing: tables are empty but for one API key, queues take everything.
// For timing what a function does before its first answer, not for testing what the answer is. It speaks TLS, as AWS does:
// the handshakes are a part of that time, and for plain HTTP the SDK would load what it never loads in AWS.
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { apiKeyPrefix, formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import { MERCHANT } from './metered-stages.ts';
import { selfSigned } from './self-signed.ts';

export const STUB_API_KEY = formatApiKey('evk_live', new Uint8Array(32).fill(9));

type Body = Readonly<Record<string, unknown>>;

const text = (value: string) => ({ S: value });
const KEY_ITEM = {
  pk: text(`KEY#${hashApiKey(STUB_API_KEY)}`),
  sk: text('KEY'),
  record: {
    M: {
      sha256: text(hashApiKey(STUB_API_KEY)),
      keyId: text('key-1'),
      merchantId: text(MERCHANT),
      name: text('server'),
      prefix: text(apiKeyPrefix(STUB_API_KEY)),
      scopes: { L: ['events:write', 'events:read', 'platforms:read'].map(text) },
      createdAtMs: { N: '1795262340000' },
    },
  },
};

const ANSWERS: Readonly<Record<string, (body: Body) => unknown>> = {
  GetItem: ({ Key }) => ((Key as { sk?: { S: string } }).sk?.S === 'KEY' ? { Item: KEY_ITEM } : {}),
  BatchGetItem: ({ RequestItems }) => ({
    Responses: Object.fromEntries(Object.keys(RequestItems as Body).map((table) => [table, []])),
    UnprocessedKeys: {},
  }),
  Query: () => ({ Items: [], Count: 0, ScannedCount: 0 }),
  Scan: () => ({ Items: [], Count: 0, ScannedCount: 0 }),
  PutItem: () => ({}),
  UpdateItem: () => ({}),
  SendMessage: ({ MessageBody }) => ({
    MessageId: '00000000-0000-4000-8000-000000000000',
    MD5OfMessageBody: hash('md5', String(MessageBody), 'hex'),
  }),
};

export async function startAwsStub() {
  const calls: string[] = [];
  const server = createServer(selfSigned(), (request, response) => {
    read(request).then(
      (body) => {
        const call = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
        calls.push(call);
        const answer = ANSWERS[call];
        response.statusCode = answer === undefined ? 400 : 200;
        response.setHeader('content-type', 'application/x-amz-json-1.0');
        response.end(
          JSON.stringify(answer?.(JSON.parse(body) as Body) ?? { __type: `no answer to ${call}` }),
        );
      },
      () => response.destroy(),
    );
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', () => done());
  });
  return {
    /** Its certificate is self-signed: a client must not verify it. */
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Calls answered so far, by target. */
    calls,
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
