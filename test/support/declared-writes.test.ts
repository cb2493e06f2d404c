import { PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, it } from 'vitest';
import { undeclaredWrite } from './declared-writes.ts';

const TABLES = { config: 'config', rates: 'rates' } as const;

it('names a write of a kind that is not declared, and how to declare it', () => {
  const put = (Item: Record<string, unknown>, TableName = 'config') =>
    undeclaredWrite(new PutCommand({ TableName, Item }), TABLES);
  expect(put({ pk: 'M#shop', sk: 'PROFILE' })).toBeNull();
  expect(put({ pk: 'M#shop', sk: 'COUPON#1' })).toContain(
    'no kind of the table config has the key M#shop COUPON#1',
  );
  expect(put({ pk: 'a'.repeat(64), x: 'text' }, 'rates')).toBeNull();
  expect(put({ pk: 'a'.repeat(64), quota: 1 }, 'rates')).toContain('every-kind.ts');
});

it('knows updates by what they set where keys say nothing', () => {
  const set = (UpdateExpression: string) =>
    undeclaredWrite(new UpdateCommand({ TableName: 'rates', Key: { pk: 'a' }, UpdateExpression }), TABLES);
  expect(set('SET u = :ended')).toBeNull();
  expect(set('ADD n :wanted SET expires = :expires')).toBeNull();
  expect(set('ADD quota :one')).toContain('no kind');
});
