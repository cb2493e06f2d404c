// Whether an article is cited, by sign and word.
import { LOOKS, type Status } from './article.ts';

export function StatusSign({ status }: { readonly status: Status }) {
  const { sign, name, text } = LOOKS[status];
  return (
    <b className={text}>
      {sign} {name}
    </b>
  );
}
