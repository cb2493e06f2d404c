/** The normalized queue: rows whose deliveries are to be (re)considered. */
export {
  type Pointers as NormalizedMessage,
  pointersSchema as normalizedMessageSchema,
} from '../../lib/domain/pointer.ts';
