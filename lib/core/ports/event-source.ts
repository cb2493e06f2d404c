/** What receives the messages of a queue and hands them to a function. */
export interface EventSource {
  readonly name: string;
  /** How many the queue holds, near enough: to be received, in work, or put off. */
  messages(): Promise<number>;
  state(): Promise<EventSourceState>;
  turn(on: boolean): Promise<void>;
}

export interface EventSourceState {
  readonly isOn: boolean;
  readonly changedAtMs: number;
  /** Why it cannot work although it is on. */
  readonly problem?: string;
}
