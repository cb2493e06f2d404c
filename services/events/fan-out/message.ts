/** The normalized queue: rows whose deliveries are to be (re)considered. */
export {
  type Pointers as NormalizedMessage,
  pointersSchema as normalizedMessageSchema,
} from '../../../lib/events/domain/pointer.ts';
