// Rules. Guarantees: a change is one write of the merchant's routing on the condition that nobody wrote meanwhile, and is
// decided anew where somebody did; every change is in the audit trail; a broken rule is shown as one and can be deleted.

import { audit } from '#lib/core/audit-log/audit.ts';
import { etagOf } from '#lib/core/http/etag.ts';
import type { Handlers, Success } from '#lib/core/http/handler.ts';
import type { Rule } from '#lib/events/domain/rules/rule.ts';
import { type createRule, RULE_MAXIMA, type RULE_ROUTES } from '#lib/events/routes/rules.ts';
import { unknownNames } from '../connections/named.ts';
import type { ApiPorts } from '../ports.ts';
import { addRule, dropRule, patchRule, readRules } from '../rules/change-rules.ts';
import { iso } from '../wire-time.ts';

type RuleView = Success<typeof createRule>['body']['rule'];

export function ruleHandlers(ports: ApiPorts): Handlers<(typeof RULE_ROUTES)[number]> {
  return {
    async listRules({ caller }) {
      const { rules, broken } = readRules((await ports.config.currentRouting(caller.merchantId)).rules);
      const body = { success: true as const, rules: rules.map(viewOf), broken, limits: RULE_MAXIMA };
      return { status: 200, body };
    },

    async createRule({ caller, body }) {
      const strange = await unknownIn(caller.merchantId, body, ports);
      if (strange !== null) return strange;
      const nowMs = ports.clock.now();
      const id = `rul_${ports.random.uuidv7(nowMs)}`;
      const rule: Rule = { ...body, id, version: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
      const made = await ports.config.changeRules(caller.merchantId, (rules) => addRule(rules, rule));
      if ('failure' in made) return made;
      await audit(caller, 'rule.create', made.id, ports);
      return { status: 201, body: { success: true, rule: viewOf(made) }, headers: tagOf(made) };
    },

    async updateRule({ caller, params, headers, body }) {
      const strange = await unknownIn(caller.merchantId, { ...body, rule_id: params.id }, ports);
      if (strange !== null) return strange;
      const how = { ifMatch: headers['if-match'], nowMs: ports.clock.now() };
      const changed = await ports.config.changeRules(caller.merchantId, (rules) =>
        patchRule(rules, params.id, body, how),
      );
      if ('failure' in changed) return changed;
      await audit(caller, 'rule.update', changed.id, ports);
      return { status: 200, body: { success: true, rule: viewOf(changed) }, headers: tagOf(changed) };
    },

    async deleteRule({ caller, params, headers }) {
      const dropped = await ports.config.changeRules(caller.merchantId, (rules) =>
        dropRule(rules, params.id, headers['if-match']),
      );
      if ('failure' in dropped) return dropped;
      await audit(caller, 'rule.delete', dropped.id, ports);
      return { status: 200, body: { success: true, id: dropped.id } };
    },

    async previewRule({ caller, body }) {
      const named = { platforms: body.rule?.platforms, rule_id: body.rule_id, path: 'rule.platforms' };
      const strange = await unknownIn(caller.merchantId, named, ports);
      if (strange !== null) return strange;
      // What only a preview needs is loaded by the first.
      const { previewRules } = await import('../rules/preview-rules.ts');
      const preview = await previewRules(caller.merchantId, body, ports);
      return 'failure' in preview ? preview : { status: 200, body: preview };
    },
  };
}

interface Named {
  readonly platforms?: readonly string[] | undefined;
  readonly rule_id?: string | undefined;
  readonly path?: string;
}

/** What a rule named already it may go on to name: removing a connection leaves its rules as they are. */
async function unknownIn(
  merchantId: string,
  { platforms = [], rule_id, path = 'platforms' }: Named,
  ports: ApiPorts,
) {
  if (platforms.length === 0) return null;
  const routing = await ports.config.currentRouting(merchantId);
  const removed = readRules(routing.rules).rules.find(({ id }) => id === rule_id)?.platforms ?? [];
  return unknownNames(platforms, routing, ports.platforms, { unconnected: true, removed, path });
}

const tagOf = ({ version }: Rule) => ({ etag: etagOf(version) });

function viewOf({ createdAtMs, updatedAtMs, platforms, ...rule }: Rule): RuleView {
  return {
    ...rule,
    platforms: [...platforms],
    created_at: iso(createdAtMs),
    updated_at: iso(updatedAtMs),
  };
}
