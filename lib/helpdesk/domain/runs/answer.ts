// What a model answered, as far as it may be used. Guarantees: only articles that were offered are cited, each once; the reply is
// plain text without characters that hide, turn or break others. Refuses everything that is not the one JSON object that was
// asked for, and a reply that rests on none of the articles.
import * as z from 'zod';
import { readTextBy } from '#lib/core/record/read-by-schema.ts';

const REPLY_MAX_CHARS = 20_000;
const CITED_MAX = 20;

const answerSchema = z.object({
  reply: z.string().max(REPLY_MAX_CHARS).nullable(),
  article_ids: z.array(z.string().max(200)).max(CITED_MAX),
});

export type DraftAnswer =
  | { readonly kind: 'draft'; readonly reply: string; readonly articleIds: readonly string[] }
  /** The model has nothing to say that the articles say. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unreadable' };

const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

export function readAnswer(text: string, offered: readonly string[]): DraftAnswer {
  const trimmed = text.trim();
  const read = readTextBy(answerSchema, FENCED.exec(trimmed)?.[1] ?? trimmed);
  if (read === null) return { kind: 'unreadable' };
  const reply = plainText(read.reply ?? '');
  const articleIds = [...new Set(read.article_ids)].filter((id) => offered.includes(id));
  if (reply === '' || articleIds.length === 0) return { kind: 'nothing' };
  return { kind: 'draft', reply, articleIds };
}

/** Line ends and tabs are all that is kept of control characters; marks that change the direction of text go as well. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .replaceAll(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .trim();
}
