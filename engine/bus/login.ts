/** User and password within an address. Every text shows addresses without them. */

export interface Login {
  readonly user?: string;
  readonly password?: string;
}

/** What is written as `%3A` is meant as it reads; a lone `%` stays. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** An address and who it names. Throws TypeError for what is no address. */
export function splitLogin(address: string): Login & { readonly url: string } {
  const url = new URL(address);
  const [user, password] = [decoded(url.username), decoded(url.password)];
  url.username = '';
  url.password = '';
  return { url: url.href, ...(user ? { user } : {}), ...(password ? { password } : {}) };
}

/** Any text that may be an address, without what may be user and password; also when it is none. */
export const withoutSecrets = (text: string): string => text.replace(/^((?:[a-z][a-z0-9+.-]*:\/\/)?).*@/is, '$1');
