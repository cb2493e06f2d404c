// Counts what a client asks of SQS the way the bill counts it: requests, and for payloads one for every 64 KB begun
// (https://aws.amazon.com/sqs/pricing/). For tests and the cost model. Refuses: a call it cannot price.
import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { openBooks } from './books.ts';

export interface SqsUsage {
  /** By API name, e.g. `SendMessageBatch`. */
  readonly calls: Readonly<Record<string, number>>;
  /** What is paid for: every call, and every 64 KB of payload beyond its first; empty receives included. */
  readonly requests: number;
  /** The part of `requests` that brought nothing. */
  readonly emptyReceives: number;
  /** The part of `requests` that brought or took messages of a queue whose messages name a group. */
  readonly fairRequests: number;
  readonly messagesSent: number;
  readonly messagesReceived: number;
  readonly payloadSentBytes: number;
}

export interface SqsMeter {
  /** Counts every call of this client under `label` from now on. */
  attach(sqs: SQSClient, label: string): void;
  /** Everything, or what one label, one queue (the end of its URL), or both have cost so far. */
  usage(of?: { readonly label?: string; readonly queue?: string }): SqsUsage;
}

type Input = Readonly<Record<string, unknown>>;

const CHUNK_BYTES = 65_536;

const EMPTY_USAGE: SqsUsage = {
  calls: {},
  requests: 0,
  emptyReceives: 0,
  fairRequests: 0,
  messagesSent: 0,
  messagesReceived: 0,
  payloadSentBytes: 0,
};

export function createSqsMeter(): SqsMeter {
  const { book, usage } = openBooks(EMPTY_USAGE);
  const fairQueues = new Set<string>();
  return {
    attach(sqs, label) {
      sqs.middlewareStack.add(
        (next, context) => async (args) => {
          const call = String(context.commandName).replace(/Command$/, '');
          if (call === 'CreateQueue' || call === 'PurgeQueue') return await next(args);
          const input = args.input as Input;
          const result = await next(args);
          const queue = String(input.QueueUrl).split('/').at(-1) ?? '';
          if (namesGroup(input)) fairQueues.add(queue);
          const price = priceOf(call, input, result.output as unknown as Input);
          const filled = (price.requests ?? 0) - (price.emptyReceives ?? 0);
          book(label, queue, {
            calls: { [call]: 1 },
            ...price,
            fairRequests: fairQueues.has(queue) ? filled : 0,
          });
          return result;
        },
        { step: 'initialize', name: 'meter' },
      );
    },
    usage: ({ label, queue } = {}) => usage({ label, place: queue }),
  };
}

function namesGroup({ MessageGroupId, Entries }: Input): boolean {
  if (MessageGroupId !== undefined) return true;
  return ((Entries ?? []) as readonly Input[]).some((entry) => entry.MessageGroupId !== undefined);
}

function priceOf(call: string, input: Input, output: Input): Partial<SqsUsage> {
  switch (call) {
    case 'SendMessage':
      return sent([String(input.MessageBody)]);
    case 'SendMessageBatch':
      return sent((input.Entries as { MessageBody?: string }[]).map((entry) => entry.MessageBody ?? ''));
    case 'ReceiveMessage': {
      const messages = (output.Messages ?? []) as readonly Message[];
      return {
        requests: chunks(messages.reduce((sum, { Body = '' }) => sum + Buffer.byteLength(Body), 0)),
        emptyReceives: messages.length === 0 ? 1 : 0,
        messagesReceived: messages.length,
      };
    }
    case 'DeleteMessage':
    case 'DeleteMessageBatch':
      return { requests: 1 };
    default:
      throw new Error(`${call} has no price here`);
  }
}

function sent(bodies: readonly string[]): Partial<SqsUsage> {
  const payloadSentBytes = bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0);
  return { requests: chunks(payloadSentBytes), messagesSent: bodies.length, payloadSentBytes };
}

const chunks = (sizeBytes: number): number => Math.max(1, Math.ceil(sizeBytes / CHUNK_BYTES));
