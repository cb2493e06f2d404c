import { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { createMessageSender } from './message-sender.ts';

interface Call {
  readonly bodies: readonly string[];
  readonly answer: (failedIds?: readonly string[]) => void;
  readonly fail: () => void;
}

function queue() {
  const calls: Call[] = [];
  const client = {
    send: (command: unknown) =>
      new Promise<unknown>((resolve, reject) => {
        const bodies =
          command instanceof SendMessageBatchCommand
            ? (command.input.Entries ?? []).map((entry) => entry.MessageBody ?? '')
            : [(command as SendMessageCommand).input.MessageBody ?? ''];
        expect(command instanceof SendMessageCommand).toBe(bodies.length === 1);
        calls.push({
          bodies,
          answer: (ids = []) => resolve({ Failed: ids.map((Id) => ({ Id, Code: 'InternalError' })) }),
          fail: () => reject(new Error('SQS is down')),
        });
      }),
  };
  return { calls, outbox: createMessageSender<number>(client as never, 'http://queue') };
}

const message = (body: number) => ({ body, groupId: 'm' });
const tick = () => new Promise((resolve) => setImmediate(resolve));

describe('createMessageSender', () => {
  it('sends a lone message at once and alone', async () => {
    const { calls, outbox } = queue();
    const sent = outbox.send([message(1)]);
    expect(calls.map((c) => c.bodies)).toEqual([['1']]);
    calls[0]?.answer();
    await sent;
  });

  it.each([
    [undefined, 'm'],
    [true, 'm'],
    [false, undefined],
  ])(
    'names the group of each message, unless fairness is none of the queue: fair %s',
    async (fair, group) => {
      const groups: unknown[] = [];
      const client = {
        send: async ({ input }: SendMessageBatchCommand | SendMessageCommand) => {
          const messages = 'Entries' in input ? (input.Entries ?? []) : [input];
          for (const entry of messages) groups.push((entry as { MessageGroupId?: string }).MessageGroupId);
          return {};
        },
      };
      const options = fair === undefined ? {} : { fair };
      const outbox = createMessageSender<number>(client as never, 'http://queue', options);
      await outbox.send([message(1)]);
      await outbox.send([message(2), message(3)]);
      expect(groups).toEqual([group, group, group]);
    },
  );

  it('puts ten into a request and keeps their order', async () => {
    const { calls, outbox } = queue();
    const sent = outbox.send(Array.from({ length: 23 }, (_, i) => message(i)));
    expect(calls.map((c) => c.bodies.length)).toEqual([10, 10, 3]);
    expect(calls.flatMap((c) => c.bodies)).toEqual(Array.from({ length: 23 }, (_, i) => String(i)));
    for (const call of calls) call.answer();
    await sent;
  });

  it('lets callers share a request while four are under way', async () => {
    const { calls, outbox } = queue();
    const sends = Array.from({ length: 14 }, (_, i) => outbox.send([message(i)]));
    expect(calls.map((c) => c.bodies.length)).toEqual([1, 1, 1, 1]);
    calls[0]?.answer();
    await tick();
    expect(calls.at(-1)?.bodies).toEqual(['4', '5', '6', '7', '8', '9', '10', '11', '12', '13']);
    for (const call of calls) call.answer();
    await Promise.all(sends);
  });

  it('tells each caller about its own messages', async () => {
    const { calls, outbox } = queue();
    const blockers = Array.from({ length: 4 }, (_, i) => outbox.send([message(i)]));
    const taken = outbox.send([message(10)]);
    const refused = outbox.send([message(11)]);
    refused.catch(() => {});
    for (const call of calls) call.answer();
    await tick();
    calls.at(-1)?.answer(['1']);
    await Promise.all([...blockers, taken]);
    await expect(refused).rejects.toThrow('InternalError');
  });

  it('fails everyone of a failed request and goes on', async () => {
    const { calls, outbox } = queue();
    const lost = outbox.send([message(1), message(2)]);
    calls[0]?.fail();
    await expect(lost).rejects.toThrow('SQS is down');
    const next = outbox.send([message(3)]);
    calls[1]?.answer();
    await next;
  });

  it('never exceeds what SQS takes in one request', () => {
    const { calls, outbox } = queue();
    const client = outbox as unknown as { send: (m: { body: unknown; groupId: string }[]) => Promise<void> };
    void client.send([0, 1, 2].map((i) => ({ body: String(i).repeat(100_000), groupId: 'm' })));
    expect(calls.map((c) => c.bodies.length)).toEqual([2, 1]);
  });

  describe('where SQS refuses a message for what it is', () => {
    const XML = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd]*$/;
    const refusing = (bad: string, whole: boolean) => {
      const taken: string[] = [];
      const refuse = (text = '') => !XML.test(text) || text.includes(bad);
      const fault = () => Object.assign(new Error('no'), { name: 'InvalidMessageContents' });
      const client = {
        send: async (command: SendMessageBatchCommand | SendMessageCommand) => {
          if (command instanceof SendMessageCommand) {
            if (refuse(command.input.MessageBody)) throw fault();
            taken.push(command.input.MessageBody ?? '');
            return {};
          }
          const entries = command.input.Entries ?? [];
          if (whole && entries.some((e) => refuse(e.MessageBody))) throw fault();
          const Failed = entries.filter((e) => refuse(e.MessageBody));
          taken.push(...entries.filter((e) => !refuse(e.MessageBody)).map((e) => e.MessageBody ?? ''));
          const why = { Code: 'InvalidMessageContents', SenderFault: true };
          return { Failed: Failed.map(({ Id }) => ({ Id, ...why })) };
        },
      };
      return { taken, outbox: createMessageSender<string>(client as never, 'http://queue') };
    };
    const text = (body: string) => ({ body, groupId: 'm' });

    it.each([true, false])('the others of its request are taken (whole one refused: %s)', async (whole) => {
      const { taken, outbox } = refusing('bad', whole);
      const sent = outbox.send(['a', 'b', 'bad', 'c'].map(text));
      await expect(sent).rejects.toMatchObject({ failedIndexes: [2], refused: true });
      expect(taken.map((body) => JSON.parse(body))).toEqual(['a', 'b', 'c']);
    });

    it.each([true, false])('any text JSON can spell is taken (whole request refused: %s)', async (whole) => {
      const { taken, outbox } = refusing('nothing', whole);
      const texts = ['😀', '\ufffe', '\uffff', '\u0000', '\ud800', '\udc00x', '\u0085', '日本', 'plain'];
      await outbox.send(texts.map(text));
      expect(taken.map((body) => JSON.parse(body))).toEqual(texts);
    });
  });

  it('measures a batch by its escaped text', async () => {
    const { calls, outbox } = queue();
    const smileys = Array.from({ length: 4 }, () => ({ body: '😀'.repeat(10_000), groupId: 'm' }));
    const sent = outbox.send(smileys as never);
    for (const { bodies } of calls) expect(bodies.join('').length).toBeLessThan(262_144);
    expect(calls.length).toBeGreaterThan(1);
    for (const call of calls) call.answer();
    await sent;
  });
});
