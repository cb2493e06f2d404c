// Every key of the event schema reaches at least one platform, or is kept here on purpose: a field that merchants fill
// in for nobody is a promise nobody keeps.
import { describe, expect, it } from 'vitest';
import { toOutgoing } from '#lib/events/domain/privacy/outgoing-event.ts';
import { CALLER, loadPlatformModules } from '../platforms/platform-modules.ts';
import { fromWire } from '../platforms/wire-event.ts';
import { pairsOf } from './one-field.ts';
import { KEPT_HERE, LEAVES } from './schema-leaves.ts';

/** Take the event as it is: what reaches them alone reaches no one who uses it. */
const TAKE_ALL: readonly string[] = ['s3', 'webhook'];
const modules = (await loadPlatformModules()).filter(({ slug }) => !TAKE_ALL.includes(slug));

/** What each platform makes of the event: its request, or why it gets none. */
function everyRequest(json: string): readonly string[] {
  const event = fromWire(json);
  return modules.flatMap(({ platform, examples }) => {
    const withheld = platform.consentSignals.find((signal) => event.consent[signal] === 'denied');
    if (withheld !== undefined) return withheld;
    // A click of one network goes to it alone, and which that is, is a credential.
    const kinds = new Map(examples.map(({ credentials }) => [JSON.stringify(credentials), credentials]));
    return [...kinds.values()].map((entered) => {
      const credentials = platform.credentials.parse(entered);
      const withheldAs = platform.unsendable(event, credentials);
      if (withheldAs !== null) return JSON.stringify(withheldAs);
      const { url, body } = platform.buildRequest([toOutgoing(event)], credentials, CALLER);
      return `${url} ${body}`;
    });
  });
}

const reaches = (leaf: string): boolean =>
  pairsOf(leaf).some(([one, other]) => {
    const [a, b] = [everyRequest(one), everyRequest(other)];
    return a.some((request, i) => request !== b[i]);
  });

describe('the event schema', () => {
  it('is walked to its leaves', () => {
    for (const leaf of [
      'event_name',
      'user_data.email',
      'user_data.browser_ids.fbp',
      'items.brand',
      'consent.analytics',
    ])
      expect(LEAVES).toContain(leaf);
    for (const leaf of Object.keys(KEPT_HERE)) expect(LEAVES).toContain(leaf);
  });

  it.each(LEAVES)('%s reaches a platform, or is kept here on purpose', (leaf) => {
    expect(reaches(leaf)).toBe(!Object.hasOwn(KEPT_HERE, leaf));
  });

  it('has no field that is thought to reach a platform and does not', () => {
    expect(reaches('a_field_of_tomorrow')).toBe(false);
  });
});
