// The request that AWS gets and its answer, over HTTP: the SDK's own client against a server that records.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SSMClient } from '@aws-sdk/client-ssm';
import { expect, it } from 'vitest';
import { readParameters } from './parameters.ts';

it('asks for all at once, decrypted, and leaves out what is not there', async () => {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    asked.push([request.headers['x-amz-target'], JSON.parse(text)]);
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(
      JSON.stringify({ Parameters: [{ Name: '/a', Value: ' secret\n' }], InvalidParameters: ['/b'] }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new SSMClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  expect([...(await readParameters(['/a', '/b'], client))]).toEqual([['/a', 'secret']]);
  expect(asked).toEqual([['AmazonSSM.GetParameters', { Names: ['/a', '/b'], WithDecryption: true }]]);
  client.destroy();
  await new Promise((resolve) => server.close(resolve));
});
