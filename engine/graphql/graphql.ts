/** The `graphql` library, loaded on first use: a home without GraphQL agents need not pay for it. */
import { createRequire } from 'node:module';
import type * as Library from 'graphql';

type Graphql = typeof Library;

let library: Graphql | undefined;

/** By `require`, so that no caller has to wait, and so that there is one copy of it in the process. */
export const graphql = (): Graphql => (library ??= createRequire(import.meta.url)('graphql') as Graphql);
