// A server of node:http that cuts no answer. Guarantees: a connection is the client's to end; `close` and
// `closeIdleConnections` end those that carry no answer at once and, after `close`, the others with their answers.
// Node's own timer ends connections that were idle for 5 s: a request that arrives meanwhile is lost, more often while the
// process is busy, and fetch of Node 24 reports a whole answer that its caller has not read to the end as `terminated`.
// Answers do not say `connection: close` for the same caller: its process would die of an assertion
// (https://github.com/nodejs/undici/pull/5474).
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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
