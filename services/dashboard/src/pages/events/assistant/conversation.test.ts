// Goal: what is sent is what the API takes, however long people talk; and a figure leads to its query or to none.
import { describe, expect, it } from 'vitest';
import { CHAT_LIMITS as API_LIMITS, aiChat } from '#lib/events/routes/assistant/ai-chat.ts';
import { partsOf } from './cited.ts';
import { CHAT_LIMITS, type ChatEvent, messagesOf, newTurn, type Turn, withEvent } from './conversation.ts';
import { addressOf, pageOf } from './page-of.ts';

const turn = (question: string, answer: string): Turn =>
  withEvent(newTurn('t', question, undefined), { event: 'text', data: { text: answer } });
const isTaken = (messages: unknown): boolean => aiChat.body.safeParse({ messages }).success;

describe('what is sent', () => {
  it('has the limits of the API', () => {
    expect(CHAT_LIMITS).toEqual(API_LIMITS);
  });

  it.each([
    ['nothing before', []],
    ['an answer that was stopped at once', [newTurn('t', 'Hi', undefined)]],
    ['a hundred questions', Array.from({ length: 100 }, () => turn('Hi', 'Hello'))],
    ['long answers', Array.from({ length: 20 }, () => turn('q'.repeat(8_000), '👩'.repeat(50_000)))],
    ['an answer of blanks', [turn('Hi', ' \n ')]],
  ])('fits after %s, and ends with the question', (_name, turns) => {
    const messages = messagesOf(turns, 'And now? \ud800');
    expect(isTaken(messages)).toBe(true);
    expect(messages.at(-1)).toEqual({ role: 'user', content: 'And now? \ufffd' });
    expect(messages.length).toBeGreaterThan(turns.length > 0 ? 1 : 0);
  });
});

describe('an answer', () => {
  const source = { id: 'r1', operation: 'listEvents', method: 'GET', path: '/v1/events', input: {} };

  it('grows by what is told', () => {
    const result = { id: 'r1', operation: 'listEvents', status: 200, truncated: false, result: {} };
    const told: readonly ChatEvent[] = [
      { event: 'text', data: { text: 'Let me ' } },
      { event: 'text', data: { text: 'look.' } },
      { event: 'tool_call', data: source },
      { event: 'tool_result', data: result },
      { event: 'text', data: { text: 'None.' } },
      { event: 'done', data: { reason: 'finished', sources: [source], figures: [] } },
    ];
    const { pieces, end } = told.reduce(withEvent, newTurn('t', 'How many?', undefined));
    expect(pieces).toEqual([
      { kind: 'text', text: 'Let me look.' },
      { kind: 'query', source, result },
      { kind: 'text', text: 'None.' },
    ]);
    expect(end).toEqual({ kind: 'done', reason: 'finished', figures: [] });
  });

  it('leads from figures and citations to queries, and marks what comes from none', () => {
    const figures = [
      { figure: '1,204', sources: ['r1'] },
      { figure: '12', sources: [] },
      { figure: '1', sources: ['r2'] },
      { figure: '.*', sources: ['r9'] },
    ];
    const parts = partsOf('1,204 events [r1, r2] on 2026-11-12; that is 12, not 12.5 or r1: 1.', figures);
    expect(parts.filter(({ kind }) => kind !== 'text')).toEqual([
      { kind: 'figure', text: '1,204', sources: ['r1'] },
      { kind: 'citation', text: '[r1, r2]', sources: ['r1', 'r2'] },
      { kind: 'figure', text: '12', sources: [] },
      { kind: 'figure', text: '1', sources: ['r2'] },
    ]);
    expect(parts.map(({ text }) => text).join('')).toContain('not 12.5 or r1: ');
  });

  it('leads to the page that shows the same, whatever a model asked for', () => {
    const asked = (operation: string, input: unknown) => pageOf({ ...source, operation, input })?.to;
    expect(asked('listEvents', { query: { status: 'FAILED', limit: 5, cursor: 'x' } })).toBe(
      '/events?status=FAILED',
    );
    expect(asked('readEvent', { params: { id: 'a&b/c' } })).toBe('/event?id=a%26b%2Fc');
    expect(asked('listEvents', null)).toBe('/events');
    expect(asked('listEvents', { query: 'javascript:alert(1)' })).toBe('/events');
    expect(asked('listRules', {})).toBeUndefined();
    expect(
      addressOf({ path: '/v1/events/:id', input: { params: { id: '../x' }, query: { trust: 'server' } } }),
    ).toBe('/v1/events/..%2Fx?trust=server');
  });
});
