// Every crash point of everything people do to a ticket or a contact: the act runs in a process that has a fault at its n-th
// call of a store or a queue, for each n there is and each fault; then somebody else acts, perhaps dying as well; then whoever stalled goes on; then
// sweeps bring it to an end. Exhaustive: no chance, no clock but the manual one.
import type { HelpdeskStores } from '../../lib/helpdesk/ports/stores.ts';
import { runSweep } from '../../services/helpdesk/sweep/stage.ts';
import { drainPorts } from '../support/helpdesk-drain.ts';
import type { MemoryHelpdesk } from '../support/memory/helpdesk.ts';
import { FAULTS, type Fault, noteCommits, processOf } from './helpdesk-crashes.ts';
import { type Act, findings, SNOOZE_MS, START_MS, WEBHOOKS, WS } from './helpdesk-world.ts';

export interface Scenario {
  readonly name: string;
  /** Done before, by a process without a fault. */
  readonly before: readonly Act[];
  readonly act: Act | 'sweep';
  /** Done by somebody else while a stalled process stands still; `dying`: it ends right after its commit. */
  readonly meanwhile?: {
    readonly act: Act;
    readonly on: 'tickets' | 'contacts';
    readonly isDying: boolean;
  };
  /** Done before by a process that ends right after its commit, so that the act finds what is left of it. */
  readonly leftBy?: { readonly act: Act; readonly on: 'tickets' | 'contacts' };
}

/** What the stores of the processes do differently. The sweep that ends it all has the true ones. */
export type Mutant = (stores: HelpdeskStores) => HelpdeskStores;

export interface Tried {
  readonly points: number;
  readonly findings: readonly string[];
}

export async function tryEveryPoint(scenario: Scenario, mutant: Mutant = (s) => s): Promise<Tried> {
  const found: string[] = [];
  let points = 0;
  for (const fault of FAULTS)
    for (let at = 0; ; at++) {
      const tried = await tryPoint(scenario, at, fault, mutant);
      if (!tried.isHit) break;
      points += 1;
      found.push(...tried.findings.map((finding) => `${scenario.name}, ${fault} at call ${at}: ${finding}`));
    }
  return { points, findings: found };
}

async function tryPoint(
  scenario: Scenario,
  at: number,
  fault: Fault,
  mutant: Mutant,
): Promise<{ readonly isHit: boolean; readonly findings: readonly string[] }> {
  const { ports, memory } = drainPorts(START_MS);
  const noted = noteCommits(ports.stores);
  const sound = { ...ports, stores: noted.stores };
  const mutated = { ...sound, stores: mutant(noted.stores) };
  await memory.webhooks.put(
    { record: { id: WS, workspaceId: WS, webhooks: WEBHOOKS }, version: 1, outbox: [], dueAtMs: null },
    null,
  );
  for (const act of scenario.before) await act(sound);
  if (scenario.leftBy !== undefined) await diesAfterCommit(scenario.leftBy.act, scenario.leftBy.on, mutated);
  if (scenario.act === 'sweep') ports.clock.advance(61_000);
  const work: Act =
    scenario.act === 'sweep'
      ? async (own) => {
          await runSweep({ ...own, quarantine: () => undefined });
          return 'done';
        }
      : scenario.act;
  const process = processOf(mutated, at, fault);
  const outcome = await process.run(work);
  ports.clock.advance(1_000);
  if (scenario.meanwhile !== undefined) await actMeanwhile(scenario.meanwhile, mutated);
  const sweepAll = async (): Promise<void> => {
    for (let minute = 0; minute < 4; minute++) {
      ports.clock.advance(Math.max(61_000, SNOOZE_MS));
      await runSweep(sound);
    }
  };
  let undone: () => readonly string[] = () => [];
  if (fault === 'stall-long') {
    await sweepAll();
    undone = await finishWork(memory);
  }
  process.release();
  if (fault === 'stall' || fault === 'stall-long') await process.ended();
  await sweepAll();
  const ids = (sent: readonly { readonly body: { readonly id: string } }[]) =>
    sent.map(({ body }) => body.id);
  const told = {
    deliveries: ids(ports.deliveries.sent),
    runs: ids(ports.runs.sent),
    mails: ids(ports.mails.sent),
  };
  const isAnswered = scenario.act !== 'sweep' && outcome === 'done';
  const lost = isAnswered && process.taken() === 0 ? ['what was answered was never written'] : [];
  return {
    isHit: process.isHit(),
    findings: [...lost, ...undone(), ...(await findings(memory, noted.commits, told))],
  };
}

/** Workers are done with what there is, and an erasure was. Whatever comes later may undo none of it. */
async function finishWork(memory: MemoryHelpdesk): Promise<() => readonly string[]> {
  const { deliveries, mails, messages } = memory;
  for (const stored of deliveries.all()) {
    const record = { ...stored.record, status: 'delivered' } as const;
    await deliveries.put({ ...stored, record, version: stored.version + 1, dueAtMs: null }, stored.version);
  }
  for (const stored of mails.all()) {
    const record = { ...stored.record, status: 'sent' } as const;
    await mails.put({ ...stored, record, version: stored.version + 1, dueAtMs: null }, stored.version);
  }
  for (const message of messages.all()) await messages.replaceMessage({ ...message, body: '[erased]' });
  const done = {
    deliveries: deliveries.all().map(({ record }) => record.id),
    mails: mails.all().map(({ record }) => record.id),
    messages: messages.all().map(({ id }) => id),
  };
  return () => [
    ...deliveries
      .all()
      .filter(({ record }) => record.status !== 'delivered' && done.deliveries.includes(record.id))
      .map(({ record }) => `sent again: ${record.id}`),
    ...mails
      .all()
      .filter(({ record }) => record.status !== 'sent' && done.mails.includes(record.id))
      .map(({ record }) => `mailed again: ${record.id}`),
    ...messages
      .all()
      .filter(({ id, body }) => body !== '[erased]' && done.messages.includes(id))
      .map(({ id }) => `no longer erased: ${id}`),
  ];
}

/** Its commit is the first write of its record; what it helps along writes other ones. */
async function diesAfterCommit(
  act: Act,
  on: 'tickets' | 'contacts',
  ports: Parameters<Act>[0],
): Promise<void> {
  await processOf(ports, `${on}.put`, 'kill-after').run(act);
}

async function actMeanwhile(
  { act, on, isDying }: NonNullable<Scenario['meanwhile']>,
  ports: Parameters<Act>[0],
): Promise<void> {
  if (isDying) return await diesAfterCommit(act, on, ports);
  await act(ports);
}
