// Which operations the assistant may use is decided for each of them, and kept.
import { describe, expect, it } from 'vitest';
import { operationsOf, toolOf } from '../../lib/core/assistant/operations.ts';
import { defineRoute } from '../../lib/core/http/route.ts';
import { ASSISTANT_OPERATIONS, NOT_FOR_ASSISTANT } from '../../lib/events/routes/assistant/operations.ts';
import { routesOf } from '../../lib/events/routes/every-route.ts';

const offered = operationsOf(routesOf('api'), {}, ASSISTANT_OPERATIONS);

describe('operations of the assistant', () => {
  it('are decided, each once: add a new one to a list of assistant-operations.ts', () => {
    const undecided = routesOf('api').filter(
      ({ id }) => ASSISTANT_OPERATIONS.has(id) === id in NOT_FOR_ASSISTANT,
    );
    expect(undecided.map(({ id }) => id)).toEqual([]);
  });

  it('never touch payments, people or the secrets of anybody', () => {
    const paths = [...offered.values()].map(({ route }) => route.path);
    expect(paths.filter((path) => /^\/v1\/(?:billing|members)\b/.test(path))).toEqual([]);
    const takesSecrets = [...offered.values()].filter((operation) =>
      /"(?:credentials|secret|password|token)"/.test(JSON.stringify(toolOf(operation).inputSchema)),
    );
    expect(takesSecrets.map(({ route }) => route.id)).toEqual([]);
    const changing = [...offered.values()].filter(({ changes }) => changes).map(({ route }) => route.path);
    expect(changing.filter((path) => path.startsWith('/v1/api-keys'))).toEqual([]);
  });

  it('need a person’s word for whatever is no reading', () => {
    for (const { route, changes } of offered.values())
      expect(changes, route.id).toBe(!(route.method === 'GET' || route.readOnly === true));
  });

  it('describe their input by themselves: a model has no document to look into', () => {
    for (const operation of offered.values()) {
      const schema = JSON.stringify(toolOf(operation).inputSchema);
      expect(schema, operation.route.id).not.toContain('#/components/');
      expect(schema.length, operation.route.id).toBeLessThan(8_000);
      expect(toolOf(operation).name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    }
  });

  it('cannot be what has no caller or no JSON', () => {
    const base = {
      id: 'x',
      part: 'api',
      method: 'GET',
      path: '/x',
      summary: 'X',
      replies: {},
      errors: [],
    } as const;
    const ids = new Set(['x']);
    const routes = [
      defineRoute({ ...base, auth: 'public' }),
      defineRoute({ ...base, auth: { session: 'anyone' } }),
      defineRoute({ ...base, auth: { session: 'see:events' }, stream: { events: {} } }),
      defineRoute({ ...base, auth: { session: 'see:events' }, rawBody: true }),
      defineRoute({ ...base, auth: { session: 'see:events' }, replyType: 'text/html' }),
    ];
    for (const route of routes) expect(() => operationsOf([route], {}, ids)).toThrow(/^x /);
  });
});
