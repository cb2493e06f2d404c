// What our requests to a platform hold, out of its worked examples and the sample event under every name.

import { loadExamples } from '#test/platforms/load.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { EVENT_NAMES } from '../../lib/events/domain/event/names.ts';
import { toOutgoing } from '../../lib/events/domain/privacy/outgoing-event.ts';
import { valuesOf } from '../reference/request-values.ts';
import type { Sent } from './description.ts';
import type { Interface } from './interfaces.ts';

export async function sentBy({ platform, examples }: Omit<Interface, 'name'>): Promise<Sent> {
  const sent = new Map<string, Set<string>>();
  const add = (path: string, value?: string): void => {
    const values = sent.get(path) ?? new Set<string>();
    sent.set(path, value === undefined ? values : values.add(value));
  };
  for (const { events, credentials, context } of await loadExamples(examples)) {
    const entered = platform.credentials.parse(credentials);
    const named = EVENT_NAMES.map((name) => toOutgoing(sampleEvent({ name })));
    const all = [
      events,
      ...named.filter((event) => platform.unsendable(event, entered) === null).map((one) => [one]),
    ];
    for (const list of all) {
      const { body } = platform.buildRequest(list, entered, context);
      for (const entry of valuesOf(body)) {
        const [, path = '', value = ''] = /^(.*?): (.*)$/s.exec(entry) ?? [];
        const keys = path.replaceAll('[]', '').split('.');
        for (let depth = 1; depth < keys.length; depth++) add(keys.slice(0, depth).join('.'));
        const text: unknown = JSON.parse(value);
        add(keys.join('.'), typeof text === 'string' ? text : undefined);
      }
    }
  }
  return sent;
}
