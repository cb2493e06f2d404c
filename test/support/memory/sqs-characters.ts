// SQS as far as what it will not take goes, in front of a queue in memory: the real sender, bodies as text, and refusals
// as AWS words them. https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SendMessage.html
import type { SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import type { SendThrough } from '../memory-pipeline.ts';

const XML_CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd]*$/;
const SIZE_MAX_BYTES = 262_144;

export interface Refusals {
  /** Bodies that were refused. */
  readonly refused: string[];
  /** Bodies that no consumer could have read. */
  readonly unreadable: string[];
}

/**
 * Characters beyond the Basic Multilingual Plane are refused as well, as an emulator does. `refuse` adds messages the
 * queue will never take; a whole batch is refused for one of them when `wholeBatch` says so.
 */
export function throughSqs(
  options: { readonly refuse?: (body: string) => boolean; readonly wholeBatch?: boolean } = {},
): { readonly sendThrough: SendThrough } & Refusals {
  const refused: string[] = [];
  const unreadable: string[] = [];
  const isRefused = (text: string): boolean =>
    !XML_CHARACTERS.test(text) || Buffer.byteLength(text) > SIZE_MAX_BYTES || options.refuse?.(text) === true;
  const fault = () => Object.assign(new Error('refused'), { name: 'InvalidMessageContents' });
  const sendThrough: SendThrough = (queue, schema) => {
    const take = async (text: string, delaySec = 0): Promise<boolean> => {
      if (isRefused(text)) {
        refused.push(text);
        return false;
      }
      const parsed = schema.safeParse(JSON.parse(text));
      if (parsed.success) await queue.send([{ body: parsed.data, groupId: '' }], { delaySec });
      else unreadable.push(text);
      return true;
    };
    const client = {
      send: async ({ input }: SendMessageBatchCommand | SendMessageCommand) => {
        if ('Entries' in input) {
          const entries = input.Entries ?? [];
          if (options.wholeBatch === true && entries.some((e) => isRefused(e.MessageBody ?? '')))
            throw fault();
          const failed: { Id: string; Code: string; SenderFault: boolean }[] = [];
          for (const { Id = '', MessageBody = '', DelaySeconds } of entries)
            if (!(await take(MessageBody, DelaySeconds)))
              failed.push({ Id, Code: 'InvalidMessageContents', SenderFault: true });
          return { Failed: failed };
        }
        const { MessageBody = '', DelaySeconds } = input as SendMessageCommand['input'];
        if (!(await take(MessageBody, DelaySeconds))) throw fault();
        return {};
      },
    };
    return createMessageSender(client as never, 'memory');
  };
  return { sendThrough, refused, unreadable };
}
