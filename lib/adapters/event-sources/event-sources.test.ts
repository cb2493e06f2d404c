// Goal: what Lambda says of an event source mapping is understood, and nothing but `Enabled` of it is changed.
import type { GetEventSourceMappingCommand, UpdateEventSourceMappingCommand } from '@aws-sdk/client-lambda';
import { expect, it } from 'vitest';
import { createEventSources } from './event-sources.ts';

type Command = GetEventSourceMappingCommand | UpdateEventSourceMappingCommand;

function setUp(mapping: object) {
  const sent: { readonly name: string; readonly input: unknown; readonly bounded: boolean }[] = [];
  const client = {
    send: async (command: Command, options?: { readonly abortSignal?: AbortSignal }) => {
      const bounded = options?.abortSignal !== undefined;
      sent.push({ name: command.constructor.name, input: command.input, bounded });
      return mapping;
    },
  };
  const [source] = createEventSources({ meta: 'uuid-1' }, async (name) => name.length, client as never);
  if (source === undefined) throw new Error('no source');
  return { source, sent };
}

const LastModified = new Date('2026-11-21T12:00:00Z');

it.each([
  ['Enabled', true],
  ['Enabling', true],
  ['Creating', true],
  ['Updating', true],
  ['Disabling', false],
  ['Disabled', false],
  ['Deleting', false],
])('takes %s for on: %s', async (State, isOn) => {
  const { source, sent } = setUp({ State, LastModified });
  expect(await source.state()).toEqual({ isOn, changedAtMs: LastModified.getTime() });
  expect(sent).toEqual([{ name: 'GetEventSourceMappingCommand', input: { UUID: 'uuid-1' }, bounded: true }]);
});

it('names what keeps a source from working, of one that is on', async () => {
  const LastProcessingResult = 'PROBLEM: Function call failed';
  const { source } = setUp({ State: 'Enabled', LastModified, LastProcessingResult });
  expect((await source.state()).problem).toBe(LastProcessingResult);
  const rested = setUp({ State: 'Disabled', LastModified, LastProcessingResult });
  expect(await rested.source.state()).not.toHaveProperty('problem');
});

it('lets no source rest whose last change is not known', async () => {
  const { source } = setUp({ State: 'Enabled' });
  expect((await source.state()).changedAtMs).toBe(Number.POSITIVE_INFINITY);
});

it.each([true, false])('changes nothing but whether it is on: %s', async (Enabled) => {
  const { source, sent } = setUp({});
  expect(await source.messages()).toBe(4);
  await source.turn(Enabled);
  expect(sent).toEqual([
    { name: 'UpdateEventSourceMappingCommand', input: { UUID: 'uuid-1', Enabled }, bounded: true },
  ]);
});
