// Rules: which events go where, and what is changed of them on the way.
import * as z from 'zod';
import { succeeds } from '#lib/core/routes/wire.ts';
import { SCANS } from '../../core/routes/call-limits.ts';
import {
  RULE_LIMITS,
  ruleActionSchema,
  ruleMatchSchema,
  ruleNameSchema,
  rulePrioritySchema,
} from '../domain/rules/rule.ts';
import { VERDICT_CODES } from '../pipeline/verdicts.ts';
import { defineRoute, MANAGES, SEES } from './define-route.ts';
import { trust } from './events.ts';
import { platformOrConnection } from './platforms/connection-names.ts';

export const PREVIEW_LIMITS = { lastMax: 500, lastDefault: 100 } as const;

const PRIORITY_DEFAULT = 100;
const NAMES_MAX = 30;

const rule = z
  .object({
    id: z.string(),
    version: z.int().meta({ description: 'Of this rule; `If-Match` takes it in quotes.' }),
    name: z.string(),
    enabled: z.boolean(),
    priority: z.int().meta({
      description: 'Lower runs first; of two alike, the one that was made first. Reorder by changing it.',
    }),
    match: ruleMatchSchema,
    action: ruleActionSchema,
    platforms: z.array(z.string()).meta({
      description:
        'Platforms, or connections by their ids, that the rule is about; empty: every platform. One whose connections are all removed is about none.',
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Rule' });

const broken = z
  .object({ id: z.string(), problem: z.string() })
  .meta({ id: 'BrokenRule', description: 'A stored rule that cannot be read: it is skipped.' });

const platforms = z
  .array(platformOrConnection)
  .max(NAMES_MAX)
  .refine((list) => new Set(list).size === list.length, 'must not name a platform or connection twice');

const draft = z.strictObject({
  name: ruleNameSchema,
  enabled: z.boolean().default(true),
  priority: rulePrioritySchema.default(PRIORITY_DEFAULT),
  match: ruleMatchSchema.default({}),
  action: ruleActionSchema,
  platforms: platforms.default([]),
});

const params = z.object({ id: z.string().min(1).max(100) });
const headers = z.object({ 'if-match': z.string().max(200).optional() });
const etag = { etag: 'The version, as If-Match takes it.' };

export const listRules = defineRoute({
  ...SEES,
  id: 'listRules',
  method: 'GET',
  path: '/v1/rules',
  summary: 'Rules in the order in which they run',
  query: z.strictObject({}),
  replies: succeeds({
    rules: z.array(rule),
    broken: z.array(broken),
    limits: z.object({ rules: z.int(), transforms: z.int() }),
  }),
});

export const createRule = defineRoute({
  ...MANAGES,
  id: 'createRule',
  method: 'POST',
  path: '/v1/rules',
  summary: 'Make a rule; it decides over every event that is normalized from then on',
  body: draft,
  idempotent: true,
  replies: { 201: z.object({ success: z.literal(true), rule }) },
  replyHeaders: etag,
  errors: ['too_many_rules'],
});

export const updateRule = defineRoute({
  ...MANAGES,
  id: 'updateRule',
  method: 'PATCH',
  path: '/v1/rules/:id',
  summary: 'Change what is given of a rule; match and action are replaced whole',
  params,
  headers,
  body: z
    .strictObject({
      name: ruleNameSchema.optional(),
      enabled: z.boolean().optional(),
      priority: rulePrioritySchema.optional(),
      match: ruleMatchSchema.optional(),
      action: ruleActionSchema.optional(),
      platforms: platforms.optional(),
    })
    .refine((change) => Object.keys(change).length > 0, 'needs at least one field to change'),
  replies: succeeds({ rule }),
  replyHeaders: etag,
  errors: ['not_found', 'precondition_failed', 'too_many_rules'],
});

export const deleteRule = defineRoute({
  ...MANAGES,
  id: 'deleteRule',
  method: 'DELETE',
  path: '/v1/rules/:id',
  summary: 'Delete a rule; what it decided before stays as it is',
  params,
  headers,
  replies: succeeds({ id: z.string() }),
  errors: ['not_found', 'precondition_failed'],
});

const outcome = z.object({
  verdict: z.enum(VERDICT_CODES),
  subject: z.string().optional(),
  changed_by: z.array(z.string()).meta({ description: 'Rules that change the event for this platform.' }),
});

export const previewRule = defineRoute({
  ...MANAGES,
  id: 'previewRule',
  rateLimit: SCANS,
  method: 'POST',
  path: '/v1/rules/preview',
  summary:
    'What a rule would change of the last events, compared with the rules as they are; nothing is written',
  readOnly: true,
  body: z
    .strictObject({
      rule: draft.optional().meta({ description: 'A new rule, or with rule_id what it would become.' }),
      rule_id: z.string().min(1).max(100).optional().meta({
        description: 'A stored rule. Without `rule`: it switched on, compared with it switched off.',
      }),
      last: z.int().min(1).max(PREVIEW_LIMITS.lastMax).default(PREVIEW_LIMITS.lastDefault),
    })
    .refine(({ rule, rule_id }) => rule !== undefined || rule_id !== undefined, {
      path: ['rule'],
      message: 'needs rule, rule_id or both',
    }),
  replies: succeeds({
    examined: z.int().meta({ description: 'Events that were looked at, the newest first.' }),
    changed: z.int(),
    skipped: z.int().meta({
      description:
        'Events about which nothing can be said: what is personal of them was erased, or they are replays on their way.',
    }),
    events: z.array(
      z.object({
        event_id: z.string(),
        trust,
        event_name: z.string(),
        received_at: z.iso.datetime(),
        platforms: z.array(
          z.object({
            platform: z.string(),
            connection_id: z.string().optional().meta({
              description: 'Of several connections to the platform: the one it is about.',
            }),
            before: outcome,
            after: outcome,
          }),
        ),
      }),
    ),
  }),
  errors: ['not_found'],
});

export const RULE_ROUTES = [listRules, createRule, updateRule, deleteRule, previewRule] as const;
export const RULE_MAXIMA = { rules: RULE_LIMITS.rulesMax, transforms: RULE_LIMITS.transformsMax } as const;
