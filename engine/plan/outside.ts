/**
 * The way out of LangGraph. It keeps its configuration in AsyncLocalStorage, which follows a message through every node:
 * whoever is asked from inside of a graph would become a child of that run (asks.md 5).
 */
import { AsyncLocalStorage } from 'node:async_hooks';

// Taken when this module loads, which is before any graph runs: the context of nobody.
const nobody = AsyncLocalStorage.snapshot();

/** Calls `fn` outside of any graph's context and gives what it gives; a promise started in it stays outside too. */
export const outside = <T>(fn: () => T): T => nobody(fn);
