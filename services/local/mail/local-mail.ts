// E-mail of a host: the mailbox under the sandbox's address, joined to the bucket and the queues of the template as soon as
// these are there. Before that a mail is refused, and what SES would tell of one is told to nobody.
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { createObjectStore } from '#lib/adapters/s3/object-store.ts';
import type { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { Mailbox } from './mailbox.ts';
import { createMailRoutes, type MailRoutesOptions } from './routes.ts';

/** Of the helpdesk here: nobody's, by RFC 2606. */
export const LOCAL_MAIL_DOMAIN = 'help.shop.example';

export interface MailPlaces {
  readonly bucket: string;
  /** URLs of the queues that tell of mails that came in, and of what became of those that went out. */
  readonly inboundQueueUrl: string;
  readonly eventsQueueUrl: string;
  readonly sqs: ReturnType<typeof createSqsClient>;
}

export interface LocalMail {
  readonly routes: ReturnType<typeof createMailRoutes>;
  connect(places: MailPlaces): void;
}

export function openLocalMail(file: string, now: () => number): LocalMail {
  const mailbox = new Mailbox(file);
  const base: MailRoutesOptions = { mailbox, now, recognizes: true, publish: () => undefined };
  let routes = createMailRoutes(base);
  return {
    routes: (request, response) => routes(request, response),
    connect({ bucket, inboundQueueUrl, eventsQueueUrl, sqs }) {
      const post = async (QueueUrl: string, body: object): Promise<void> => {
        await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }));
      };
      routes = createMailRoutes({
        ...base,
        // What SES tells is a hint here as there: a mail of unknown fate waits for it, and then goes on without.
        publish: (event) => void post(eventsQueueUrl, event).catch(() => undefined),
        inbound: {
          bucket,
          objects: createObjectStore(bucket),
          notify: (notification) => post(inboundQueueUrl, notification),
        },
      });
    },
  };
}
