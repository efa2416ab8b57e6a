/**
 * How the keys of the store port lie in Valkey: with the house in front, so that two houses on one server never see each
 * other's, and with the owner's id as hash tag, so that what one transaction changes lies on one server of a cluster.
 *
 * | what | key |
 * | --- | --- |
 * | a record | `folkmoot:<house>:{<id>}:<part>…` (text: revision, expiry, JSON) |
 * | a log | `folkmoot:<house>:log:{<id>}:<part>…` (list: index, JSON) |
 * | the keys of an owner's records, in order | `folkmoot:<house>:index:{<id>}` (sorted set) |
 * | a change that was made, for a moment | `folkmoot:<house>:did:{<id>}:<n>` |
 * | a list shared with others, such as `conversation:<id>` | as it is; beside it `folkmoot:list:{<key>}`, `folkmoot:did:{<key>}:<n>` |
 */
import { hashTag, keyPart } from './keys.ts';

/** One owner: all its keys lie together. */
export interface Owner {
  /** What its keys begin with, as the port has them. */
  readonly head: string;
  readonly index: string;
  /** What its records' keys begin with in Valkey; a member of the index makes it whole. */
  readonly records: string;
  readonly did: (change: string) => string;
}

export interface LogKeys {
  readonly key: string;
  /** Only where others use the list too: what we know of it. */
  readonly beside?: string;
  readonly did: (change: string) => string;
}

export interface ValkeyKeys {
  readonly owner: (key: string) => Owner;
  /** The owner whose records a prefix means, when it names one. */
  readonly ownerOfPrefix: (prefix: string) => Owner | undefined;
  /** What an index key says of its owner. */
  readonly ownerOfIndex: (index: string) => Owner;
  /** Pattern of all indexes of the house, for SCAN. */
  readonly indexes: string;
  readonly record: (key: string) => { readonly key: string; readonly member: string };
  readonly log: (name: string) => LogKeys;
}

const tagged = /^folkmoot:\{([^{}]+)\}/;
const glob = (text: string): string => text.replace(/[*?[\]\\^-]/g, (sign) => `\\${sign}`);

/** @param shared Beginnings of the names of logs that are lists of others too: those keep their names. */
export function createValkeyKeys(house: string, shared: readonly string[]): ValkeyKeys {
  const base = `folkmoot:${keyPart(house)}`;
  const ownerOf = (tag: string, head: string): Owner => ({
    head,
    index: `${base}:index:{${tag}}`,
    records: `${base}:{${tag}}`,
    did: (change) => `${base}:did:{${tag}}:${change}`,
  });
  // Keys in another form than `tagged` of keys.ts writes them: whole, under an owner that no other key has.
  const otherTag = (key: string) => `=${keyPart(hashTag(key))}`;
  const isShared = (name: string) => shared.some((start) => name.startsWith(start));
  const owner = (key: string): Owner => {
    const tag = tagged.exec(key)?.[1];
    return tag === undefined || tag.startsWith('=') ? ownerOf(otherTag(key), '') : ownerOf(tag, `folkmoot:{${tag}}`);
  };
  return {
    owner,
    ownerOfPrefix: (prefix) => (tagged.test(prefix) ? owner(prefix) : undefined),
    ownerOfIndex(index) {
      const tag = index.slice(`${base}:index:{`.length, -1);
      return ownerOf(tag, tag.startsWith('=') ? '' : `folkmoot:{${tag}}`);
    },
    indexes: `${glob(`${base}:index:{`)}*}`,
    record(key) {
      const { head, records } = owner(key);
      const member = key.slice(head.length);
      return { key: records + member, member };
    },
    log(name) {
      if (isShared(name)) {
        const did = (change: string) => `folkmoot:did:{${name}}:${change}`;
        return { key: name, beside: `folkmoot:list:{${name}}`, did };
      }
      const { head, records, did } = owner(name);
      return { key: `${base}:log:${records.slice(base.length + 1)}${name.slice(head.length)}`, did };
    },
  };
}
