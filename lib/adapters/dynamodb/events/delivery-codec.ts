// One delivery as one short text: `D1;1523;;1400,123,d,10,200`. Times are milliseconds after receipt. It is a text and
// not a map because a row with three of them must stay within one write unit, and because comparing it whole is the
// condition of the next write.
//   <state><attempts>[u<unknowns>];<updated>;[<next attempt, lease end or confirmation>];<attempt>;…[;r<reason>]
// A confirmation is `<letter>[<ask at>|<rejected>/<of>],<request>[,<reason>]`, of a state that has no next attempt.
import type { Confirmation } from '#lib/events/domain/deliveries/confirmation.ts';
import type { Attempt, Delivery, OutcomeKind } from '#lib/events/domain/deliveries/delivery.ts';

const STATE_LETTERS: Readonly<Record<Delivery['state'], string>> = {
  SENDING: 'S',
  DELIVERED: 'D',
  RETRY: 'R',
  FAILED: 'F',
  ERROR: 'E',
  SKIPPED: 'K',
};
const OUTCOME_LETTERS: Readonly<Record<OutcomeKind, string>> = {
  delivered: 'd',
  duplicate: 'u',
  retry: 'r',
  rate_limited: 'l',
  auth: 'a',
  permanent: 'p',
  batch_refused: 'b',
};
const WORD_LETTERS: Readonly<Record<Confirmation['word'], string>> = {
  waiting: 'w',
  confirmed: 'c',
  partly: 'p',
  rejected: 'x',
  never: 'n',
};
const STATES = inverse(STATE_LETTERS);
const WORDS = inverse(WORD_LETTERS);
const OUTCOMES = inverse(OUTCOME_LETTERS);

export function packDelivery(delivery: Delivery, receivedAtMs: number): string {
  const at = delivery.nextAttemptAtMs ?? delivery.leaseUntilMs;
  const unknowns = delivery.unknowns === 0 ? '' : `u${delivery.unknowns}`;
  const parts = [
    `${STATE_LETTERS[delivery.state]}${delivery.attempts}${unknowns}`,
    String(delivery.updatedAtMs - receivedAtMs),
    at === undefined ? packConfirmation(delivery, receivedAtMs) : String(at - receivedAtMs),
    ...delivery.history.map((attempt) => packAttempt(attempt, receivedAtMs)),
    ...(delivery.reason === undefined ? [] : [`r${quote(delivery.reason)}`]),
  ];
  return parts.join(';');
}

export function unpackDelivery(text: string, receivedAtMs: number): Delivery {
  const [head = '', updated = '', at = '', ...rest] = text.split(';');
  const state = STATES.get(head.charAt(0));
  if (state === undefined) throw new Error(`unknown delivery state in ${text}`);
  const [attempts, unknowns = '0'] = head.slice(1).split('u');
  const last = rest.at(-1);
  const reason = last?.startsWith('r') === true ? last.slice(1) : undefined;
  const history = reason === undefined ? rest : rest.slice(0, -1);
  const updatedAtMs = receivedAtMs + Number(updated);
  const atMs = at === '' ? undefined : receivedAtMs + Number(at);
  return {
    state,
    attempts: Number(attempts),
    unknowns: Number(unknowns),
    updatedAtMs,
    ...(state === 'DELIVERED' ? { deliveredAtMs: updatedAtMs } : {}),
    ...(state === 'RETRY' && atMs !== undefined ? { nextAttemptAtMs: atMs } : {}),
    ...(state === 'SENDING' && atMs !== undefined ? { leaseUntilMs: atMs } : {}),
    ...(reason === undefined ? {} : { reason: unquote(reason) }),
    ...unpackConfirmation(at, receivedAtMs),
    history: history.map((attempt) => unpackAttempt(attempt, receivedAtMs)),
  };
}

function packConfirmation({ confirmation }: Delivery, receivedAtMs: number): string {
  if (confirmation === undefined) return '';
  const { word, request, askAtMs, rejected, of, reason = '' } = confirmation;
  const counts = rejected === undefined ? '' : `${rejected}/${of ?? ''}`;
  const about = askAtMs === undefined ? counts : askAtMs - receivedAtMs;
  return [`${WORD_LETTERS[word]}${about}`, quote(request), quote(reason)].join(',').replace(/,+$/, '');
}

/** Nothing where the text is a time. */
function unpackConfirmation(text: string, receivedAtMs: number): Pick<Delivery, 'confirmation'> {
  const word = WORDS.get(text.charAt(0));
  if (word === undefined) return {};
  const [about = '', request = '', reason = ''] = text.slice(1).split(',');
  const [rejected = '', of = ''] = word === 'waiting' ? [] : about.split('/');
  return {
    confirmation: {
      word,
      request: unquote(request),
      ...(word === 'waiting' ? { askAtMs: receivedAtMs + Number(about) } : {}),
      ...(rejected === '' ? {} : { rejected: Number(rejected) }),
      ...(of === '' ? {} : { of: Number(of) }),
      ...(reason === '' ? {} : { reason: unquote(reason) }),
    },
  };
}

/** `<at>,<latency>,<outcome>,<batch>,[status],[code],[message],[version]` */
function packAttempt(attempt: Attempt, receivedAtMs: number): string {
  return [
    attempt.atMs - receivedAtMs,
    attempt.latencyMs,
    OUTCOME_LETTERS[attempt.outcome],
    attempt.batchSize,
    attempt.status ?? '',
    quote(attempt.code ?? ''),
    quote(attempt.message ?? ''),
    quote(attempt.version ?? ''),
  ]
    .join(',')
    .replace(/,+$/, '');
}

function unpackAttempt(text: string, receivedAtMs: number): Attempt {
  const [
    at = '0',
    latency = '0',
    letter = '',
    batch = '0',
    status = '',
    code = '',
    message = '',
    version = '',
  ] = text.split(',');
  return {
    atMs: receivedAtMs + Number(at),
    latencyMs: Number(latency),
    outcome: OUTCOMES.get(letter) ?? 'retry',
    batchSize: Number(batch),
    ...(status === '' ? {} : { status: Number(status) }),
    ...(code === '' ? {} : { code: unquote(code) }),
    ...(message === '' ? {} : { message: unquote(message) }),
    ...(version === '' ? {} : { version: unquote(version) }),
  };
}

const ESCAPES: Readonly<Record<string, string>> = { '%': '%25', ';': '%3B', ',': '%2C' };
const quote = (text: string): string => text.replace(/[%;,]/g, (c) => ESCAPES[c] ?? c);
const unquote = (text: string): string => text.replace(/%3B/g, ';').replace(/%2C/g, ',').replace(/%25/g, '%');

function inverse<K extends string>(map: Readonly<Record<K, string>>): ReadonlyMap<string, K> {
  return new Map((Object.entries(map) as [K, string][]).map(([key, letter]) => [letter, key]));
}
