// What Klaviyo's answer means. 202 with nothing in it: the request was found valid and will be processed; more is never
// said. A refusal is about the request, that is, about its one event.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import {
  everyone,
  failureOutcome,
  jsonObject,
  kindOutcome,
  outcome,
  record,
  statusOutcome,
} from '../answer.ts';
import { errorKind } from '../error-table.ts';
import type { HttpResult } from '../platform.ts';
import { KLAVIYO_ERRORS } from './errors.ts';

const ACCEPTED = 202;

export function klaviyoOutcomes(result: HttpResult, events: readonly NormalizedEvent[]): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  if (result.status === ACCEPTED && result.body.trim() === '' && result.truncated !== true)
    return everyone(events.length, { kind: 'delivered' });
  const general = statusOutcome(result, events.length);
  const errors = jsonObject(result)?.errors;
  const error = record(Array.isArray(errors) ? errors[0] : undefined);
  const code = codeOf(error?.code) ?? general.code;
  const message = wording(error);
  const codes = error !== undefined && isDuplicate(error) ? ['unique_id'] : [];
  const kind = errorKind(KLAVIYO_ERRORS, { status: result.status, codes });
  const said = { code, message };
  return everyone(
    events.length,
    kind === undefined ? outcome({ ...general, ...said }) : kindOutcome(kind, said, events.length),
  );
}

/** The endpoint for several events refuses a unique id it has already; the other one drops the copy in silence. */
function isDuplicate(error: Readonly<Record<string, unknown>>): boolean {
  const pointer = record(error.source)?.pointer;
  if (typeof pointer !== 'string' || !pointer.endsWith('/unique_id')) return false;
  return /duplicat|already|repeat/i.test(`${error.code} ${error.title} ${error.detail}`);
}

function wording(error: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const parts = [error?.title, error?.detail, record(error?.source)?.pointer];
  const said = parts.filter((part): part is string => typeof part === 'string' && part !== '');
  return said.length === 0 ? undefined : [...new Set(said)].join(' ');
}

const codeOf = (code: unknown): string | undefined =>
  typeof code === 'string' && /^[A-Za-z0-9_.-]{1,60}$/.test(code) ? `klaviyo.${code}` : undefined;
