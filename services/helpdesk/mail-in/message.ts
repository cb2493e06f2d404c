// An inbound mail as an S3 notification, or a set-aside mail that an agent has accepted.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
import * as z from 'zod';
import { type Pointer, pointerSchema } from '#lib/helpdesk/domain/pointer.ts';

const record = z.looseObject({
  eventName: z.string(),
  s3: z.looseObject({
    bucket: z.looseObject({ name: z.string() }),
    object: z.looseObject({ key: z.string().min(1), size: z.number().optional() }),
  }),
});

export interface StoredMail {
  readonly bucket: string;
  readonly key: string;
}

/** `accepted`: one that was set aside. */
export type MailNews = StoredMail | { readonly accepted: Pointer };

type Brought = { readonly Records: readonly z.output<typeof record>[] };
type Accepted = { readonly accepted: Pointer };

/** Empty for S3's test of the wiring. */
export const inboundMailSchema = z
  .union([
    z.looseObject({ Records: z.array(record) }),
    z.looseObject({ Event: z.literal('s3:TestEvent') }).transform(() => ({ Records: [] })),
    z.object({ accepted: pointerSchema }),
  ])
  .transform((news): readonly MailNews[] => {
    const { accepted, Records: records = [] } = news as Partial<Brought & Accepted>;
    if (accepted !== undefined) return [{ accepted }];
    return records
      .filter(({ eventName }) => eventName.replace(/^s3:/, '').startsWith('ObjectCreated:'))
      .map(({ s3 }) => ({ bucket: s3.bucket.name, key: keyOf(s3.object.key) }));
  });

/** A space comes as a plus, everything else that no URL holds escaped. */
function keyOf(written: string): string {
  try {
    return decodeURIComponent(written.replaceAll('+', ' '));
  } catch {
    return written;
  }
}
