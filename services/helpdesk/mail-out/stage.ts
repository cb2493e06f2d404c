// Sends replies to customers.
// Guarantees: only the worker that wrote the claim asks the provider; the provider's answer is written before the
// message is acknowledged; a request with an unknown result is repeated at most once, and only after the provider's own
// notice has had 15 minutes to arrive. Does not promise one mail if SES took the first request, its notice did not come
// within that time, and SES was asked again.
import { messageStage, type Stage } from '#lib/adapters/concurrency/message-stage.ts';
import { isSameTaking, writeWhileHeld } from '#lib/core/work/lease.ts';
import type { OutboundMail } from '#lib/helpdesk/domain/mail/mail.ts';
import {
  accepted,
  doubted,
  ended,
  isLeftUnknown,
  type MailStep,
  nextTurn,
  type Patience,
  refused,
} from '#lib/helpdesk/domain/mail/transition.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import type { Pointer } from '#lib/helpdesk/domain/pointer.ts';
import type { SendOutcome } from '#lib/helpdesk/ports/mail.ts';
import { type MailWord, noteOfMail } from '#lib/helpdesk/work/mail-note.ts';
import type { MailOutPorts } from './ports.ts';
import { prepare } from './prepare.ts';

export const createMailOutStage = (ports: MailOutPorts): Stage<Pointer> =>
  messageStage(
    Number.POSITIVE_INFINITY,
    (body) => sendReply(body, ports),
    'a reply was not sent, and is tried again',
    ports,
  );

async function sendReply({ workspaceId, id }: Pointer, ports: MailOutPorts): Promise<void> {
  const stored = await ports.stores.mails.read(workspaceId, id);
  if (stored === null) return;
  const turn = nextTurn(stored.record, stored.dueAtMs, ports.clock.now(), ports.patience);
  if (turn.kind === 'rest') return;
  if (turn.kind === 'note') {
    await write(stored, turn, ports);
    const isDue = turn.dueAtMs !== null && turn.dueAtMs <= ports.clock.now();
    return isDue ? await sendReply({ workspaceId, id }, ports) : undefined;
  }
  const prepared = await prepare(stored.record, ports);
  const nowMs = ports.clock.now();
  if (prepared.kind === 'suppressed')
    return await write(
      stored,
      ended(stored.record, 'suppressed', 'mail to this address is stopped', nowMs),
      ports,
    );
  if (prepared.kind === 'impossible')
    return await write(stored, ended(stored.record, 'failed', prepared.why, nowMs), ports);
  const raw = await ports.compose(prepared.mail);
  // Claim as late as possible: a crash between the claim and the answer leaves the result unknown.
  const claim = nextTurn(stored.record, stored.dueAtMs, ports.clock.now(), ports.patience);
  if (claim.kind !== 'send' || !(await put(stored, claim, ports))) return;
  const tags = { workspace: workspaceId, mail: id };
  const outcome = await ports.sender.send({ raw, to: prepared.mail.to.address, tags });
  await record(claim.mail, outcome, prepared.mail.messageId, ports);
}

/** If another process has written the mail since, this write fails and that process continues. */
async function write(stored: Stored<OutboundMail>, step: MailStep, ports: MailOutPorts): Promise<void> {
  await noteResult(step.mail, ports);
  await put(stored, step, ports);
}

async function put(
  { version }: Stored<OutboundMail>,
  { mail, dueAtMs }: MailStep,
  { stores }: MailOutPorts,
): Promise<boolean> {
  return await stores.mails.put({ record: mail, version: version + 1, outbox: [], dueAtMs }, version);
}

/**
 * Writes the result of the claimed request. The provider's own notice may have been written in the meantime: it stays.
 */
async function record(
  claimed: OutboundMail,
  outcome: SendOutcome,
  ownId: string,
  ports: MailOutPorts,
): Promise<void> {
  const { stores, clock } = ports;
  const { workspaceId, ticketId, id } = claimed;
  if (outcome.kind === 'accepted')
    // First, so that an answer to it finds its ticket.
    await Promise.all(
      [outcome.messageId, ownId].map((messageId) =>
        stores.threads.remember(workspaceId, messageId, ticketId),
      ),
    );
  await writeWhileHeld({
    what: 'a mail',
    read: () => stores.mails.read(workspaceId, id),
    isMine: ({ record }) =>
      isSameTaking(record, claimed) && (record.status === 'sending' || record.status === 'unknown'),
    write: async (stored) => {
      const step = stepOf(stored.record, outcome, clock.now(), ports.patience);
      await noteResult(step.mail, ports);
      return await put(stored, step, ports);
    },
  });
}

function stepOf(mail: OutboundMail, outcome: SendOutcome, nowMs: number, patience: Patience): MailStep {
  if (outcome.kind === 'accepted') return accepted(mail, outcome, nowMs);
  if (outcome.kind === 'refused') return refused(mail, outcome, nowMs, patience);
  return doubted(mail, outcome.error, nowMs, patience);
}

/** Before the mail is written: a crash in between must not hide the result from the agents. */
async function noteResult(mail: OutboundMail, ports: MailOutPorts): Promise<void> {
  const word = wordOf(mail, ports.patience);
  // Right after the message it is about, at every try.
  if (word !== null) await noteOfMail(mail, word, { atMs: mail.createdAtMs + 1, reason: null }, ports);
}

function wordOf(mail: OutboundMail, patience: Patience): MailWord | null {
  if (mail.status === 'failed' || mail.status === 'suppressed') return mail.status;
  return isLeftUnknown(mail, patience) ? 'unknown' : null;
}
