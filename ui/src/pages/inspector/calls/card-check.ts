// Checks an agent card: that it has what its versions of the protocol require, and that one of its signatures is right.
import { inspectorWords as words } from '../../../words/service/en-inspector.ts';
import { isJsonObject, listOf, objectOf, textOrEmpty, valueAt, type JsonObject } from './json.ts';

export interface CardReport {
  readonly name: string;
  readonly versions: readonly ('0.3' | '1.0')[];
  /** The missing members that a version requires, one sentence each. */
  readonly faults: readonly string[];
  readonly hasSignatures: boolean;
}

type Rule = readonly [pointer: string, isRight: (value: unknown) => boolean];

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isList = (value: unknown): boolean => Array.isArray(value);
const common: readonly Rule[] = [
  ['name', isText],
  ['description', isText],
  ['version', isText],
  ['capabilities', isJsonObject],
  ['defaultInputModes', isList],
  ['defaultOutputModes', isList],
  ['skills', isList],
];
const rules: Readonly<Record<'0.3' | '1.0', readonly Rule[]>> = {
  '0.3': [...common, ['protocolVersion', isText], ['url', isText], ['preferredTransport', isText]],
  '1.0': [...common, ['supportedInterfaces', (value) => listOf(value).length > 0]],
};
const skillMembers = ['id', 'name', 'description', 'tags'] as const;
const interfaceMembers = ['url', 'protocolBinding', 'protocolVersion'] as const;

export function checkCard(value: unknown): CardReport {
  const card = objectOf(value);
  const versions = (['1.0', '0.3'] as const).filter((version) => speaks(card, version));
  const faults = versions.flatMap((version) =>
    rules[version].flatMap(([member, isRight]) => (isRight(card[member]) ? [] : [words.cardLacks(version, member)])),
  );
  const inside = [
    ...lacking(card, 'skills', skillMembers),
    ...(versions.includes('1.0') ? lacking(card, 'supportedInterfaces', interfaceMembers) : []),
  ];
  return {
    name: textOrEmpty(card['name']),
    versions,
    faults: [...new Set([...(versions.length === 0 ? [words.cardNoVersion] : []), ...faults, ...inside])],
    hasSignatures: listOf(card['signatures']).length > 0,
  };
}

function speaks(card: JsonObject, version: '0.3' | '1.0'): boolean {
  return version === '1.0' ? 'supportedInterfaces' in card : 'protocolVersion' in card || 'url' in card;
}

function lacking(card: JsonObject, list: string, members: readonly string[]): readonly string[] {
  return listOf(card[list]).flatMap((entry, index) =>
    members.flatMap((member) =>
      valueAt(entry, [member]) === undefined ? [words.cardEntryLacks(`${list}[${index}]`, member)] : [],
    ),
  );
}

export type SignatureReport = 'right' | 'wrong' | 'unsupported' | 'no-key';

/**
 * Holds each signature against the keys of the service. The payload is the card without its signatures, as canonical JSON.
 * a2a v1.0 8.4, RFC 7515, RFC 8785.
 * @returns `right` when one signature is; `unsupported` where the browser has no WebCrypto or not the algorithm
 */
export async function checkSignatures(value: unknown, keySet: unknown): Promise<SignatureReport> {
  const { signatures, ...card } = objectOf(value);
  const keys = listOf(objectOf(keySet)['keys']).filter(isJsonObject);
  if (keys.length === 0) return 'no-key';
  // Outside of https and loopback addresses a browser has no WebCrypto.
  if (!isSecureContext) return 'unsupported';
  const payload = encodeText(canonicalJson(card));
  let isTried = false;
  for (const signature of listOf(signatures)) {
    const outcome = await verify(objectOf(signature), keys, payload);
    if (outcome === true) return 'right';
    isTried ||= outcome === false;
  }
  return isTried ? 'wrong' : 'unsupported';
}

/** Undefined when no key fits or the browser does not have its algorithm. */
async function verify(
  signature: JsonObject,
  keys: readonly JsonObject[],
  payload: string,
): Promise<boolean | undefined> {
  try {
    const head = textOrEmpty(signature['protected']);
    const header = objectOf(JSON.parse(new TextDecoder().decode(bytesOf(head))));
    const key = keys.find(({ kid }) => kid === header['kid']);
    if (key === undefined) return undefined;
    const { algorithm, imported } = algorithmsOf(textOrEmpty(header['alg']));
    const { kty, crv, x, y } = key;
    const jwk = {
      kty: textOrEmpty(kty),
      crv: textOrEmpty(crv),
      x: textOrEmpty(x),
      ...(typeof y === 'string' && { y }),
    };
    const publicKey = await crypto.subtle.importKey('jwk', jwk, imported, false, ['verify']);
    const data = new TextEncoder().encode(`${head}.${payload}`);
    return await crypto.subtle.verify(algorithm, publicKey, bytesOf(textOrEmpty(signature['signature'])), data);
  } catch {
    return undefined;
  }
}

/** @throws RangeError for an algorithm that cards of this service never have */
function algorithmsOf(name: string) {
  if (name === 'ES256') {
    return {
      algorithm: { name: 'ECDSA', hash: 'SHA-256' },
      imported: { name: 'ECDSA', namedCurve: 'P-256' },
    };
  }
  if (name === 'EdDSA') return { algorithm: { name: 'Ed25519' }, imported: { name: 'Ed25519' } };
  throw new RangeError(name);
}

/** JSON with sorted members and without blanks, so that equal values are equal bytes. RFC 8785. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(',')}}`;
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function encodeText(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
