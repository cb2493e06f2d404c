// Goal: an event for a platform whose queue is not polled is delivered, because the sweep switches the source on. Method: against a
// stack that `npm run e2e:ministack` or `e2e:localstack-deployed` has deployed: the source of one platform is switched off by hand,
// and the sweep is begun anew, as one that has not seen it on; from there on its own schedule is waited for. The connection is
// paused meanwhile: what looks well is sent without the queue.
import {
  GetEventSourceMappingCommand,
  LambdaClient,
  paginateListEventSourceMappings,
  paginateListFunctions,
  UpdateEventSourceMappingCommand,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import { describe, expect, it } from 'vitest';
import { endpointEnvironment } from '../../scripts/deploy-local/endpoint.ts';
import type { Session } from '../../services/local/session.ts';
import { useStack } from './hosts.ts';

const endpoint = process.env.MILLRACE_DEPLOYED_TO;

describe.skipIf(endpoint === undefined)('the source of a platform', () => {
  const { session } = useStack();

  it('is switched on by the sweep when an event comes, and the event is delivered', async () => {
    Object.assign(process.env, endpointEnvironment(endpoint ?? ''));
    const lambda = new LambdaClient({});
    const UUID = await sourceOf(lambda, 'Deliveriespinterest');
    const state = async () => (await lambda.send(new GetEventSourceMappingCommand({ UUID }))).State;
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: false }));
    await expect.poll(state).toBe('Disabled');
    const FunctionName = await functionOf(lambda, 'MillraceEvents-Sweep');
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Description: 'begun anew' }));
    const { ingestion_url, api_url, api_key } = session();
    await turn(session(), 'paused');
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
    const event_id = `rested-${Date.now()}`;
    const event = {
      event_id,
      event_name: 'Purchase',
      event_time: Math.floor(Date.now() / 1_000),
      value: 5,
      currency: 'EUR',
    };
    const body = JSON.stringify({ ...event, order_id: event_id, user_data: { email: 'jane@example.com' } });
    expect((await fetch(`${ingestion_url}/v1/events`, { method: 'POST', headers, body })).status).toBe(202);
    const fate = async () => {
      const found = await (await fetch(`${api_url}/v1/events/${event_id}`, { headers })).json();
      const { deliveries = [] } = found as { deliveries?: { platform: string; status: string }[] };
      return deliveries.find(({ platform }) => platform === 'pinterest')?.status;
    };
    await expect.poll(state, { interval: 1_000 }).toBe('Enabled');
    await turn(session(), 'active');
    await expect.poll(fate, { interval: 1_000 }).toBe('DELIVERED');
  });
});

/** The connection to the platform. */
async function turn({ api_url, session_jwt }: Session, status: 'paused' | 'active'): Promise<void> {
  const headers = { authorization: `Bearer ${session_jwt}`, 'content-type': 'application/json' };
  const listed = await (await fetch(`${api_url}/v1/platforms`, { headers })).json();
  const { platforms } = listed as { platforms: { id: string; platform: string }[] };
  const id = platforms.find(({ platform }) => platform === 'pinterest')?.id;
  const body = JSON.stringify({ status });
  const answer = await fetch(`${api_url}/v1/platforms/${id}`, { method: 'PATCH', headers, body });
  expect(answer.status, await answer.text()).toBe(200);
}

async function sourceOf(client: LambdaClient, queue: string): Promise<string> {
  for await (const { EventSourceMappings = [] } of paginateListEventSourceMappings({ client }, {}))
    for (const { UUID, EventSourceArn = '' } of EventSourceMappings)
      if (UUID !== undefined && EventSourceArn.includes(queue)) return UUID;
  throw new Error(`nothing polls ${queue}`);
}

async function functionOf(client: LambdaClient, start: string): Promise<string> {
  for await (const { Functions = [] } of paginateListFunctions({ client }, {}))
    for (const { FunctionName = '' } of Functions) if (FunctionName.startsWith(start)) return FunctionName;
  throw new Error(`there is no function ${start}`);
}
