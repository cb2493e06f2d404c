// Actions on a ticket that older paths and their v1 twins share: one handler each.
import { SNOOZE_MAX_MS } from '#lib/helpdesk/domain/account/limits.ts';
import type { TicketAction } from '#lib/helpdesk/domain/tickets/change.ts';
import type { SilentTrigger } from '#lib/helpdesk/domain/tickets/transition.ts';
import { invalid, type Refusal } from '../answers.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import { type Asked, actOnTicket, askedBy } from './act-on-ticket.ts';

/** A call of any of the routes that act on one ticket. */
export interface ActionCall extends Asked {
  readonly params: { readonly id: string };
  readonly headers: { readonly 'if-match'?: string | undefined };
}

interface Reasoned extends ActionCall {
  readonly body: { readonly reason?: string | undefined } | undefined;
}

type Answer = Promise<ReturnType<typeof done> | Refusal>;

export function ticketActions(ports: HelpdeskApiPorts) {
  const act = async (call: ActionCall, action: TicketAction): Answer => {
    const acted = await actOnTicket(askedOf(call), () => [action], ports);
    return 'failure' in acted ? acted : done(acted.ticket.record.id);
  };
  const trigger = (call: ActionCall, asked: SilentTrigger): Answer =>
    act(call, { kind: 'trigger', trigger: asked });
  return {
    close: (call: Reasoned) => trigger(call, { kind: 'close', reason: call.body?.reason ?? null }),

    reject: (call: Reasoned) => trigger(call, { kind: 'reject', reason: call.body?.reason ?? null }),

    escalate: (call: ActionCall) => trigger(call, { kind: 'escalate' }),

    unsnooze: (call: ActionCall) => trigger(call, { kind: 'wake' }),

    async snooze(
      call: ActionCall & { readonly body: { readonly snoozed_until: number } },
    ): Promise<Awaited<Answer> | ReturnType<typeof invalid>> {
      const { snoozed_until: untilMs } = call.body;
      const problem = snoozeProblem(untilMs, ports.clock.now());
      return problem === null
        ? await trigger(call, { kind: 'snooze', untilMs })
        : invalid('snoozed_until', problem);
    },
  };
}

export const askedOf = (call: ActionCall) => ({
  ...askedBy(call),
  id: call.params.id,
  ifMatch: call.headers['if-match'],
});

export const done = (id: string) => ({ status: 200, body: { success: true, id } }) as const;

function snoozeProblem(untilMs: number, nowMs: number): string | null {
  if (untilMs <= nowMs) return 'must be in the future';
  return untilMs >= nowMs + SNOOZE_MAX_MS ? 'must be within 50 years' : null;
}
