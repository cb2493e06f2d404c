// An erasure, step by step: the contact's tickets, its webhook deliveries, the contact itself. A first pass is followed
// by a second one after a rest, because a request in progress at the start may still have written. Guarantees: the job
// is done only after a pass that began when all such requests had ended; after a crash the next worker continues from
// the stored progress.

import { sumCounts } from '#lib/core/values/sum-counts.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { type ErasedPerson, erasedDelivery, tellsOf } from '#lib/helpdesk/domain/account/erasure.ts';
import { type Job, NO_JOB_COUNTS } from '#lib/helpdesk/domain/job.ts';
import { contactTokens } from '#lib/helpdesk/domain/search/search-tokens.ts';
import { eventEntry } from '#lib/helpdesk/domain/webhooks/event-payload.ts';
import { unreadableIds, type WebhookList } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import { TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import { change } from '#lib/helpdesk/work/commit.ts';
import { carryOut } from '#lib/helpdesk/work/drain.ts';
import { replaced } from '#lib/helpdesk/work/stored-of.ts';
import { eraseSetAside } from './erase-set-aside.ts';
import { eraseTicket } from './erase-ticket.ts';
import { type HeldJob, writeJob } from './job-steps.ts';
import type { TaskPorts } from './ports.ts';

const TICKETS_AT_ONCE = 20;
const LINKS_AT_ONCE = 500;
const DELIVERIES_AT_ONCE = 50;

/** Returns the job if it needs another step; null if it is done, or another worker has it. */
export async function runErasure(held: HeldJob, endMs: number, ports: TaskPorts): Promise<HeldJob | null> {
  let job: HeldJob | null = held;
  while (job !== null) {
    const isDone = job.record.status === 'done';
    if (isDone) return null;
    if (ports.clock.now() >= endMs) return job;
    const before: Job = job.record;
    job = await step(job, ports);
    if (job !== null && job.record.pass > before.pass) return job;
  }
  return null;
}

async function step(job: HeldJob, ports: TaskPorts): Promise<HeldJob | null> {
  switch (job.record.phase) {
    case 'tickets':
      return await eraseSomeTickets(job, ports);
    case 'deliveries':
      return await eraseSomeDeliveries(job, ports);
    case 'contact':
      await eraseSetAside(job.record, ports);
      await removeContact(job.record, ports);
      return isLastPass(job.record)
        ? await writeJob(job, { phase: 'links', cursor: null }, ports)
        : await writeJob(job, { phase: 'tickets', cursor: null, pass: job.record.pass + 1 }, ports);
    case 'links':
      await unlinkAll(job.record, ports);
      return await endErasure(job, ports);
  }
}

const isLastPass = ({ pass }: Job): boolean => pass > 0;

async function eraseSomeTickets(job: HeldJob, ports: TaskPorts): Promise<HeldJob | null> {
  const { workspaceId, cursor, createdAtMs } = job.record;
  const contactId = contactOf(job.record);
  const after = cursor ?? undefined;
  const ids = await ports.stores.contactTickets.tickets(workspaceId, contactId, TICKETS_AT_ONCE, after);
  let { counts } = job.record;
  for (const id of ids)
    counts = sumCounts(
      counts,
      await eraseTicket(id, { workspaceId, contactId, untilMs: createdAtMs }, ports),
    );
  const last = ids.at(-1);
  return ids.length < TICKETS_AT_ONCE || last === undefined
    ? await writeJob(job, { phase: 'deliveries', cursor: null, counts }, ports)
    : await writeJob(job, { cursor: last, counts }, ports);
}

/** In the order of creation, including those that cannot be read. */
const idsIn = (list: WebhookList): readonly string[] =>
  [...list.webhooks.map(({ id }) => id), ...unreadableIds(list)].sort();

/** The cursor is the webhook and the number of its deliveries processed: new deliveries only push others back. */
async function eraseSomeDeliveries(job: HeldJob, ports: TaskPorts): Promise<HeldJob | null> {
  const { stores, clock } = ports;
  const { workspaceId, email, cursor, counts } = job.record;
  const [webhook = 0, offset = 0] = (cursor ?? '0:0').split(':').map(Number);
  const list = await stores.webhooks.read(workspaceId, workspaceId);
  const webhookId = list === null ? undefined : idsIn(list.record)[webhook];
  if (webhookId === undefined) return await writeJob(job, { phase: 'contact', cursor: null }, ports);
  const contactId = contactOf(job.record);
  const person = { email, contactId, ticketIds: await linkedTickets(workspaceId, contactId, ports) };
  const { ids } = await stores.lists.deliveries(workspaceId, webhookId, {
    limit: DELIVERIES_AT_ONCE,
    offset,
  });
  let erased = 0;
  for (const id of ids) if (await eraseDelivery(workspaceId, id, person, ports)) erased++;
  const next = offset + DELIVERIES_AT_ONCE;
  const isOver = ids.length < DELIVERIES_AT_ONCE || next >= TOTAL_MAX;
  return await writeJob(
    job,
    {
      cursor: isOver ? `${webhook + 1}:0` : `${webhook}:${next}`,
      counts: sumCounts(counts, { ...NO_JOB_COUNTS, deliveries: erased }),
      updatedAtMs: clock.now(),
    },
    ports,
  );
}

async function eraseDelivery(
  workspaceId: string,
  id: string,
  person: ErasedPerson,
  { stores, clock }: TaskPorts,
): Promise<boolean> {
  return await retryConflicts({ what: 'a delivery' }, async () => {
    const stored = await stores.deliveries.read(workspaceId, id);
    if (stored === null || !tellsOf(stored.record.payload, person)) return false;
    const record = erasedDelivery(stored.record, clock.now());
    return (await replaced(stores.deliveries, stored, record, null)) !== null || CONFLICT;
  });
}

async function linkedTickets(
  workspaceId: string,
  contactId: string,
  { stores }: TaskPorts,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let after: string | undefined; found.size < TOTAL_MAX; ) {
    const ids = await stores.contactTickets.tickets(workspaceId, contactId, LINKS_AT_ONCE, after);
    for (const id of ids) found.add(id);
    after = ids.at(-1);
    if (ids.length < LINKS_AT_ONCE) break;
  }
  return found;
}

