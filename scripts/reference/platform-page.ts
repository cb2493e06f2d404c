// One page per platform for whoever connects it: what is needed, what is sent, what is promised. Everything is read from
// the definition, found by building requests, or quoted from the README of the platform's folder.

import { EVENT_NAMES } from '../../lib/events/domain/event-names.ts';
import { SEALED_FIELD_NAMES } from '../../lib/events/domain/identity/identity.ts';
import { type ErrorKind, type ErrorTable, STATUS_ERRORS } from '../../lib/events/platforms/error-table.ts';
import { NAME_AS_SENT } from '../../lib/events/platforms/event-name.ts';
import type { Platform } from '../../lib/events/platforms/platform.ts';
import type { PlatformSandbox } from '../../lib/events/platforms/sandbox.ts';
import { credentialFields } from '../../lib/events/routes/credential-form.ts';
import { consentRows, type Described } from './consent-page.ts';
import { dedupeFacts, testFacts } from './delivery-facts.ts';
import { bytes, code, listed, numbered, seconds, table } from './markdown.ts';
import { eventTraces, personTraces, type Trace } from './request-trace.ts';

export interface DescribedInFull extends Described {
  readonly sandbox: PlatformSandbox;
  /** Text of the README of the platform's folder. */
  readonly readme: string;
}

export function platformPage(described: DescribedInFull): readonly string[] {
  const { platform, example, readme } = described;
  return [
    ...overview(platform),
    '## What you need',
    numbered(credentialFields(platform).map(credential)),
    ...conditions(described),
    `Then \`POST /v1/platforms\` with \`${connectBody(platform)}\` and what else you chose.`,
    '## Events',
    eventsNote(platform),
    table(
      ['Your event', `At ${platform.label}`],
      EVENT_NAMES.map((name) => [name, eventName(platform, platform.eventNames[name])]),
    ),
    '## The event',
    'A purchase; the last column shows the form in the request.',
    ...traceTable('For example', eventTraces(platform, example), code),
    '## The person',
    personNote(platform),
    ...traceTable('Form', personTraces(platform, example), (form) => form),
    '## Consent',
    'Found by trying; the whole table and the meaning of the signals: [consent](../consent.md).',
    table(['Signal', 'granted', 'denied', 'absent'], consentRows(described)),
    ...withoutPointer(readme, 'Consent'),
    '## Delivery',
    bullets([...limitFacts(described), dedupeFacts(described), testFacts(described)]),
    '## Errors',
    ...errorTable(platform),
    ...withoutPointer(readme, 'Errors'),
    ...otherSections(readme),
    ...quoted(readme, 'UNVERIFIED', 'What could not be verified'),
    ...quoted(readme, 'Limits of this integration', 'Known limits'),
    '## Sources',
    bullets(sources(platform, readme).map((url) => `<${url}>`)),
  ];
}

function overview({ label, slug, api, experimental }: Platform): string[] {
  const state =
    experimental === true
      ? [
          '**Experimental**: built from documents alone and never tried with a real account. Connecting it takes `confirm_experimental: true`.',
        ]
      : [];
  return [
    ...state,
    bullets([
      `Slug: ${code(slug)}`,
      `API version: ${api.version}, served until ${api.sunset ?? 'further notice: no end is announced'}`,
      `Documentation of ${label}: <${api.docs}>, read on ${api.readOn}`,
    ]),
  ];
}

const bullets = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join('\n');

function credential(field: ReturnType<typeof credentialFields>[number]): string {
  const marks = [field.required ? 'required' : 'optional', ...(field.secret ? ['secret'] : [])].join(', ');
  return `**${field.label}** (${code(field.name)}, ${marks}). ${field.help}`;
}

/** What the schema asks of several fields together, in its own words. */
function conditions({ platform, example }: Described): string[] {
  const given = example.credentials as Readonly<Record<string, unknown>>;
  const required = credentialFields(platform).filter((field) => field.required);
  const parsed = platform.credentials.safeParse(
    Object.fromEntries(required.map(({ name }) => [name, given[name]])),
  );
  return parsed.success
    ? []
    : [`Together: it ${parsed.error.issues.map(({ message }) => message).join('; ')}.`];
}

function connectBody(platform: Platform): string {
  const required = credentialFields(platform).filter((field) => field.required);
  return JSON.stringify({
    platform: platform.slug,
    credentials: Object.fromEntries(
      required.map(({ name }) => [name, name === 'event_ids' ? { Purchase: '…' } : '…']),
    ),
    ...(platform.experimental === true ? { confirm_experimental: true } : {}),
  });
}

function eventsNote(platform: Platform): string {
  return credentialFields(platform).some(({ name }) => name === 'event_ids')
    ? `${platform.label} knows events by ids made in its own interface: the table shows the suggested kind. An event without an id in the connection is not sent.`
    : `Names of your own are \`Custom\`. A name of ${platform.label}’s own goes there unchanged, whatever event it counts as here.`;
}

function eventName({ label }: Platform, name: string | null): string {
  if (name === null) return `not sent: ${label} has no use for it`;
  return name === NAME_AS_SENT ? 'your own name' : code(name);
}

