// Whether a webhook is sent to, and if not why and since when.
import { Time } from '#dashboard/parts/written.tsx';
import { stateOf, type Webhook } from './webhook.ts';

export function State({ webhook }: { readonly webhook: Webhook }) {
  const { sign, text, words, since } = stateOf(webhook);
  return (
    <b className={text}>
      {sign} {words} {since !== null && <Time at={since} />}
    </b>
  );
}
