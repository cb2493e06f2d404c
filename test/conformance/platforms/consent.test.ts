// Consent at every platform: each statement there is, put through the real code, against what is written in `expected.ts`.
import { describe, expect, it } from 'vitest';
import { CONSENT_SIGNALS } from '#lib/events/domain/event/consent.ts';
import {
  type Effect,
  effectOf,
  everyStatement,
  NOTHING_STATED,
  STATES,
  type Statement,
} from '#scripts/reference/consent-effects.ts';
import { GLOBAL_PRIVACY_CONTROL } from '#services/events/ingestion/browser-path.ts';
import { loadPlatformModules, type PlatformModule } from './platform-modules.ts';

const modules = await loadPlatformModules();

interface Rule {
  /** Signal → the states it is about. */
  readonly when: Readonly<Record<string, readonly string[]>>;
  readonly effect: string;
}

function rulesOf({ expected }: PlatformModule): readonly Rule[] {
  return expected.consent.map(([conditions, effect]) => {
    const when = conditions.split(' ').map((condition) => {
      const [signal = '', states = ''] = condition.split('=');
      return [signal, states.split('|')] as const;
    });
    return { when: Object.fromEntries(when), effect };
  });
}

/** By the rules alone. Of several signals that withhold, the platform's first is named. */
function expectedOf(module: PlatformModule, statement: Statement): Effect {
  const { consentSignals } = module.platform;
  const matching = rulesOf(module).filter(({ when }) =>
    Object.entries(when).every(([signal, states]) => states.includes(statement[signal as keyof Statement])),
  );
  const withholding = matching
    .filter(({ effect }) => effect === 'withheld')
    .flatMap(({ when }) => Object.keys(when));
  if (withholding.length > 0)
    return { withheldBy: consentSignals.find((signal) => withholding.includes(signal)) ?? null, changes: [] };
  return { withheldBy: null, changes: [...new Set(matching.map(({ effect }) => effect))].sort() };
}

describe.each(modules)('$slug', (module) => {
  const { platform, examples, expected } = module;

  it('is expected to act on signals and states there are', () => {
    const rules = rulesOf(module);
    expect(rules).not.toHaveLength(0);
    for (const { when, effect } of rules) {
      for (const [signal, states] of Object.entries(when)) {
        expect(CONSENT_SIGNALS).toContain(signal);
        for (const state of states) expect(STATES).toContain(state);
      }
      expect(effect).toMatch(/^(?:withheld|[+-] \S.*)$/);
    }
  });

  it('does with every statement of consent what is expected', () => {
    const statements = everyStatement();
    expect(statements).toHaveLength(STATES.length ** CONSENT_SIGNALS.length);
    for (const statement of statements)
      expect(effectOf(platform, examples[0], statement), JSON.stringify(statement)).toEqual(
        expectedOf(module, statement),
      );
  });

  it('honours each refusal of advertising: it is told, or gets less, or nothing', () => {
    for (const signal of CONSENT_SIGNALS.filter((one) => one !== 'analytics')) {
      const { withheldBy, changes } = effectOf(platform, examples[0], {
        ...NOTHING_STATED,
        [signal]: 'denied',
      });
      const ineffective = withheldBy === null && changes.length === 0;
      expect(ineffective, signal).toBe(expected.refusalsWithoutEffect?.includes(signal) === true);
    }
  });

  it('takes Global Privacy Control for a refusal of advertising, whatever else was stated', () => {
    for (const statement of everyStatement()) {
      const under: Statement = { ...statement, ...GLOBAL_PRIVACY_CONTROL };
      const effect = effectOf(platform, examples[0], under);
      expect(effect).toEqual(
        expectedOf(module, {
          ad_user_data: 'denied',
          ad_personalization: 'denied',
          ad_storage: 'denied',
          analytics: statement.analytics,
        }),
      );
      if (platform.consentSignals.includes('ad_user_data')) expect(effect.withheldBy).toBe('ad_user_data');
    }
  });
});
