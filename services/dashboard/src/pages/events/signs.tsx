// What became of an event at each platform, one sign for each, in the same order in every row.
import type { Answer } from '#dashboard/app/api.tsx';
import { fateOf, Sign } from '#dashboard/look/sign.tsx';
import { labelOf, type PlatformList } from './platform-list.ts';
import { statusWords } from './words.ts';

interface SignsProps {
  readonly of: Pick<Answer<'listEvents'>['events'][number], 'deliveries' | 'withheld'>;
  readonly platforms: PlatformList | undefined;
  /** Where there is nothing to be said of any. */
  readonly none?: string;
}

export function Signs({ of, platforms, none = 'none' }: SignsProps) {
  const statuses = new Map([
    ...of.deliveries.map(({ platform, status }) => [platform, status] as const),
    ...of.withheld.map(({ platform, verdict }) => [platform, verdict] as const),
  ]);
  if (statuses.size === 0) return <span className="text-dim">{none}</span>;
  const slugs = platforms?.available.map(({ platform }) => platform) ?? [...statuses.keys()];
  return (
    <span className="whitespace-nowrap">
      {slugs.map((slug) => {
        const said = `${labelOf(platforms, slug)}: ${statusWords(statuses.get(slug))}`;
        const status = statuses.get(slug);
        return (
          <span key={slug} title={said}>
            <Sign fate={status === undefined ? 'none' : fateOf(status)} said={said} />
          </span>
        );
      })}
    </span>
  );
}
