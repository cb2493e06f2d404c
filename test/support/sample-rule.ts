// A rule as it is stored: everything about it can be said otherwise.
import type { Rule } from '../../lib/events/domain/rules/rule.ts';

export function sampleRule(draft: Partial<Rule> = {}): Rule {
  return {
    id: 'rul_1',
    version: 1,
    name: 'A rule',
    enabled: true,
    priority: 10,
    match: {},
    action: { type: 'exclude' },
    platforms: [],
    createdAtMs: 0,
    updatedAtMs: 0,
    ...draft,
  };
}
