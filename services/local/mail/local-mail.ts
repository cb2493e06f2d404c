// E-mail of a host: the mailbox under the sandbox's address, connected to the template's bucket and queues as soon as
// they exist. Before that, mails are refused and SES events are dropped.
import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { createObjectStore } from '#lib/adapters/s3/object-store.ts';
import type { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { Mailbox } from './mailbox.ts';
import { createMailRoutes, type MailRoutesOptions } from './routes.ts';

/** Domain of the local helpdesk: reserved by RFC 2606, so it belongs to no one. */
export const LOCAL_MAIL_DOMAIN = 'help.shop.example';

export interface MailPlaces {
  readonly bucket: string;
  /** URLs of the queues of inbound mails, and of SES events of outbound mails. */
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
        // An SES event is only a hint, as in AWS: a mail with an unknown result waits for it, and then continues
        // without.
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
