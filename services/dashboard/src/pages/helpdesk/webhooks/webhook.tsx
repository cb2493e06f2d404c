// A webhook as the helpdesk returns it, and texts for its state and its deliveries.

import type { HelpdeskAnswer, HelpdeskInput } from '#dashboard/app/api.tsx';
import { Time } from '#dashboard/parts/written.tsx';

export type Webhook = HelpdeskAnswer<'listWebhooks'>['webhooks'][number];
export type Delivery = HelpdeskAnswer<'listWebhookDeliveries'>['deliveries'][number];
type Body = HelpdeskInput<'createWebhook'>['body'];
export type Kind = NonNullable<Body['events']>[number];

/** What a change of a webhook changes. */
export const WEBHOOKS = ['listWebhooks', 'getWebhook', 'listWebhookDeliveries'] as const;

/** Texts for all event kinds; the type checks that none is missing. */
const WORDS: Readonly<Record<Exclude<Kind, '*'>, string>> = {
  'ticket.created': 'a ticket came',
  'ticket.updated': 'its fields changed',
  'ticket.replied': 'it was answered',
  'ticket.closed': 'it was closed',
  'ticket.reopened': 'it was opened again',
  'ticket.snoozed': 'it was snoozed',
  'ticket.unsnoozed': 'it was woken',
  'ticket.rejected': 'it was rejected',
  'ticket.escalated': 'it was raised',
  'message.created': 'somebody wrote',
  'contact.created': 'a contact came',
  'contact.updated': 'a contact changed',
  'contact.deleted': 'a contact was erased',
  'article.created': 'an article was written',
  'article.published': 'an article was published',
  'run.completed': 'a draft by AI is there',
  'run.failed': 'a draft by AI failed',
  'account.updated': 'the workspace changed',
};
export const KINDS = Object.entries(WORDS) as [Exclude<Kind, '*'>, string][];

export interface Said {
  readonly sign: string;
  readonly text: string;
  readonly words: string;
  /** Since when; null if unknown. */
  readonly since: string | null;
}

/** Whether events are sent to a webhook, and if not why. */
export function stateOf({ active, disabled_reason, failing_since }: Webhook): Said {
  if (active && failing_since === null) return { sign: '✔', text: 'text-good', words: 'Active', since: null };
  if (active) return { sign: '▲', text: 'text-wait', words: 'Active, failing since', since: failing_since };
  const off = { sign: '✖', text: 'text-bad' };
  if (disabled_reason === 'failing' && failing_since !== null)
    return { ...off, words: 'Disabled: failing since', since: failing_since };
  if (disabled_reason === 'failing') return { ...off, words: 'Disabled: it was failing', since: null };
  if (disabled_reason === 'gone')
    return { ...off, words: 'Disabled: its receiver answered 410, gone', since: null };
  return { sign: '–', text: 'text-dim', words: 'Disabled by hand', since: null };
}

export function State({ webhook }: { readonly webhook: Webhook }) {
  const { sign, text, words, since } = stateOf(webhook);
  return (
    <b className={text}>
      {sign} {words} {since !== null && <Time at={since} />}
    </b>
  );
}

export const STATUS_LOOKS: Readonly<
  Record<Delivery['status'], { readonly sign: string; readonly text: string; readonly words: string }>
> = {
  delivered: { sign: '✔', text: 'text-good', words: 'delivered' },
  pending: { sign: '↻', text: 'text-wait', words: 'waiting' },
  failed: { sign: '✖', text: 'text-bad', words: 'failed' },
  cancelled: { sign: '–', text: 'text-dim', words: 'cancelled' },
  test: { sign: '○', text: 'text-accent', words: 'test' },
};

const ERRORS: Readonly<Record<string, string>> = {
  webhook_disabled: 'the webhook was disabled',
  webhook_deleted: 'the webhook was deleted',
  not_subscribed: 'the webhook does not ask for this kind',
  interrupted: 'the attempts were interrupted',
  resting: 'put off: the receiver was down',
  skipped: 'skipped: the receiver was down',
};

/** The result of the last attempt. */
export function answerOf({ last_status, last_error, last_latency_ms }: Delivery): string {
  if (last_status !== null)
    return `answered ${last_status}${last_latency_ms === null ? '' : ` in ${last_latency_ms} ms`}`;
  if (last_error === null) return '';
  return ERRORS[last_error] ?? last_error.replaceAll('_', ' ');
}
