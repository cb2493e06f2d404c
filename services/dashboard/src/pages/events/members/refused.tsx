// Why a team was not changed; of an owner who is the last one, what to do first.
import { Failure, Notice } from '#dashboard/parts/page.tsx';
import { codeOf } from '#dashboard/parts/problems.ts';

export function Refused({ error }: { readonly error: unknown }) {
  if (codeOf(error) !== 'last_owner') return <Failure error={error} />;
  return (
    <Notice tone="bad">
      Nothing was changed: this is the last owner by now, and a shop keeps at least one. Make somebody else an
      owner first.
    </Notice>
  );
}
