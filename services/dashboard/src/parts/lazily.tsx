// Parts that are loaded when they are first drawn, because of the libraries they come with.
import { type ComponentType, lazy, Suspense } from 'react';

/** Shows nothing while it is loaded, and says in the document that something is. */
export function lazily<Props extends object>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
): ComponentType<Props> {
  const View: ComponentType<Props> = lazy(load);
  return (props) => (
    <Suspense fallback={<span hidden data-part="loading" />}>
      <View {...props} />
    </Suspense>
  );
}

/** A question before what cannot be taken back. */
export const Confirm = lazily(async () => ({ default: (await import('./dialog.tsx')).Confirm }));
