// One page per platform for people who connect it: what is needed, what is sent, what is promised. Everything is read from
// the definition or found by building requests.

import type { PlatformSandbox } from '#services/local/sandbox/platforms/platform-sandbox.ts';
import type { PlatformExample } from '#test/platforms/platform-example.ts';
import { EVENT_NAMES } from '../../lib/events/domain/event/names.ts';
import { type ErrorKind, type ErrorTable, STATUS_ERRORS } from '../../lib/events/platforms/error-table.ts';
import { NAME_AS_SENT, SNAKE_CASE_NAMES } from '../../lib/events/platforms/event-name.ts';
import { interfacesOf, type Platform, type Quota } from '../../lib/events/platforms/platform.ts';
import { credentialFields } from '../../lib/events/routes/platforms/credential-form.ts';
import type { Described } from './consent-page.ts';
import { dedupeFacts, takenFacts, testFacts } from './delivery-facts.ts';
import { bullets, bytes, code, listed, numbered, seconds, table } from './markdown.ts';
import { digestForms, eventTraces, personTraces } from './request-trace.ts';
import { eventTable, personTable } from './trace-tables.ts';

export interface DescribedInFull extends Described {
  readonly examples: readonly PlatformExample[];
  readonly sandbox: PlatformSandbox;
  /** Of the interface that a connection may choose instead. */
  readonly other?: Omit<DescribedInFull, 'other'>;
}

export function platformPage(described: DescribedInFull): readonly string[] {
  const { platform, example } = described;
  return [
    ...overview(platform),
    '## What you need',
    numbered(credentialFields(platform).map(credential)),
    ...conditions(described),
    `\`POST /v1/platforms\` with \`${connectBody(described)}\`.`,
    '## Events',
    ...eventsNote(platform),
    ...eventNames(platform),
    '## The event',
    ...eventTable(eventTraces(platform, example)),
    '## The person',
    ...personNote(platform),
    ...personTable(personTraces(platform, example)),
    '## Delivery',
    bullets(deliveryFacts(described)),
    ...(platform.table === undefined
      ? []
      : [
          '## The table',
          `[${tableFileOf(platform)}](${tableFileOf(platform)}), of the connection in the examples.`,
        ]),
    '## Errors',
    ...errorTable(platform),
    ...otherInterface(described),
    '## Sources',
    `${interfacesOf(platform)
      .map(({ api }) => `<${api.docs}>, read on ${api.readOn}`)
      .join('; ')}; [README](../../../lib/events/platforms/${platform.slug.replaceAll('_', '-')}/README.md).`,
  ];
}

const deliveryFacts = (described: DescribedInFull): readonly string[] => [
  ...limitFacts(described),
  dedupeFacts(described),
  testFacts(described),
  takenFacts(described.platform),
];

/** What is not as above; a preview shows the fields. */
function otherInterface(described: DescribedInFull): string[] {
  const {
    platform: { other: chosen },
    other,
  } = described;
  if (chosen === undefined || other === undefined) return [];
  const { platform, example } = other;
  const [field] =
    Object.entries(example.credentials as object).find(([, value]) => value === chosen.name) ?? [];
  return [
    `## By the ${chosen.label}`,
    `Version ${platform.api.version}, where \`${field}\` is \`${chosen.name}\`: the same events and values, in [other fields](${chosen.fields}). Else as above.`,
    bullets(deliveryFacts(other).filter((fact) => !deliveryFacts(described).includes(fact))),
    ...errorTable(platform),
  ];
}

/** As a file beside the page, with the connection of the example; undefined where there is none. */
export function tableOf({ platform, example }: DescribedInFull): string | undefined {
  return platform.table?.(platform.credentials.parse(example.credentials));
}

export const tableFileOf = ({ slug }: Platform): string => `${slug.replaceAll('_', '-')}.sql`;

