// What S3 does with `If-Match` and `If-None-Match` of a PutObject, which the emulator takes without looking: writes of one object
// wait for each other, and one whose condition does not hold is answered 412.
import type { buildApp } from 'fauxqs';

type App = ReturnType<typeof buildApp>;

const REFUSED =
  '<?xml version="1.0" encoding="UTF-8"?><Error><Code>PreconditionFailed</Code><Message>At least one of the pre-conditions you specified did not hold</Message></Error>';

export function withConditionalWrites(app: App): App {
  const writing = new Map<string, Promise<void>>();
  app.addHook('onRequest', async (request, reply) => {
    const { 'if-match': wanted, 'if-none-match': none, authorization, host } = request.headers;
    if (request.method !== 'PUT' || (wanted === undefined && none === undefined)) return;
    const [path = ''] = request.url.split('?');
    const before = writing.get(path);
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const turn = Promise.all([before, ended]).then(() => undefined);
    writing.set(path, turn);
    reply.raw.once('close', () => {
      end();
      if (writing.get(path) === turn) writing.delete(path);
    });
    await before;
    const found = await app.inject({ method: 'HEAD', url: path, headers: { authorization, host } });
    const tag = found.statusCode === 200 ? String(found.headers.etag) : undefined;
    if (wanted === undefined ? tag === undefined : tag === wanted) return;
    return reply.code(412).type('application/xml').send(REFUSED);
  });
  return app;
}
