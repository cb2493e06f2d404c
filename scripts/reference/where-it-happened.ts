// What each platform gets of where an event happened (`action_source`), found by building its request for every source.
import type { PlatformExample } from '#test/platforms/platform-example.ts';
import { SAMPLE_APP } from '#test/support/sample-app.ts';
import { ACTION_SOURCES } from '../../lib/events/domain/event/event.ts';
import type { ActionSource, NormalizedEvent } from '../../lib/events/domain/event/normalized-event.ts';
import type { Platform, Unsendable } from '../../lib/events/platforms/platform.ts';
import { knownPerson } from './consent-effects.ts';
import { code, listed, table } from './markdown.ts';
import { pathOf, requestFor, valuesOf } from './request-values.ts';

export interface Tried {
  readonly platform: Platform;
  /** The first of each kind of connection that its worked examples know. */
  readonly connections: readonly PlatformExample[];
}

const WHERE = /(?:action_source|event_?source|eventSource)$/;

export function whereItHappened(tried: readonly Tried[]): string[] {
  const rows = tried.flatMap(({ platform, connections }) => {
    const all = connections.map((example) => rowOf(platform, example));
    return all.filter(({ cell }, i) => all.findIndex((row) => row.cell === cell) === i);
  });
  const without = rows.filter(({ cell }) => cell === 'sent');
  return [
    `Sent, without a field for it: ${without.map(({ name }) => name).join(', ')}.`,
    table(
      ['Platform', 'Field', 'What it gets'],
      rows.filter((row) => !without.includes(row)).map(({ name, field, cell }) => [name, field, cell]),
    ),
  ];
}

/** The platforms that a purchase or a page view of the web without its page does not reach, by what is missing. */
export const pageless = (tried: readonly Tried[]): string =>
  tried
    .flatMap(({ platform, connections: [example] }) => {
      if (example === undefined) return [];
      const held = (['Purchase', 'PageView'] as const).filter((name) => {
        const { eventSourceUrl: _, ...event } = { ...knownPerson({}), name };
        return faultOf(platform, example, event)?.detail === 'event_source_url';
      });
      return held.length === 0 ? [] : [`${platform.label} (${listed(held)})`];
    })
    .join(', ');

function rowOf(platform: Platform, example: PlatformExample) {
  const results = ACTION_SOURCES.map((source) => [source, resultOf(platform, example, source)] as const);
  const groups = Map.groupBy(results, ([, { text }]) => text);
  const isAsSent = results.every(([source, { text }]) => text === code(source));
  const cell = isAsSent
    ? 'as it came'
    : [...groups]
        .map(([text, sources]) =>
          groups.size === 1 ? text : `${text}: ${sources.map(([name]) => name).join(', ')}`,
        )
        .join('; ');
  const paths = new Set(results.flatMap(([, { path }]) => (path === undefined ? [] : [path])));
  const { event_source: kind } = example.credentials as Readonly<Record<string, unknown>>;
  const name = typeof kind === 'string' ? `${platform.label} (${code(kind)})` : platform.label;
  return { name, field: listed([...paths]), cell };
}

function resultOf(platform: Platform, example: PlatformExample, actionSource: ActionSource) {
  const app = actionSource === 'app' ? { app: { ...SAMPLE_APP, platform: 'android' as const } } : {};
  const event = { ...knownPerson({}), actionSource, ...app };
  const fault = faultOf(platform, example, event);
  if (fault !== null) return { text: `**withheld** (${code(fault.detail)})`, path: undefined };
  const entry = valuesOf(requestFor(platform, example, event).body).find((one) => WHERE.test(pathOf(one)));
  if (entry === undefined) return { text: 'sent', path: undefined };
  const path = pathOf(entry);
  return { text: code(String(JSON.parse(entry.slice(path.length + 2)))), path };
}

const faultOf = (platform: Platform, example: PlatformExample, event: NormalizedEvent): Unsendable | null =>
  platform.unsendable(event, platform.credentials.parse(example.credentials));