function overview({ slug, api, experimental }: Platform): string[] {
  const state =
    experimental === true
      ? [
          '**Experimental**: built from documents alone and never tried with a real account. Connecting it takes `confirm_experimental: true`.',
        ]
      : [];
  return [
    ...state,
    `Slug ${code(slug)}, API version ${api.version}, ${api.sunset === undefined ? 'no end announced' : `served until ${api.sunset}`}. [All platforms](index.md), [consent](../consent.md#signal-by-signal).`,
  ];
}

function credential(field: ReturnType<typeof credentialFields>[number]): string {
  const marks = [...(field.required ? [] : ['optional']), ...(field.secret ? ['secret'] : [])];
  return `**${field.label}** (${[code(field.name), ...marks].join(', ')}). ${field.help}`;
}

/** What the schema asks of several fields together, in its own words. */
function conditions(described: Described): string[] {
  const issues = togetherIssues(described);
  if (issues.length === 0) return [];
  const said = issues.map(
    ({ path, message }) => `${path.length === 0 ? 'it' : code(path.join('.'))} ${message}`,
  );
  return [`Together: ${said.join('; ')}.`];
}

/** Of what is required, and no more. */
function togetherIssues(described: Described) {
  const required = credentialFields(described.platform).filter((field) => field.required);
  const parsed = parsedWith(described, required);
  return parsed.success ? [] : parsed.error.issues;
}

/** The credentials of the example, as far as they are of these fields. */
function parsedWith({ platform, example }: Described, fields: readonly { readonly name: string }[]) {
  const given = example.credentials as Readonly<Record<string, unknown>>;
  return platform.credentials.safeParse(Object.fromEntries(fields.map(({ name }) => [name, given[name]])));
}

function connectBody(described: Described): string {
  const { platform } = described;
  const asked = togetherIssues(described).map(({ path: [name] }) => name);
  const fields = credentialFields(platform);
  const whole = fields.filter(({ name, required }) => required || asked.includes(name));
  const shown = parsedWith(described, whole).success ? whole : fields.filter(({ required }) => required);
  return JSON.stringify({
    platform: platform.slug,
    credentials: Object.fromEntries(
      shown.map(({ name }) => [name, name === 'event_ids' ? { Purchase: '…' } : '…']),
    ),
    ...(platform.experimental === true ? { confirm_experimental: true } : {}),
  });
}

function eventsNote(platform: Platform): string[] {
  return credentialFields(platform).some(({ name }) => name === 'event_ids')
    ? [
        `${platform.label} knows events by ids made in its own interface: the table shows the suggested kind. An event without an id in the connection is not sent.`,
      ]
    : [];
}

/** By the name the platform gets; events under the same name, and those without one, are lists of their own. */
function eventNames({ label, eventNames: names }: Platform): string[] {
  const groups = Map.groupBy(EVENT_NAMES, (name) => names[name]);
  const unused = groups.get(null) ?? [];
  const same = EVENT_NAMES.filter((name) => names[name] === name || names[name] === NAME_AS_SENT);
  const snake = EVENT_NAMES.filter((name) => names[name] === SNAKE_CASE_NAMES[name] && !same.includes(name));
  const renamed = [...groups].flatMap(([sent, events]) => {
    const others = events.filter((name) => sent !== null && !same.includes(name) && !snake.includes(name));
    return others.length === 0 ? [] : [[code(sent ?? ''), listed(others)]];
  });
  return [
    ...(renamed.length === 0 ? [] : [table([`At ${label}`, 'Your events'], renamed)]),
    ...(snake.length === 0 ? [] : [`In snake case, as \`add_to_cart\`: ${listed(snake)}.`]),
    ...(same.length === 0 ? [] : [`Under the same name: ${listed(same)}.`]),
    ...(unused.length === 0 ? [] : [`Not sent, having no counterpart: ${listed(unused)}.`]),
  ];
}

const personNote = ({ sealedFields }: Platform): string[] =>
  sealedFields.length === 0 ? [] : ['What is not hashed is kept sealed ([how long](../../../SECURITY.md)).'];

