// Why a team was not changed; of an owner who is the last one, what to do first.
import { Failure, Notice } from '#dashboard/parts/states.tsx';

const codeOf = (error: unknown): unknown =>
  error !== null && typeof error === 'object' && 'code' in error ? error.code : undefined;

export function Refused({ error }: { readonly error: unknown }) {
  if (!error) return null;
  if (codeOf(error) !== 'last_owner') return <Failure error={error} />;
  return (
    <Notice tone="bad">
      Nothing was changed: this is the last owner by now, and a shop keeps at least one. Make somebody else an
      owner first.
    </Notice>
  );
}
