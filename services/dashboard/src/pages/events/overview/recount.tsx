// Provable counters: the stored events are counted again, now, and compared with the figures shown.
import { type Answer, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Failure } from '#dashboard/parts/page.tsx';
import { count, Time } from '#dashboard/parts/written.tsx';
import type { Range } from '../ranges.tsx';

type Verified = Answer<'verifyAnalytics'>;

export function Recount({ range }: { readonly range: Range }) {
  const verify = useChange(({ client }, wanted: Range) =>
    client.verifyAnalytics({ body: { range: wanted } }),
  );
  return (
    <div className="mb-6">
      <div className="flex flex-wrap items-center gap-3">
        <Button busy={verify.isPending} onClick={() => verify.send(range)}>
          {verify.isPending ? 'Counting…' : 'Check the figures now'}
        </Button>
        <output>
          {verify.data ? (
            <Said verified={verify.data.body} />
          ) : (
            <span className="text-dim">Counts the stored events again.</span>
          )}
        </output>
      </div>
      <Failure error={verify.error} />
    </div>
  );
}

function Said({ verified }: { readonly verified: Verified }) {
  const { drift, rows, settling, next_start, unreadable, credit } = verified;
  return (
    <>
      <strong className={drift === 0 ? 'text-good' : 'text-wait'}>
        {drift === 0 ? '✔ counted = recounted' : `▲ they differ by ${count(drift)}`}
      </strong>{' '}
      over {count(rows)} stored events
      {unreadable > 0 && <>, {count(unreadable)} of them unreadable</>}
      {drift > 0 && settling && <>; counters may be two minutes late</>}
      {credit.settled > 0 && (
        <>; {count(credit.settled)} orders are now credited to clicks that became known later</>
      )}
      {next_start !== null && (
        <>
          ; looked at up to <Time at={next_start} />
        </>
      )}
      .
    </>
  );
}
