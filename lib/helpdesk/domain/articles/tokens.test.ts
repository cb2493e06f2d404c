import { describe, expect, it } from 'vitest';
import { articleTokens, CONTENT_TOKENS_MAX, frequentTokens } from './tokens.ts';

const ARTICLE = {
  title: 'Refunds',
  tags: ['Geld zurück'],
  excerpt: 'How to get money back',
  content: '',
  status: 'draft',
} as const;

describe('articleTokens', () => {
  it('has the words of title, tags and excerpt, and a status that no query can name', () => {
    expect(articleTokens(ARTICLE)).toEqual([
      'status:draft',
      'refunds',
      'geld',
      'zuruck',
      'how',
      'to',
      'get',
      'money',
      'back',
    ]);
    expect(articleTokens({ ...ARTICLE, title: 'status:published' })).not.toContain('status:published');
  });

  it('has the most frequent words of the content, and not more', () => {
    const rare = Array.from({ length: 400 }, (_, i) => `rare${i}`).join(' ');
    const tokens = articleTokens({ ...ARTICLE, content: `${rare} often OFTEN öften` });
    expect(tokens).toContain('often');
    expect(tokens.filter((token) => token.startsWith('rare')).length).toBe(CONTENT_TOKENS_MAX - 1);
  });

  it('cuts a script without spaces into pairs', () => {
    expect(frequentTokens('返品。返品方法', 10)).toEqual(['返品', '品', '品方', '方法', '法']);
  });

  it('bears 300,000 bytes of one word', () => {
    expect(frequentTokens('x'.repeat(300_000), 10)).toEqual(['x'.repeat(32)]);
    expect(frequentTokens('返'.repeat(100_000), 10)).toEqual(['返返', '返']);
  });
});
