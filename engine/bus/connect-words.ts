/** Why a connection did not come about, in words, and what to do about it. */

/** By what Node.js calls it. `__server__`: broker, or Valkey server. */
const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no __server__ listens there',
  ENOTFOUND: 'there is no computer of that name',
  EAI_AGAIN: 'the name of the computer could not be looked up; is the network there?',
  ETIMEDOUT: 'nobody answered there in time',
  EHOSTUNREACH: 'that computer can not be reached',
  ENETUNREACH: 'that network can not be reached',
  ECONNRESET: 'the __server__ ended the connection at once; is it encrypted there, or not?',
  EPROTO: 'what answers there is not encrypted, or in another way: check the address',
  ERR_SSL_WRONG_VERSION_NUMBER: 'what answers there is not encrypted: check the address and its port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'what answers there is not encrypted: check the address and its port',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'the certificate is not for this host name: use the name that stands in it, or have one made for this name',
  CERT_HAS_EXPIRED: 'the certificate has expired: have a new one made',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet: check the clocks of both computers',
  CERT_SIGNATURE_FAILURE: 'the certificate is not of the authority that is given: choose the file of its authority',
};

const ofAnotherAuthority =
  'the certificate is signed by an authority that is not known here: give the file of that authority';
const untrusted = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);

/** Of MQTT 5 and 3.1.1, and of Valkey. */
const wrongUser = /not authorized|bad user ?name or password|WRONGPASS|NOAUTH|NOPERM/i;

/** @param server What listens there, such as `broker`. */
export function connectWords(error: Error & { readonly code?: unknown }, server: string): string {
  const code = String(error.code ?? '');
  if (untrusted.has(code)) return ofAnotherAuthority;
  const known = words[code];
  if (known) return known.replace('__server__', server);
  const text = error.message || code || error.name;
  if (/alert (?:certificate required|handshake failure|bad certificate|unknown ca)/i.test(text)) {
    return `the ${server} wants a certificate of ours, or does not know its authority: give certificate and key`;
  }
  if (wrongUser.test(text)) return `the ${server} does not accept user and password (${text})`;
  return text;
}
