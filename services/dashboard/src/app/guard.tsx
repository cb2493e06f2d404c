// Keeps what breaks in one page from taking the others with it, and says so.
import { Component, type ReactNode } from 'react';
import { Button } from '../parts/button.tsx';

interface GuardState {
  readonly failed: boolean;
}

export class Guard extends Component<{ readonly children: ReactNode }, GuardState> {
  override state: GuardState = { failed: false };

  static getDerivedStateFromError(): GuardState {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div role="alert" className="rounded-md border border-bad bg-bad-tint p-4">
        <h1 tabIndex={-1} className="text-xl">
          This page broke
        </h1>
        <p className="mt-2">
          Nothing was changed by it. A new version may have been put in place while this one was open.
        </p>
        <Button className="mt-3" onClick={() => location.reload()}>
          Load it again
        </Button>
      </div>
    );
  }
}
