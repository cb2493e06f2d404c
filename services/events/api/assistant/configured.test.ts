// What an operator may have got wrong is said at the start, by name.
import { describe, expect, it } from 'vitest';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { assistantOf } from './configured.ts';

const db = createDocumentClient({ endpoint: 'http://127.0.0.1:1' });
const configured = (env: Readonly<Record<string, string>>) => assistantOf(env, db, 'rates');
const HERE = { AI_PROVIDER: 'openai-compatible', AI_MODEL: 'm', AI_BASE_URL: 'http://127.0.0.1:1/v1' };

describe('the assistant of a deployment', () => {
  it('is none where nothing, or none, is said', () => {
    expect([configured({}), configured({ AI_PROVIDER: 'none', AI_MODEL: 'm' })]).toEqual([null, null]);
  });

  it.each<readonly [Readonly<Record<string, string>>, string]>([
    [{ AI_PROVIDER: 'openai' }, 'AI_PROVIDER'],
    [{ AI_PROVIDER: 'bedrock' }, 'AI_MODEL'],
    [{ AI_PROVIDER: 'openai-compatible', AI_MODEL: 'm' }, 'AI_BASE_URL'],
    [{ ...HERE, AI_BASE_URL: 'file:///etc/passwd' }, 'AI_BASE_URL'],
    [{ AI_PROVIDER: 'anthropic', AI_MODEL: 'm' }, 'AI_API_KEY_PARAMETER'],
    [{ ...HERE, AI_REQUESTS_PER_MINUTE: '0' }, 'AI_REQUESTS_PER_MINUTE'],
    [{ ...HERE, AI_TOKENS_PER_DAY: 'many' }, 'AI_TOKENS_PER_DAY'],
  ])('is refused at the start: %o', (env, name) => {
    expect(() => configured(env)).toThrow(name);
  });

  it('has the limits that are set, and reads a key that appears later', async () => {
    const assistant = configured({ ...HERE, AI_API_KEY_FILE: '/nowhere/key', AI_REQUESTS_PER_DAY: '7' });
    expect(assistant?.limits).toEqual({ requestsPerMinute: 10, requests: 7, tokens: 5_000_000 });
    const [first, second] = [assistant?.model(), assistant?.model()];
    await expect(first).rejects.toThrow('/nowhere/key');
    await expect(second).rejects.toThrow('/nowhere/key');
    // A failure is not remembered.
    expect(assistant?.model()).not.toBe(first);
    await expect(assistant?.model()).rejects.toThrow('/nowhere/key');
  });
});
