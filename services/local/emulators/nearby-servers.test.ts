// Goal: a server of this process is asked without a socket and with what it would get over one; any other is asked as ever.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { addNearbyServer, type NearbyAnswer, type NearbyRequest } from './nearby-servers.ts';

const ITEM = { pk: 'a', n: 5 };
const ANSWER = JSON.stringify({ Item: { pk: { S: 'a' }, n: { N: '5' } } });
const answered: NearbyAnswer = {
  statusCode: 200,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(ANSWER),
};
const get = new GetCommand({ TableName: 'Rows', Key: { pk: 'a' } });

let server: Server;
let url: string;
let overSocket: (Pick<IncomingMessage, 'method' | 'url' | 'headers'> & { readonly body: string })[];
const goAway: (() => void)[] = [];
beforeEach(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'local');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'local');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  overSocket = [];
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url, headers } = request;
    overSocket.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(ANSWER);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const away of goAway.splice(0)) away();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

it('gets the same request without a socket as over one, but for the signature', async () => {
  expect((await createDocumentClient({ endpoint: url }).send(get)).Item).toEqual(ITEM);
  const asked: NearbyRequest[] = [];
  goAway.push(
    addNearbyServer(url, async (request) => {
      asked.push(request);
      return answered;
    }),
  );
  expect((await createDocumentClient({ endpoint: url }).send(get)).Item).toEqual(ITEM);
  const [[far], [near]] = [overSocket, asked];
  expect(overSocket).toHaveLength(1);
  expect(near).toMatchObject({ method: far?.method, path: far?.url });
  expect(near?.body.toString()).toBe(far?.body);
  for (const name of ['content-type', 'x-amz-target', 'content-length'])
    expect(near?.headers[name], name).toBe(far?.headers[name]);
  for (const headers of [near?.headers, far?.headers])
    expect(headers?.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/us-east-1\//);
  expect(far?.headers.authorization).toMatch(/Signature=[0-9a-f]{64}$/);
});

it('is not asked any more once it has gone, nor for another address', async () => {
  const refuse = async (): Promise<never> => {
    throw new Error('asked');
  };
  addNearbyServer(url, refuse)();
  goAway.push(addNearbyServer('http://127.0.0.1:1', refuse));
  expect((await createDocumentClient({ endpoint: url }).send(get)).Item).toEqual(ITEM);
});

it('throws what the server says is wrong', async () => {
  const type = 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException';
  const body = Buffer.from(JSON.stringify({ __type: type, message: 'no such table' }));
  goAway.push(addNearbyServer(url, async () => ({ ...answered, statusCode: 400, body })));
  await expect(createDocumentClient({ endpoint: url }).send(get)).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
});

it('lets go of an answer that is not waited for any longer', async () => {
  goAway.push(addNearbyServer(url, () => new Promise(() => undefined)));
  const sqs = createSqsClient({ endpoint: url });
  const stopping = new AbortController();
  const receiving = sqs.send(new ReceiveMessageCommand({ QueueUrl: `${url}/1/q`, WaitTimeSeconds: 20 }), {
    abortSignal: stopping.signal,
  });
  setImmediate(() => stopping.abort());
  await expect(receiving).rejects.toMatchObject({ name: 'AbortError' });
});
