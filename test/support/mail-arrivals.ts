// Mails that arrive in a mail world: written as SES would store them, into a bucket, and told of.
import { parseMail } from '../../lib/adapters/mail/parse.ts';
import { createObjectStore } from '../../lib/adapters/s3/object-store.ts';
import {
  REPLY_MAC_CONTEXT,
  replyAddress,
  replyText,
  supportAddress,
} from '../../lib/helpdesk/domain/mail/address.ts';
import { inboundMailSchema } from '../../services/helpdesk/mail-in/message.ts';
import type { MailInPorts } from '../../services/helpdesk/mail-in/ports.ts';
import { createMailInStage } from '../../services/helpdesk/mail-in/stage.ts';
import { notificationOf } from '../../services/local/mail/inbound.ts';
import { MAIL_DOMAIN, type MailWorld, testMacs, WORKSPACE } from './mail-world.ts';
import { bytesOf, head } from './mails/mail-vector.ts';

export const BUCKET = 'mails';
export const OTHER = '0192f3a4-0000-7d8e-9f01-23456789abcd';

/** What SES puts on top of a mail. */
const verified = (dmarc: string, to: string, spam: string): string =>
  `Return-Path: <x@y.example>\nReceived: from mx by inbound-smtp.amazonaws.com with SMTP id a for ${to}; Fri, 20 Nov 2026 10:00:00 +0000\nX-SES-Spam-Verdict: ${spam}\nX-SES-Virus-Verdict: PASS\nAuthentication-Results: amazonses.com; dmarc=${dmarc};\n`;

export const supportTo = (workspaceId = WORKSPACE): string => supportAddress(workspaceId, MAIL_DOMAIN) ?? '';

export async function replyTo(ticketId: string, workspaceId = WORKSPACE): Promise<string> {
  const place = { workspaceId, ticketId };
  const mac = await testMacs.mac(workspaceId, REPLY_MAC_CONTEXT, replyText(place), false);
  return replyAddress(place, mac ?? new Uint8Array(8), MAIL_DOMAIN) ?? '';
}

export interface Written {
  readonly to?: string;
  readonly from?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly dmarc?: string;
  readonly spam?: 'PASS' | 'FAIL';
  readonly text?: string;
}

export function mailsArriving({
  world,
  s3,
  noted,
}: {
  readonly world: () => MailWorld;
  readonly s3: () => { readonly url: string };
  readonly noted: MailInPorts['noted'];
}) {
  let keys = 0;
  const objects = () => createObjectStore(BUCKET, { endpoint: s3().url });
  const portsOf = ({ outPorts }: MailWorld): MailInPorts => ({
    ...outPorts,
    objects: objects(),
    bucket: BUCKET,
    parse: parseMail,
    macs: testMacs,
    isWorkspace: async (id) => id === WORKSPACE || id === OTHER,
    noted,
  });
  const mailOf = ({
    to = supportTo(),
    from,
    fields = {},
    dmarc = 'pass',
    spam = 'PASS',
    text = 'Hello.',
  }: Written): Uint8Array => {
    const headers = head(
      { To: to, Subject: 'Broken lamp', 'Message-ID': `<m${++keys}@customer.example>`, ...fields },
      from,
    );
    return bytesOf({ name: '', raw: `${verified(dmarc, to, spam)}${headers}\n${text}\n` });
  };
  const store = async (raw: Uint8Array): Promise<string> => {
    const key = `inbound/${++keys}`;
    await objects().write(key, raw, 'message/rfc822');
    return key;
  };
  const messageOf = (key: string, bucket = BUCKET) => ({
    body: inboundMailSchema.parse(notificationOf(bucket, key, 1, 0)),
    receiveCount: 1,
    sentAtMs: 0,
  });
  const bring = async (key: string, ports = portsOf(world())) =>
    await createMailInStage(ports)([messageOf(key)]);
  return {
    portsOf,
    mailOf,
    store,
    messageOf,
    bring,
    arrive: async (written: Written) => await bring(await store(mailOf(written))),
    /** An agent has a mail that was put aside taken in. */
    accept: async (id: string, ports = portsOf(world()), workspaceId = WORKSPACE) => {
      const body = inboundMailSchema.parse({ accepted: { workspaceId, id } });
      return await createMailInStage(ports)([{ body, receiveCount: 1, sentAtMs: 0 }]);
    },
  };
}
