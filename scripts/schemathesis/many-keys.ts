// One API key that is many: a proxy in front of the helpdesk that sends each request with another of its keys, so that a test of
// many thousands does not meet the limits of one. What comes with another key, or with none, goes on as it came.
import { request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ManyKeys {
  readonly url: string;
  close(): Promise<void>;
}

/** `shown`: the key that stands for `keys`. */
export async function startManyKeys(
  target: string,
  shown: string,
  keys: readonly string[],
): Promise<ManyKeys> {
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const headers = [...incoming.rawHeaders];
    for (let i = 0; i + 1 < headers.length; i += 2)
      if (headers[i]?.toLowerCase() === 'x-api-key' && headers[i + 1] === shown)
        headers[i + 1] = keys[turn++ % keys.length] ?? shown;
    const { hostname, port } = new URL(target);
    const forwarded = ask(
      { hostname, port, method: incoming.method, path: incoming.url, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
