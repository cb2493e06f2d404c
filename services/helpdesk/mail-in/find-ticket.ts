// Which ticket a mail belongs to. Guarantees: a reply address, which only we can make, decides before everything else;
// a ticket's code, which can be guessed, counts only for the ticket's customer, and only if the receiving server
// authenticated the sender; a mail with a forged sender joins no ticket without a reply address.

import {
  isMac,
  type MailAddress,
  parseMailAddress,
  REPLY_MAC_CONTEXT,
  replyText,
} from '#lib/helpdesk/domain/mail/address.ts';
import type { InboundMail } from '#lib/helpdesk/domain/mail/inbound-mail.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import type { MailInPorts } from './ports.ts';

export interface MailRoute {
  readonly workspaceId: string;
  /** Of a reply address with a valid MAC; null: no ticket is known for sure. */
  readonly ticketId: string | null;
}

/** The workspaces a mail was sent to, each with the ticket that its address leads into. */
export async function routesOf(mail: InboundMail, ports: MailInPorts): Promise<readonly MailRoute[]> {
  const routes = new Map<string, MailRoute>();
  const addresses = mail.recipients.flatMap((address) => parseMailAddress(address, ports.mailDomain) ?? []);
  for (const address of addresses) {
    const { workspaceId } = address;
    const ticketId = await ticketOfAddress(address, ports);
    // A reply address with a wrong MAC counts as the address of the workspace it names.
    if (ticketId !== null || !routes.has(workspaceId)) routes.set(workspaceId, { workspaceId, ticketId });
  }
  const known = await Promise.all(
    [...routes.values()].map(async (route) =>
      route.ticketId !== null || (await ports.isWorkspace(route.workspaceId)) ? [route] : [],
    ),
  );
  return await Promise.all(known.flat().map(async (route) => await withReference(route, mail, ports)));
}

/** Our own reference among the ids it answers counts like the reply address. */
async function withReference(route: MailRoute, mail: InboundMail, ports: MailInPorts): Promise<MailRoute> {
  if (route.ticketId !== null) return route;
  for (const id of mail.answers) {
    const address = parseMailAddress(id.slice(1, -1), ports.mailDomain);
    if (address?.workspaceId !== route.workspaceId) continue;
    const ticketId = await ticketOfAddress(address, ports);
    if (ticketId !== null) return { ...route, ticketId };
  }
  return route;
}

async function ticketOfAddress(address: MailAddress, { macs }: MailInPorts): Promise<string | null> {
  if (address.kind !== 'reply') return null;
  const mac = await macs.mac(address.workspaceId, REPLY_MAC_CONTEXT, replyText(address), false);
  return mac !== null && isMac(address.mac, mac) ? address.ticketId : null;
}

/** Null: the mail opens a ticket. */
export async function findTicket(
  { workspaceId, ticketId }: MailRoute,
  mail: InboundMail,
  ports: MailInPorts,
): Promise<Ticket | null> {
  if (ticketId !== null) {
    const sure = await readTicket(workspaceId, ticketId, ports);
    if (sure !== null) return sure;
  }
  if (mail.verdicts.sender === 'fail') return null;
  return (await answeredTicket(workspaceId, mail, ports)) ?? (await namedTicket(workspaceId, mail, ports));
}

/** The ticket of a mail it answers, for that ticket's customer only: such ids are secret, but they can leak. */
async function answeredTicket(
  workspaceId: string,
  mail: InboundMail,
  ports: MailInPorts,
): Promise<Ticket | null> {
  for (const messageId of mail.answers) {
    const ticketId = await ports.stores.threads.ticketOf(workspaceId, messageId);
    const ticket = ticketId === null ? null : await readTicket(workspaceId, ticketId, ports);
    if (ticket !== null && isCustomer(ticket, mail)) return ticket;
  }
  return null;
}

const CODE = /\[([A-Z][A-Z0-9]{0,7}-(\d{6,12}))\]/g;
const CODES_MAX = 3;
const SAME_NUMBER_MAX = 5;

/** The ticket named in the subject. Codes can be guessed: the sender must be its customer, and authenticated. */
async function namedTicket(
  workspaceId: string,
  mail: InboundMail,
  ports: MailInPorts,
): Promise<Ticket | null> {
  if (mail.verdicts.sender !== 'pass') return null;
  for (const [, code, number = ''] of [...mail.subject.matchAll(CODE)].slice(0, CODES_MAX)) {
    const token = { text: number, isPrefix: false };
    const { ids } = await ports.stores.search.find(workspaceId, 'ticket', token, SAME_NUMBER_MAX);
    const found = await ports.stores.tickets.readMany(workspaceId, ids);
    const ticket = found.find(({ record }) => record.code === code && isCustomer(record, mail));
    if (ticket !== undefined) return ticket.record;
  }
  return null;
}

const isCustomer = ({ customerEmail }: Ticket, { from }: InboundMail): boolean =>
  from !== null && customerEmail !== null && customerEmail.toLowerCase() === from.address;

async function readTicket(workspaceId: string, id: string, { stores }: MailInPorts): Promise<Ticket | null> {
  return (await stores.tickets.read(workspaceId, id))?.record ?? null;
}
