// The inbox's data, as the helpdesk returns it, and its six queues.
import type { HelpdeskAnswer, HelpdeskInput } from '#dashboard/app/api.tsx';
import type { Versioned } from '../versioned.ts';

type Listed = HelpdeskAnswer<'listConversations'>;
export type Conversation = Listed['conversations'][number];
export type Counts = NonNullable<Listed['counts']>;
export type Message = HelpdeskAnswer<'listMessages'>['messages'][number];
export type Run = HelpdeskAnswer<'listRuns'>['runs'][number];
type Query = NonNullable<HelpdeskInput<'listConversations'>['query']>;

/** As shown: its version is sent with every change. */
export type Ticket = Versioned<Conversation>;

export const QUEUES = ['new', 'open', 'raised', 'waiting', 'snoozed', 'done'] as const;
export type Queue = (typeof QUEUES)[number];

interface QueueLook {
  readonly name: string;
  readonly sign: string;
  readonly text: string;
  readonly query: Query;
}

export const LOOKS: Readonly<Record<Queue, QueueLook>> = {
  new: { name: 'New', sign: '●', text: 'text-accent', query: { status: 'new' } },
  open: { name: 'Open', sign: '○', text: 'text-accent', query: { status: 'open' } },
  raised: { name: 'Raised', sign: '▲', text: 'text-bad', query: { status: 'escalated' } },
  waiting: { name: 'Waiting', sign: '↻', text: 'text-wait', query: { ticket_status: 'sent' } },
  snoozed: { name: 'Snoozed', sign: '☾', text: 'text-withheld', query: { ticket_status: 'snoozed' } },
  done: { name: 'Done', sign: '✔', text: 'text-good', query: { status: 'resolved' } },
};

export function queueOf({ status, ticket_status }: Pick<Conversation, 'status' | 'ticket_status'>): Queue {
  if (status === 'escalated') return 'raised';
  if (status === 'resolved') return 'done';
  if (status === 'pending') return ticket_status === 'snoozed' ? 'snoozed' : 'waiting';
  return status;
}

/** Without snoozed ones, which the helpdesk counts as waiting for the customer. */
export const countOf = (counts: Counts, queue: Queue): number =>
  ({
    new: counts.new,
    open: counts.open,
    raised: counts.escalated,
    waiting: Math.max(0, counts.pending - counts.snoozed),
    snoozed: counts.snoozed,
    done: counts.resolved,
  })[queue];

/** By the shown times. Older notes were listed by the time their drafts were requested. */
export const inOrder = <T extends Pick<Message, 'created_at' | 'id'>>(messages: readonly T[]): readonly T[] =>
  messages.toSorted((a, b) => compared(a.created_at, b.created_at) || compared(a.id, b.id));

const compared = (a: string, b: string): number => (a < b ? -1 : Number(a > b));
