// Where a platform's request has the fields of an event and of its person, as tables of its page.
import { BROWSER_ID_KEYS } from '../../lib/events/domain/identity/identity.ts';
import { code, listed, table } from './markdown.ts';
import type { Trace } from './request-trace.ts';

/** What all paths begin with: as a sentence, and how a path goes on behind it. */
function sharedOf(traces: readonly Trace[]): readonly [said: string[], short: (path: string) => string] {
  const parts = traces.flatMap(({ paths }) => paths.map((path) => path.split('.')));
  const depth = (parts[0] ?? [])
    .slice(0, -1)
    .findIndex((part, i) => parts.some((other) => other[i] !== part || other.length <= i + 1));
  const shared = (parts[0] ?? []).slice(0, depth < 0 ? (parts[0]?.length ?? 1) - 1 : depth).join('.');
  if (shared === '') return [[], (path) => path];
  return [[`Within ${code(shared)} of the body:`], (path) => path.slice(shared.length + 1)];
}

/** Fields that keep their name and their form are a list of their own. */
export function eventTable(traces: readonly Trace[]): string[] {
  const [said, short] = sharedOf(traces);
  const isSame = ({ field, paths, form }: Trace): boolean => form === '' && paths.map(short).join() === field;
  const same = traces.filter(isSame).map(({ field }) => field);
  const rows = traces
    .filter((trace) => !isSame(trace))
    .map(({ field, paths, form }) => [
      code(field),
      `${listed(paths.map(short))}${form === '' ? '' : `, as ${code(form)}`}`,
    ]);
  return [
    ...said,
    ...(same.length === 0 ? [] : [`Under the same name: ${listed(same)}.`]),
    ...(rows.length === 0 ? [] : [table(['Field', 'In the request'], rows)]),
  ];
}

export function personTable(traces: readonly Trace[]): string[] {
  const [said, short] = sharedOf(traces);
  // A sentence is said once for all fields of that form; a value stands beside its own field.
  const rows = [
    ...Map.groupBy(traces, ({ field, form }) =>
      form.includes('. ') || form.endsWith('.') ? form : field,
    ).values(),
  ].map((alike) => [
    listed(allAsOne(alike.map(({ field }) => field))),
    listed(allAsOne(alike.flatMap(({ paths }) => paths.map(short)))),
    alike[0]?.form ?? '',
  ]);
  return [...said, table(['Field', 'In the request', '[Form](index.md#forms)'], rows)];
}

/** Every identifier of a browser is said as one. */
function allAsOne(names: readonly string[]): readonly string[] {
  const ofBrowser = names.filter((name) => name.startsWith('browser_ids.'));
  return ofBrowser.length < BROWSER_ID_KEYS.length
    ? names
    : [...names.filter((name) => !ofBrowser.includes(name)), 'browser_ids.*'];
}
