// A server of node:http that cuts no answer. Guarantees: a connection is the client's to end; `close` and
// `closeIdleConnections` end those that carry no answer at once and, after `close`, the others with their answers.
// Node's own timer ends connections that were idle for 5 s: a request that arrives meanwhile is lost, more often while the
// process is busy, and fetch of Node 24 reports a whole answer that its caller has not read to the end as `terminated`.
// Answers do not say `connection: close` for the same caller: its process would die of an assertion
// (https://github.com/nodejs/undici/pull/5474).
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { LocalProblem } from '../problem.ts';
import { busyPort } from '../settings.ts';

/** As `createServer`. */
export function createPatientServer(onRequest: RequestListener): Server {
  const sockets = new Set<Socket>();
  const unanswered = new Set<ServerResponse>();
  // 0: none, and the answers promise none.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    unanswered.add(response);
    response.once('close', () => {
      unanswered.delete(response);
      if (!server.listening) server.closeIdleConnections();
    });
    onRequest(request, response);
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // `close` calls it. Node's own counts an answer that is written only in part as ended.
  server.closeIdleConnections = () => {
    const busy = new Set([...unanswered].map(({ req }) => req.socket));
    for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
  };
  return server;
}

/** Its URL, without a slash at the end; 0 takes any free port. Throws a LocalProblem if the port is busy. `use`: who wants it. */
export function listen(server: Server, use: string, port: number): Promise<string> {
  return new Promise((done, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new LocalProblem(busyPort(port, use, error.code ?? error.message)));
    });
    server.listen(port, '127.0.0.1', () =>
      done(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });
}

/** Null if it is larger than that; it is read to its end all the same, so that the caller gets the answer. */
export async function readBody(request: IncomingMessage, sizeMaxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes <= sizeMaxBytes) chunks.push(chunk);
  }
  return sizeBytes > sizeMaxBytes ? null : Buffer.concat(chunks);
}
