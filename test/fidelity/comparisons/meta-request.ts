// Our request to Meta, as fields: the side that Segment, Meta's SDK and Meta's parameter builder are compared with.
import meta from '../../../lib/events/platforms/meta/index.ts';
import type { Side } from '../comparison.ts';
import { flatten } from '../fields.ts';
import type { Order } from '../order.ts';
import { ourRequest } from '../our-request.ts';

export function ourMetaEvent(order: Order): Side {
  const built = ourRequest(order, meta, { pixel_id: '1234567890', access_token: 'token-of-the-test' });
  if ('refused' in built) return built;
  const { data } = built.body as { readonly data: readonly unknown[] };
  return { fields: flatten(data[0]) };
}
