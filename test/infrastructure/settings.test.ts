import { describe, expect, it } from 'vitest';
import { readSettings } from '../../cdk/settings.ts';

const read = (context: Readonly<Record<string, unknown>>) => readSettings((name) => context[name]);

describe('settings of a deployment', () => {
  it('are a production deployment when nothing is said', () => {
    expect(read({})).toEqual({
      ephemeral: false,
      deliveryConcurrency: 10,
      logLevel: 'info',
      apiCorsOrigins: [],
    });
  });

  it('take the command line’s text for what it means', () => {
    const settings = read({
      ephemeral: 'true',
      sandboxUrl: 'http://127.0.0.1:4103',
      deliveryConcurrency: '25',
      apiCorsOrigins: 'https://app.example, https://staging.example',
    });
    expect(settings).toMatchObject({
      ephemeral: true,
      sandboxUrl: 'http://127.0.0.1:4103',
      deliveryConcurrency: 25,
      apiCorsOrigins: ['https://app.example', 'https://staging.example'],
    });
  });

  it.each([
    [{ sandboxUrl: 'http://127.0.0.1:4103' }, /sandboxUrl.*ephemeral/],
    [{ sandboxUrl: 'http://127.0.0.1:4103', ephemeral: 'false' }, /sandboxUrl.*ephemeral/],
    [{ sandboxUrl: 'ftp://x', ephemeral: true }, /sandboxUrl/],
    [{ ephemeral: 'yes' }, /ephemeral/],
    [{ authIssuer: 'https://id.example' }, /authIssuer, authAudience and authJwksUrl/],
    [{ authIssuer: 'id.example', authAudience: 'a', authJwksUrl: 'https://id.example/jwks' }, /authIssuer/],
    [{ deliveryConcurrency: 1 }, /deliveryConcurrency/],
    [{ deliveryConcurrency: '2.5' }, /deliveryConcurrency/],
    [{ logLevel: 'loud' }, /logLevel/],
    [{ alarmEmail: 7 }, /alarmEmail/],
    [{ apiCorsOrigins: '*' }, /apiCorsOrigins must be origins/],
    [{ apiCorsOrigins: 'https://app.example/path' }, /apiCorsOrigins must be origins/],
  ])('refuse %j', (context, sentence) => {
    expect(() => read(context)).toThrow(sentence);
  });
});
