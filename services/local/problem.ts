/** Something only the person at the keyboard can mend: its message is one sentence for them, without a stack. */
export class LocalProblem extends Error {
  override readonly name = 'LocalProblem';
}