/** What all paths begin with is said once. */
function traceTable(title: string, traces: readonly Trace[], show: (form: string) => string): string[] {
  const parts = traces.flatMap(({ paths }) => paths.map((path) => path.split('.')));
  const depth = (parts[0] ?? [])
    .slice(0, -1)
    .findIndex((part, i) => parts.some((other) => other[i] !== part || other.length <= i + 1));
  const shared = (parts[0] ?? []).slice(0, depth < 0 ? (parts[0]?.length ?? 1) - 1 : depth).join('.');
  const short = (path: string): string => (shared === '' ? path : path.slice(shared.length + 1));
  const rows = traces.map(({ field, paths, form }) => [code(field), listed(paths.map(short)), show(form)]);
  return [
    ...(shared === '' ? [] : [`Within ${code(shared)} of the body:`]),
    table(['Field', 'In the request', title], rows),
  ];
}

function personNote({ label, sealedFields }: Platform): string {
  const plain = sealedFields.map((field) => SEALED_FIELD_NAMES[field]);
  const kept =
    plain.length === 0
      ? `Of names, contacts, addresses and customer ids, ${label} gets nothing unhashed.`
      : `${label} takes ${listed(plain)} unhashed: they are kept, sealed, with the events it may be sent ([how long](../../../SECURITY.md)).`;
  return `${kept} Fields of \`user_data\` that are not in the table are not sent. A SHA-256 in place of a value is passed on as it is where a digest is taken.`;
}

function limitFacts({ platform: { limits, label }, sandbox }: DescribedInFull): string[] {
  return [
    `Events per request: ${limits.batchSizeMax}, in at most ${bytes(limits.bodySizeMaxBytes)}; an answer is awaited for ${seconds(limits.timeoutMs / 1_000)}.`,
    limits.ageMaxSec === 0
      ? 'Acceptance window: any age.'
      : `Acceptance window: ${seconds(limits.ageMaxSec)}; attempts end with it, and an older event is \`too_old\`.`,
    sandbox.silent === true
      ? `${label} answers success to anything and drops in silence what it cannot use: delivered means received.`
      : limits.allOrNothing
        ? 'One bad event makes it refuse the whole request: the culprit is found and fails alone.'
        : 'It answers for each event, or takes the good ones of a request.',
  ];
}

const KINDS: Readonly<Record<ErrorKind, string>> = {
  delivered: 'delivered',
  duplicate: 'delivered: the platform has it already',
  rate_limited: 'throttled: again after `Retry-After`, or as the ladder says',
  auth: 'a fault of the connection, which pauses',
  event_refused: 'refused: with several events the one at fault is found, and fails alone',
  request_refused: 'refused: all events of the request fail',
  retry: 'again',
  maybe_delivered: 'again; the events may have arrived',
};

/** Lines of one kind that follow each other are one row: the order of the lines says which goes first. */
function errorTable({ label, errors }: Platform): string[] {
  const own =
    errors.length === 0
      ? [`${label} has no error codes of its own: the status decides.`]
      : [
          `The first row that fits decides; where none does, the status alone.`,
          table(ERROR_HEAD, errorRows(errors)),
        ];
  return [...own, 'By the status:', table(ERROR_HEAD, errorRows(STATUS_ERRORS))];
}

const ERROR_HEAD = ['Status', 'Code', 'Meaning'];

function errorRows(errors: ErrorTable): string[][] {
  const rows: { status: string; kind: string; codes: string[] }[] = [];
  for (const [status, vendorCode, subcode, kind, note] of errors) {
    const meaning = note === undefined ? KINDS[kind] : `${KINDS[kind]} (${note})`;
    const named =
      subcode === '*' ? pattern(vendorCode) : `${pattern(vendorCode)} with subcode ${pattern(subcode)}`;
    const last = rows.at(-1);
    if (last !== undefined && last.kind === meaning && last.status === pattern(status))
      last.codes.push(named);
    else rows.push({ status: pattern(status), kind: meaning, codes: [named] });
  }
  return rows.map(({ status, kind, codes }) => [status, codes.join(', '), kind]);
}

const pattern = (value: string | number): string =>
  value === '*' ? 'any' : value === '+' ? 'any code' : code(String(value));

/** Title → text of every section of a README. */
function sectionsOf(readme: string): ReadonlyMap<string, string> {
  const [, ...sections] = readme.split('\n## ');
  return new Map(
    sections.map((section) => {
      const end = section.indexOf('\n');
      return [section.slice(0, end).trim(), section.slice(end).trim()];
    }),
  );
}

/** A section of the README under a title of this page; nothing where there is none. */
function quoted(readme: string, title: string, as: string): string[] {
  const text = sectionsOf(readme).get(title) ?? '';
  return text === '' ? [] : [`## ${as}`, text];
}

/** A section without its first paragraph, which points here. */
function withoutPointer(readme: string, title: string): string[] {
  const [, ...paragraphs] = (sectionsOf(readme).get(title) ?? '').split('\n\n');
  return paragraphs;
}

/** For whoever maintains the code, or quoted elsewhere on the page. */
const NOT_QUOTED = new Set(['Consent', 'Errors', 'Answers', 'UNVERIFIED', 'Limits of this integration']);

function otherSections(readme: string): string[] {
  return [...sectionsOf(readme)]
    .filter(([title]) => !NOT_QUOTED.has(title))
    .flatMap(([title, text]) => [`## ${title}`, text]);
}

function sources({ api }: Platform, readme: string): readonly string[] {
  const found = [...readme.matchAll(/https:\/\/[^\s|)>`;,]+/g)].map(([url]) => url.replace(/[.:]+$/, ''));
  return [...new Set([api.docs, ...found])].filter((url) => !url.includes('{') && !url.includes('…'));
}
