// Which article has a slug. Guarantees: of several articles that claim a slug at once one gets it, and its later claims
// succeed too.

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { formatOf } from '#lib/core/record/stored-item.ts';
import type { Slugs } from '#lib/helpdesk/ports/stores.ts';
import { type Db, putItem } from '../core/items/commands.ts';
import { slugKey } from './helpdesk-item.ts';

export const SLUG = defineKind({
  what: 'slug',
  table: 'helpdesk',
  key: { pk: 'U#{workspace...}', sk: '{slug...}' },
  attribute: null,
  schema: z
    .looseObject({ sk: z.string(), by: z.string() })
    .transform(({ sk, by }) => ({ slug: sk, articleId: by })),
  personal: [],
  whenUnreadable: 'unavailable',
  meaning: 'No article can take this slug.',
});

export function createSlugs(db: Db, table: string): Slugs {
  return {
    claim: (workspaceId, slug, articleId) => {
      const item = { ...slugKey(workspaceId, slug), f: formatOf(SLUG), by: articleId };
      return putItem({ db, table }, item, {
        condition: 'attribute_not_exists(pk) OR #by = :by',
        names: { '#by': 'by' },
        values: { ':by': articleId },
      });
    },
  };
}
