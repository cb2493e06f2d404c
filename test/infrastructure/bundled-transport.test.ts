// The transport as AWS gets it: bundled with the settings of every function, undici's switches among them, and loaded where
// there is no node_modules. That a bundle loads (bundles.test.ts) does not show that it can still send.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { scratchFolder } from '../support/scratch-folder.ts';
import { bundledModule } from './bundled-module.ts';

const SEND = `
const { createTransport } = await import(process.argv[1]);
const transport = createTransport({ sandboxUrl: process.argv[2] });
const request = { method: 'POST', url: 'https://vendor.example/v1?a=b', headers: { 'x-key': 'k' }, body: '{"a":"é"}', secrets: [] };
const [first, second] = await Promise.all([transport, transport].map((t) => t.send(request, { timeoutMs: 20000 })));
const inside = await createTransport().send({ ...request, url: 'https://127.0.0.1/' }, { timeoutMs: 20000 });
await transport.close();
process.stdout.write(JSON.stringify([first, second, inside]));
`;

it('sends, reads the answer, and still refuses addresses inside', async () => {
  const run = await bundledModule('lib/adapters/http/transport.ts', scratchFolder('transport'));
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => bodies.push(`${request.url} ${text}`));
    request.on('end', () => response.writeHead(200, { 'X-Trace': 't' }).end('{"took":1}'));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));
  try {
    const sandboxUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/at`;
    const sent = await run(SEND, [sandboxUrl]);
    const answer = { kind: 'response', status: 200, body: '{"took":1}', headers: { 'x-trace': 't' } };
    expect(sent).toMatchObject([answer, answer, { kind: 'failure', code: 'blocked' }]);
    expect(bodies).toEqual(Array(2).fill('/at/vendor.example/v1?a=b {"a":"é"}'));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
