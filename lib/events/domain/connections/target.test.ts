// Promise: a place names its own platform only; a list of platforms means all places, an exact one means itself.
import { expect, it } from 'vitest';
import type { Delivery, DeliveryState } from '../deliveries/delivery.ts';
import { DELIVERY_STATES } from '../deliveries/delivery.ts';
import {
  freeTarget,
  listed,
  type PlatformSlug,
  platformOf,
  selects,
  TARGETS_MAX,
  type Target,
  targetNamed,
  targetOf,
  targetsAt,
  worstOf,
} from './target.ts';

const at = (state: Exclude<DeliveryState, 'QUEUED'>, updatedAtMs = 0): Delivery => ({
  state,
  attempts: 1,
  unknowns: 0,
  updatedAtMs,
  history: [],
});

it('is named after its platform, and free while nobody stands there', () => {
  const taken: Record<string, true> = {};
  const slots = Array.from({ length: TARGETS_MAX }, () => {
    const slot = freeTarget('google_ads', taken) ?? '';
    taken[slot] = true;
    return slot;
  });
  expect(slots[0]).toBe('google_ads');
  expect(new Set(slots).size).toBe(TARGETS_MAX);
  expect(new Set(slots.map(platformOf))).toEqual(new Set(['google_ads']));
  expect(freeTarget('google_ads', taken)).toBeNull();
  expect(targetsAt('google', taken)).toEqual([]);
  delete taken['google_ads#2'];
  expect(freeTarget('google_ads', taken)).toBe('google_ads#2');
  expect(freeTarget('constructor', {})).toBe('constructor');
});

it('is meant by its platform, or by its own name alone', () => {
  expect(['meta', 'meta#2', 'x'].map((slot) => selects(['meta'], slot))).toEqual([true, true, false]);
  expect(['meta', 'meta#2'].map((slot) => selects(['meta#1'], slot))).toEqual([true, false]);
  expect(['meta', 'meta#2'].map((slot) => selects(['meta#2'], slot))).toEqual([false, true]);
  const alone = { meta: 1, x: 1 };
  const both = { ...alone, 'meta#2': 1 };
  expect(listed(['meta', 'x'], alone)).toEqual(['meta', 'x']);
  expect(listed(['meta', 'x'], both)).toEqual(['meta#1', 'x']);
  expect(listed(['meta#2'], both)).toEqual(['meta#2']);
  expect(listed(['meta', 'meta#2', 'x'], both).map(targetNamed)).toEqual(['meta', 'meta#2', 'x']);
});

it('stands for all as long as it is not over, then as what ended worst, then as what was written last', () => {
  expect(worstOf([at('DELIVERED'), undefined])).toBeUndefined();
  expect(worstOf([undefined, at('RETRY'), at('ERROR')])?.state).toBe('RETRY');
  expect(worstOf([at('DELIVERED'), at('SKIPPED')])?.state).toBe('SKIPPED');
  expect(worstOf([at('DELIVERED', 1), at('DELIVERED', 2)])?.updatedAtMs).toBe(2);
  expect(worstOf([])).toBeUndefined();
  for (const state of DELIVERY_STATES)
    if (state !== 'QUEUED') expect(worstOf([at(state), at('DELIVERED')])?.state).toBe(state);
});

it('is no slug of a platform: where neither is the other by type, comparing the two does not compile', () => {
  const isSlug: Target extends PlatformSlug ? true : false = false;
  const isTarget: PlatformSlug extends Target ? true : false = false;
  expect([isSlug, isTarget]).toEqual([false, false]);
  const registered = [{ slug: platformOf('meta') }];
  expect(registered.find(({ slug }) => slug === platformOf(targetOf('meta#2')))).toBeDefined();
});
