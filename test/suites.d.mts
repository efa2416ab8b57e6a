/** One entry of the list of suites. */
export interface Suite {
  readonly name: string;
  readonly globs: readonly string[];
  readonly tier: 'short' | 'long';
  readonly limitSeconds: number;
  readonly alone?: boolean;
}
export const suites: readonly Suite[];
