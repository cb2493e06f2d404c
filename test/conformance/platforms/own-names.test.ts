// A vendor's own names reach the vendor unchanged, whatever their event is called elsewhere; and no name of one vendor
// makes another one count money.
import { describe, expect, it } from 'vitest';
import { canonicalEventName } from '#lib/events/domain/event/names.ts';
import { loadPlatformModules } from './platform-modules.ts';
import { sentTo, wireOrder } from './wire-event.ts';

const modules = await loadPlatformModules();

const named = (event_name: string) => wireOrder({ event_name });

describe.each(modules)('$slug', (module) => {
  const { platform, expected } = module;
  const { at, list, otherwise = {} } = expected.ownNames;

  it.each(list)('gets %s as it is', (name) => {
    const arrives = Object.hasOwn(otherwise, name) ? otherwise[name] : name;
    if (at === null) {
      expect(platform.eventNames[canonicalEventName(name)]).toBe(arrives);
      return;
    }
    const sent = sentTo(module, named(name));
    expect(sent?.find(({ path }) => path.endsWith(at))?.source).toBe(JSON.stringify(arrives));
  });

  it('has names that arrive otherwise in its list only', () => {
    for (const name of Object.keys(otherwise)) expect(list).toContain(name);
  });

  it.each(['checkout', 'Checkout', 'CHECKOUT', 'check_out'])(
    'takes %s for the begin of a checkout',
    (name) => {
      const begun = named('InitiateCheckout');
      expect(named(name).name).toBe('InitiateCheckout');
      expect(sentTo(module, named(name))).toEqual(sentTo(module, begun));
    },
  );
});
