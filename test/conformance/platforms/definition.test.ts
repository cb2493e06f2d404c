// What every platform promises by its definition alone.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { CONSENT_SIGNALS } from '#lib/events/domain/event/consent.ts';
import { EVENT_NAMES } from '#lib/events/domain/event/names.ts';
import { SEALED_FIELDS } from '#lib/events/domain/identity/identity.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { PLATFORMS, platformBySlug } from '#lib/events/platforms/registry.ts';
import { loadPlatformModules, platformFile } from './platform-modules.ts';

const modules = await loadPlatformModules();

describe('the registry', () => {
  it('has platforms, each under its own slug', () => {
    expect(PLATFORMS.length).toBeGreaterThan(0);
    expect(new Set(PLATFORMS.map(({ slug }) => slug)).size).toBe(PLATFORMS.length);
    for (const platform of PLATFORMS) expect(platformBySlug(platform.slug)).toBe(platform);
    expect(platformBySlug('nowhere')).toBeUndefined();
  });
});

describe.each(modules)('$slug', ({ platform, sandbox, examples, expected }) => {
  it('is described', () => {
    expect(platform.slug).toMatch(/^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/);
    expect(platform.label).not.toBe('');
    expect(platform.api.docs).toMatch(/^https:\/\//);
    expect(platform.api.readOn).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    const { limits } = platform;
    expect(limits.batchSizeMax).toBeGreaterThan(0);
    expect(limits.bodySizeMaxBytes).toBeGreaterThan(10_000);
    expect(limits.timeoutMs).toBeLessThanOrEqual(30_000);
    for (const signal of platform.consentSignals) expect(CONSENT_SIGNALS).toContain(signal);
    for (const field of platform.sealedFields) expect(SEALED_FIELDS).toContain(field);
    expect(sandbox.hosts.length).toBeGreaterThan(0);
  });

  it('declares quotas that can be kept: a request of any size fits a window', () => {
    const { quotas = [], limits } = platform;
    for (const { counts, max, perSec } of quotas) {
      const inWindow = Math.floor((max * Math.min(perSec, 60)) / perSec);
      expect(Number.isInteger(max) && Number.isInteger(perSec) && perSec > 0).toBe(true);
      expect(inWindow).toBeGreaterThanOrEqual(counts === 'events' ? limits.batchSizeMax : 1);
    }
  });

  it('names every event of the catalogue, and none other, as its sources do', () => {
    expect(Object.keys(platform.eventNames)).toEqual([...EVENT_NAMES]);
    const { otherwise = '', ...named } = expected.eventNames;
    for (const name of EVENT_NAMES) {
      const inSnakeCase = name.replaceAll(/\B[A-Z]/g, '_$&').toLowerCase();
      const byRule = otherwise.replace('{event}', name).replace('{event_name}', inSnakeCase);
      expect(platform.eventNames[name] ?? '-', name).toBe(named[name] ?? byRule);
    }
  });

  it('has strict credentials whose every field is labelled and one of which is secret', () => {
    expect(platform.credentials).toBeInstanceOf(z.ZodObject);
    const shape = (platform.credentials as unknown as z.ZodObject).shape;
    const metas = Object.values(shape).map((field) => (field as z.ZodType).meta() ?? {});
    for (const meta of metas) {
      expect(meta.label).toEqual(expect.any(String));
      expect(meta.help).toEqual(expect.any(String));
    }
    expect(metas.some((meta) => meta.secret === true)).toBe(true);
    const valid = examples[0].credentials as Record<string, unknown>;
    expect(platform.credentials.safeParse(valid).success).toBe(true);
    expect(platform.credentials.safeParse({ ...valid, another: 'x' }).success).toBe(false);
    expect(platform.credentials.safeParse({}).success).toBe(false);
    expect(platform.credentials.safeParse(null).success).toBe(false);
  });

  it('keeps the sources of its rules with it', () => {
    const readme = read(platform, 'README.md');
    expect(readme).toContain(platform.api.version);
    expect(readme).toContain(platform.api.readOn);
    expect(readme).toMatch(/https:\/\//);
    expect(readme).toContain(`docs/reference/platforms/${platform.slug.replaceAll('_', '-')}.md`);
  });
});

function read(platform: Platform, name: string): string {
  return readFileSync(platformFile(platform, name), 'utf8');
}
