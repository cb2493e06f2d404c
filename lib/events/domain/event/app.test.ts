// The part of an event about its app: what is taken, what is left of it, and the list that Meta and Snap want.
import { describe, expect, it } from 'vitest';
import { SAMPLE_APP, SAMPLE_EXTINFO } from '#test/support/sample-app.ts';
import { extinfoOf, readApp } from './app.ts';
import { checkEvent } from './check.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 12);
const problems = (app: unknown) => {
  const event = { event_id: 'e', event_name: 'Purchase', event_time: NOW_MS / 1_000, user_data: {}, app };
  const checked = checkEvent(event, NOW_MS);
  return checked.ok ? (checked.body.unknown_properties ?? []) : checked.details.map(({ path }) => path);
};

describe('the app of an event', () => {
  it('is refused by the name of its field, and names what is no field of it', () => {
    expect(problems('shop')).toEqual(['app']);
    expect(problems({ platform: 'windows' })).toEqual(['app.platform']);
    expect(problems({ tracking: 3 })).toEqual(['app.tracking']);
    expect(problems({ id: 'x'.repeat(257) })).toEqual(['app.id']);
    expect(problems({ screen_width: -1 })).toEqual(['app.screen_width']);
    expect(problems({ extinfo: ['i2'] })).toEqual(['app.extinfo']);
    expect(problems({ colour: 'red' })).toEqual(['app.colour']);
    expect(problems({ id: 1_234_567_890, version: null })).toEqual([]);
  });

  it('is left without what says nothing, and that is noted', () => {
    const { app, issues } = readApp({
      id: ' 12 ',
      name: '',
      vendor_id: '00000000-0000-0000-0000-000000000000',
    });
    expect(app).toEqual({ id: '12' });
    expect(issues).toEqual([{ field: 'app.vendor_id', code: 'literal_null' }]);
    expect(readApp({ name: 'a\nb' }).issues).toEqual([{ field: 'app.name', code: 'malformed' }]);
    expect(readApp({}).app).toEqual({});
  });

  it('is completed from the list that was sent, which is never put before what was said', () => {
    const extinfo = [...SAMPLE_EXTINFO.slice(0, 12), '6', '128', '8', 'America/New_York'];
    const { app } = readApp({ extinfo, os_version: '18.2' });
    expect(app).toMatchObject({
      platform: 'ios',
      id: '1234567890',
      os_version: '18.2',
      device_model: 'iPhone17,1',
    });
    expect(extinfoOf(app)).toEqual(extinfo.with(4, '18.2'));
    expect(extinfoOf(readApp({ extinfo: extinfo.with(12, 'null') }).app)?.[12]).toBe('');
  });

  it('becomes the list of sixteen, with empty text for what is not known', () => {
    expect(extinfoOf(SAMPLE_APP)).toEqual(SAMPLE_EXTINFO);
    expect(extinfoOf({ platform: 'android' })).toEqual(['a2', ...Array(15).fill('')]);
    expect(extinfoOf({ id: 'x' })).toBeUndefined();
  });
});
