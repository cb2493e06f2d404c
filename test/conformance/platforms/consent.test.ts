// Consent at every platform: each statement there is, put through the real code, against what is written in the matrix.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONSENT_SIGNALS } from '../../../lib/domain/consent.ts';
import type { Platform } from '../../../lib/platforms/platform.ts';
import { PLATFORMS } from '../../../lib/platforms/registry.ts';
import {
  type Effect,
  effectOf,
  everyStatement,
  NOTHING_STATED,
  STATES,
  type Statement,
} from '../../../scripts/reference/consent-effects.ts';
import { GLOBAL_PRIVACY_CONTROL } from '../../../services/ingestion/browser-path.ts';
import { consentRules } from './consent-matrix.ts';
import { loadPlatformModules } from './platform-modules.ts';

const modules = await loadPlatformModules();
const rules = consentRules();

/** By the matrix alone. Of several signals that withhold, the platform's first is named. */
function expected({ slug, consentSignals }: Platform, statement: Statement): Effect {
  const matching = rules.filter(
    ({ platform, when }) =>
      platform === slug &&
      Object.entries(when).every(([signal, states]) => states.includes(statement[signal as keyof Statement])),
  );
  const withholding = matching
    .filter(({ effect }) => effect === 'withheld')
    .flatMap(({ when }) => Object.keys(when));
  if (withholding.length > 0)
    return { withheldBy: consentSignals.find((signal) => withholding.includes(signal)) ?? null, changes: [] };
  return { withheldBy: null, changes: [...new Set(matching.map(({ effect }) => effect))].sort() };
}

describe('the matrix', () => {
  it('is about platforms there are, and all of them', () => {
    expect(new Set(rules.map(({ platform }) => platform))).toEqual(
      new Set(PLATFORMS.map(({ slug }) => slug)),
    );
  });

  it('speaks of signals and states there are', () => {
    for (const { when, effect } of rules) {
      for (const [signal, states] of Object.entries(when)) {
        expect(CONSENT_SIGNALS).toContain(signal);
        for (const state of states) expect(STATES).toContain(state);
      }
      expect(effect).toMatch(/^(?:withheld|[+-] \S.*)$/);
    }
  });
});

describe.each(modules)('$slug', ({ platform, examples }) => {
  it('does with every statement of consent what the matrix says', () => {
    const statements = everyStatement();
    expect(statements).toHaveLength(STATES.length ** CONSENT_SIGNALS.length);
    for (const statement of statements)
      expect(effectOf(platform, examples[0], statement), JSON.stringify(statement)).toEqual(
        expected(platform, statement),
      );
  });

  it('honours each refusal of advertising: it is told, or gets less, or nothing', () => {
    // Own use of own customers' data: nothing there chooses ads.
    const notAdvertising = new Set(['klaviyo ad_personalization', 'ga4 ad_storage']);
    for (const signal of CONSENT_SIGNALS.filter((one) => one !== 'analytics')) {
      const { withheldBy, changes } = effectOf(platform, examples[0], {
        ...NOTHING_STATED,
        [signal]: 'denied',
      });
      const ineffective = withheldBy === null && changes.length === 0;
      expect(ineffective, signal).toBe(notAdvertising.has(`${platform.slug} ${signal}`));
    }
  });

  it('takes Global Privacy Control for a refusal of advertising, whatever else was stated', () => {
    for (const statement of everyStatement()) {
      const under: Statement = { ...statement, ...GLOBAL_PRIVACY_CONTROL };
      const effect = effectOf(platform, examples[0], under);
      expect(effect).toEqual(
        expected(platform, {
          ad_user_data: 'denied',
          ad_personalization: 'denied',
          ad_storage: 'denied',
          analytics: statement.analytics,
        }),
      );
      if (platform.consentSignals.includes('ad_user_data')) expect(effect.withheldBy).toBe('ad_user_data');
    }
  });

  it('has a row for each of its signals in the published table', () => {
    const page = readFileSync(new URL('../../../docs/reference/consent.md', import.meta.url), 'utf8');
    for (const signal of CONSENT_SIGNALS) expect(page).toContain(`| ${platform.label} | \`${signal}\``);
  });
});
