// Goal: an operator's question goes where the environment says now. Method: two emulators, one after the other.
import { CreateQueueCommand } from '@aws-sdk/client-sqs';
import { expect, it, vi } from 'vitest';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { openSqs } from '#test/support/emulators.ts';
import { queueFigures } from './queues.ts';

it('asks the SQS of the environment, also after another one', async () => {
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']) vi.stubEnv(name, 'local');
  vi.stubEnv('AWS_REGION', 'us-east-1');
  for (const queue of ['one', 'two']) {
    const sqs = await openSqs();
    vi.stubEnv('AWS_ENDPOINT_URL_SQS', sqs.endpoint);
    const client = createSqsClient();
    const { QueueUrl = '' } = await client.send(new CreateQueueCommand({ QueueName: queue }));
    expect(await queueFigures(QueueUrl)).toMatchObject({ waiting: 0 });
    client.destroy();
    await sqs.close();
  }
});