const SPANS: Readonly<Record<number, string>> = { 1: 'a second', 60: 'a minute', 86400: 'a day' };
const quotaText = ({ counts, max, perSec }: Quota): string =>
  `${max.toLocaleString('en-US')} ${counts} ${SPANS[perSec] ?? `in ${seconds(perSec)}`}`;

function limitFacts({ platform: { limits, quotas = [], label }, sandbox }: DescribedInFull): string[] {
  return [
    ...(quotas.length === 0 ? [] : [`Quota: ${quotas.map(quotaText).join(', ')}.`]),
    `At most ${limits.batchSizeMax === 1 ? 'one event' : `${limits.batchSizeMax} events`} and ${bytes(limits.bodySizeMaxBytes)} a request, answered within ${seconds(limits.timeoutMs / 1_000)}.`,
    limits.ageMaxSec === 0
      ? 'Acceptance window: any age.'
      : `Acceptance window: ${seconds(limits.ageMaxSec)}.`,
    sandbox.silent === true
      ? `${label} answers success to anything and drops in silence what it cannot use: delivered means received.`
      : limits.allOrNothing
        ? 'One bad event spoils its request, is found, and fails alone.'
        : 'It takes the good events of a request.',
  ];
}

/** Word → what it means, said once for all platforms. */
const KINDS: Readonly<Record<ErrorKind, readonly [word: string, meaning: string]>> = {
  delivered: ['delivered', 'delivered'],
  duplicate: ['duplicate', 'delivered: the platform has it already'],
  rate_limited: ['throttled', 'again after `Retry-After`, or as the ladder says'],
  auth: ['connection', 'a fault of the connection, which pauses'],
  event_refused: ['event refused', 'with several events the one at fault is found, and fails alone'],
  setting_refused: [
    'setting',
    'an id in the connection is refused: its events wait and are tried about hourly, the others go on',
  ],
  retry: ['again', 'tried again'],
  maybe_delivered: ['again, maybe delivered', 'tried again; the events may have arrived'],
};

export const formsTable = (): string =>
  table(
    ['Form', 'Value'],
    digestForms().map(([variant, rule]) => [code(variant), rule.replace(/[;.] SHA-256\./, '.')]),
  );

export const errorKinds = (): string => table(['Meaning', 'What happens'], Object.values(KINDS));

/** Entries of one kind that follow each other are one line: the order says which goes first. */
function errorTable({ label, errors }: Platform): string[] {
  const byStatus = '[the status](index.md#by-the-status)';
  return errors.length === 0
    ? [`${label} has no error codes of its own: ${byStatus} decides.`]
    : ['[First match](index.md#what-errors-mean):', numbered(errorLines(errors))];
}

/** What holds at each platform where its own lines say nothing. */
export const statusTable = (): string => numbered(errorLines(STATUS_ERRORS));

function errorLines(errors: ErrorTable): string[] {
  const rows: { status: string; kind: string; codes: string[] }[] = [];
  for (const [status, vendorCode, kind, note] of errors) {
    const [word] = KINDS[kind];
    const meaning = note === undefined ? word : `${word} (${note})`;
    const named = String(vendorCode).split('.').map(pattern).join(' with subcode ');
    const row = { status: pattern(status), kind: meaning, codes: [named] };
    const last = rows.at(-1);
    if (last?.kind !== meaning) rows.push(row);
    else if (last.status === row.status) last.codes.push(named);
    else if (isOfStatusAlone(last) && isOfStatusAlone(row)) last.status += `, ${row.status}`;
    else rows.push(row);
  }
  return rows.map(({ status, kind, codes }) => `${answered(status, codes.join(', '))}: ${kind}`);
}

const isOfStatusAlone = ({ status, codes }: { status: string; codes: readonly string[] }): boolean =>
  status !== 'any' && codes.join() === 'any';

function answered(status: string, codes: string): string {
  if (codes === 'any') return status === 'any' ? 'anything else' : status;
  return status === 'any' ? codes : `${status} with ${codes}`;
}

const pattern = (value: string | number): string =>
  value === '*' ? 'any' : value === '+' ? 'any code' : code(String(value));
