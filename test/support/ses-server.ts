// SES as a real HTTP server that behaves as it is told: a laptop's stand-in, with what goes wrong between it and its callers.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Mailbox } from '../../services/local/mail/mailbox.ts';
import { createMailRoutes, type MailRoutesOptions } from '../../services/local/mail/routes.ts';
import { SEND_PATH, sendEmail } from '../../services/local/mail/ses.ts';

export type SesBehaviour =
  | 'ok'
  /** It says that it takes no more for now. */
  | 'throttled'
  /** It will never take this mail. */
  | 'rejected'
  /** It takes the mail and its answer is lost. */
  | 'taken, answer lost'
  /** It takes the mail and says that something went wrong. */
  | 'taken, 500'
  /** It takes nothing and says that something went wrong. */
  | '500'
  /** It takes nothing and closes the connection. */
  | 'closed';

export async function openSes(
  options: { readonly now: () => number } & Pick<MailRoutesOptions, 'inbound' | 'recognizes'>,
) {
  const mailbox = new Mailbox();
  const behaviours: SesBehaviour[] = [];
  let events: object[] = [];
  let asked = 0;
  const publish = (event: object): void => void events.push(event);
  const { inbound, recognizes = false } = options;
  const routes = createMailRoutes({
    mailbox,
    now: options.now,
    publish,
    recognizes,
    ...(inbound === undefined ? {} : { inbound }),
  });

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url !== SEND_PATH) return void (await routes(request, response));
    asked += 1;
    const behaviour = behaviours.shift() ?? 'ok';
    if (behaviour === 'ok') return void (await routes(request, response));
    const body = await bodyOf(request);
    if (behaviour.startsWith('taken')) sendEmail(body, { mailbox, now: options.now, publish, recognizes });
    if (behaviour === 'closed' || behaviour === 'taken, answer lost') return void response.destroy();
    const [status, type] = ANSWERS[behaviour];
    response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': type });
    response.end(JSON.stringify({ message: behaviour }));
  };
  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mailbox,
    /** Of the requests to come, in order; `ok` after the last. */
    behave: (...next: SesBehaviour[]) => void behaviours.push(...next),
    /** Requests to send a mail. */
    asked: () => asked,
    /** Published and not taken out. */
    takeEvents: () => {
      const taken = events;
      events = [];
      return taken;
    },
    close: () => stop(server),
  };
}

const ANSWERS = {
  throttled: [429, 'TooManyRequestsException'],
  rejected: [400, 'MessageRejected'],
  'taken, 500': [500, 'InternalFailure'],
  '500': [500, 'InternalFailure'],
} as const;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
