// What committing and sweeping need, with queues that keep what they are sent, for tests.
import type { MessageSender } from '../../lib/core/ports/queue.ts';
import type { Pointer } from '../../lib/helpdesk/domain/pointer.ts';
import type { HelpdeskStores } from '../../lib/helpdesk/ports/stores.ts';
import { createManualClock } from './memory/clock.ts';
import { memoryHelpdesk } from './memory/helpdesk.ts';
import { createSeededRandom } from './memory/random.ts';

export interface KeptMessages<Body> extends MessageSender<Body> {
  readonly sent: { readonly body: Body; readonly groupId: string }[];
}

export function keptMessages<Body>(): KeptMessages<Body> {
  const sent: KeptMessages<Body>['sent'] = [];
  return { sent, send: async (messages) => void sent.push(...messages) };
}

/** `wrap`: the stores as what is tested sees them. */
export function drainPorts(startMs: number, wrap: (stores: HelpdeskStores) => HelpdeskStores = (s) => s) {
  const memory = memoryHelpdesk();
  const problems: string[] = [];
  const unreadable: string[] = [];
  const ports = {
    stores: wrap(memory),
    deliveries: keptMessages<Pointer>(),
    runs: keptMessages<Pointer>(),
    mails: keptMessages<Pointer>(),
    tasks: keptMessages<Pointer & { readonly kind: string }>(),
    clock: createManualClock(startMs),
    random: createSeededRandom(1),
    report: (problem: string) => void problems.push(problem),
    quarantine: ({ kind, id }: { readonly kind: string; readonly id: string }) =>
      void unreadable.push(`${kind}/${id}`),
  };
  return { ports, memory, problems, unreadable };
}
