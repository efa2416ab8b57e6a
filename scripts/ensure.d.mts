/** Types of `ensure.mjs` for the specs. */
export function nodePath(): string;
export function npmProgram(): string;
export function ensureInstalledAndBuilt(options?: { readonly say?: (line: string) => void }): Promise<string>;