/** A contact created after the erasure began stays: the person came back. */
async function removeContact(job: Job, ports: TaskPorts): Promise<void> {
  const { stores } = ports;
  const { workspaceId, createdAtMs } = job;
  const id = contactOf(job);
  await retryConflicts({ what: 'a contact' }, async () => {
    const stored = await stores.contacts.read(workspaceId, id);
    if (stored === null || stored.record.createdAtMs > createdAtMs) return true;
    if (stored.outbox.length > 0) await carryOut(stores.contacts, stored, ports);
    const tokens = contactTokens(stored.record);
    // Deleted without a version: the same address gives the same id, and must be found if it comes back.
    await stores.search.forget(workspaceId, { type: 'contact', recordId: id, tokens });
    return (await stores.contacts.remove(stored.record, stored.version)) ? true : CONFLICT;
  });
}

async function unlinkAll(job: Job, { stores }: TaskPorts): Promise<void> {
  const { workspaceId, createdAtMs } = job;
  const contactId = contactOf(job);
  for (let after: string | undefined; ; ) {
    const ids = await stores.contactTickets.tickets(workspaceId, contactId, LINKS_AT_ONCE, after);
    const tickets = await stores.tickets.readMany(workspaceId, ids);
    const later = new Set(
      tickets.filter(({ record }) => record.createdAtMs > createdAtMs).map(({ record }) => record.id),
    );
    for (const id of ids) if (!later.has(id)) await stores.contactTickets.unlink(workspaceId, contactId, id);
    after = ids.at(-1);
    if (ids.length < LINKS_AT_ONCE) return;
  }
}

/** The event is sent once, by the commit that ends the job. */
async function endErasure({ version, record }: HeldJob, ports: TaskPorts): Promise<HeldJob | null> {
  const { workspaceId, id } = record;
  const contactId = contactOf(record);
  await change<Job, null>(
    ports.stores.jobs,
    { workspaceId, id },
    (stored) => {
      if (stored?.version !== version) return { result: null };
      const atMs = ports.clock.now();
      const at = { version: version + 1, atMs, newId: () => ports.random.uuidv7(atMs) };
      return {
        record: {
          ...record,
          status: 'done',
          email: null,
          leaseUntilMs: null,
          updatedAtMs: atMs,
          completedAtMs: atMs,
        },
        outbox: [eventEntry('contact.deleted', { contact: { id: contactId } }, at)],
        result: null,
      };
    },
    ports,
  );
  return null;
}

function contactOf({ contactId }: Job): string {
  if (contactId === null) throw new Error('an erasure names no contact');
  return contactId;
}
