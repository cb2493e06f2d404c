// Until when a ticket can be snoozed by one key: the wall clock of whoever presses it.

export interface SnoozeTime {
  readonly name: string;
  readonly at: Date;
}

const MORNING_HOUR = 9;
const MONDAY = 1;

/** A Monday's Monday is the next one. */
export function snoozeTimes(now: Date): readonly SnoozeTime[] {
  const morning = (days: number): Date =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING_HOUR);
  const toMonday = (MONDAY - now.getDay() + 7) % 7 || 7;
  return [
    { name: 'in 3 hours', at: new Date(now.getTime() + 3 * 3_600_000) },
    { name: 'tomorrow, 9:00', at: morning(1) },
    { name: 'Monday, 9:00', at: morning(toMonday) },
  ];
}
