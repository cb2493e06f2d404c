/** The accepted queue: rows claimed by ingestion that are not normalized yet. */
export {
  type Pointers as AcceptedMessage,
  pointersSchema as acceptedMessageSchema,
} from '#lib/events/domain/pointer.ts';
