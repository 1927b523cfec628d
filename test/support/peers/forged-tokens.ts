// Forged access tokens: each is a good one but for one thing that makes it worthless.
import { createHmac, createPublicKey, sign as signBytes } from 'node:crypto';
import { CompactEncrypt, exportJWK, exportSPKI, type CryptoKey, type JWTPayload } from 'jose';
import { makeSigningKey, type SigningKey, type TestProvider } from './identity-provider.ts';

type Json = Record<string, unknown>;

export interface Forgery {
  readonly what: string;
  readonly token: string;
}

interface ForgeryKit {
  readonly provider: TestProvider;
  /** The provider's keys. */
  readonly rsa: SigningKey;
  readonly ec: SigningKey;
  /** A key of the forger's own. */
  readonly attackerKey: SigningKey;
  readonly attackerEcKey: SigningKey;
  /** The address at which the forger would have the service look for his keys. */
  readonly decoy: string;
}

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const decode = (part = ''): Json => JSON.parse(Buffer.from(part, 'base64url').toString());

/** @param decoy an address that answers with `own` keys, should anybody ask */
export async function forgeries(
  provider: TestProvider,
  keys: { readonly rsa: SigningKey; readonly ec: SigningKey; readonly attackerKey: SigningKey },
  decoy: string,
): Promise<Forgery[]> {
  const shop = { provider, ...keys, attackerEcKey: await makeSigningKey('ES256', 'own-ec'), decoy };
  const groups = [unsigned, confused, misdirected, outOfTime, strangeHeaders, tampered, malformed];
  const made = await Promise.all(groups.map((group) => group(shop)));
  return made.flatMap((group) => Object.entries(group).map(([what, token]) => ({ what, token })));
}

type Group = (shop: ForgeryKit) => Promise<Record<string, string>>;

const unsigned: Group = async ({ provider, rsa }) => {
  const [, payload, signature = ''] = (await provider.token()).split('.');
  const none = (alg: unknown): string => `${encode({ alg, kid: rsa.kid, typ: 'JWT' })}.${payload}.`;
  return {
    'alg none': none('none'),
    'alg None': none('None'),
    'alg nOnE': none('nOnE'),
    'alg NONE': none('NONE'),
    'alg none, with a signature': `${none('none')}${signature}`,
    'no alg': `${encode({ kid: rsa.kid })}.${payload}.${signature}`,
    'alg of another type': `${encode({ alg: ['RS256'], kid: rsa.kid })}.${payload}.${signature}`,
    'no signature': `${(await provider.token()).split('.').slice(0, 2).join('.')}.`,
  };
};

/** The public key taken for a shared secret, or for a key of another kind. */
const confused: Group = async ({ provider, rsa, ec }) => {
  const [, payload] = (await provider.token()).split('.');
  const hmac = (secret: string | Buffer, header: Json = {}): string => {
    const input = `${encode({ alg: 'HS256', kid: rsa.kid, typ: 'JWT', ...header })}.${payload}`;
    return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
  };
  const pem = await exportSPKI(rsa.publicKey);
  const der = createPublicKey(pem).export({ type: 'spki', format: 'der' });
  const jwk = await exportJWK(rsa.publicKey);
  const [head = '', body = '', signature = ''] = (await provider.token({}, { key: rsa })).split('.');
  const as = (alg: string, kid = rsa.kid): string => `${encode({ ...decode(head), alg, kid })}.${body}.${signature}`;
  return {
    'HS256 with the PEM of the public key': hmac(pem),
    'HS256 with the PEM, its end trimmed': hmac(pem.trim()),
    'HS256 with the DER of the public key': hmac(der),
    'HS256 with the JWK of the public key': hmac(JSON.stringify(jwk)),
    'HS256 with the published JWK': hmac(JSON.stringify(rsa.jwk)),
    'HS256 with the modulus': hmac(Buffer.from(jwk.n ?? '', 'base64url')),
    'HS256 with a secret that the key set publishes': hmac(Buffer.alloc(32, 1), { kid: 'shared' }),
    'HS256 with an empty secret': hmac(''),
    'an RS256 signature as PS256': as('PS256'),
    'an RS256 signature as ES256, of the RSA key': as('ES256'),
    'an RS256 signature as ES256, of the EC key': as('ES256', ec.kid),
    'an RS256 signature as EdDSA': as('EdDSA'),
  };
};

/** Well signed by the provider, and meant for somebody else, or by another issuer. */
const misdirected: Group = async ({ provider, decoy, attackerKey: attackerRsaKey }) => {
  const token = (claims: JWTPayload): Promise<string> => provider.token(claims);
  // The types of a library that makes tokens forbid these claims too.
  const odd = (claims: Json): Promise<string> => provider.token(claims);
  return {
    'another audience': await token({ aud: 'elsewhere' }),
    'an audience that is part of ours': await token({ aud: 'switch' }),
    'an audience that ours is part of': await token({ aud: 'switchyard-admin' }),
    'our audience in other letters': await token({ aud: 'Switchyard' }),
    'audiences without ours': await token({ aud: ['a', 'switch', 'yard'] }),
    'audiences in one string': await token({ aud: 'switchyard other' }),
    'no audience': await odd({ aud: undefined }),
    'an empty list of audiences': await token({ aud: [] }),
    'an audience that is an object': await odd({ aud: { switchyard: true } }),
    'another issuer': await token({ iss: 'https://id.elsewhere.example' }),
    'another issuer, whose keys the forger has': await provider.token({ iss: decoy }, { key: attackerRsaKey }),
    'our issuer with a slash': await token({ iss: `${provider.issuer}/` }),
    'our issuer in other letters': await token({ iss: provider.issuer.toUpperCase() }),
    'a longer issuer': await token({ iss: `${provider.issuer}.example` }),
    'our issuer in a list': await odd({ iss: [provider.issuer] }),
    'no issuer': await odd({ iss: undefined }),
    'no subject': await odd({ sub: undefined }),
    'an empty subject': await token({ sub: '' }),
    'a subject that is a number': await odd({ sub: 7 }),
    'a subject with a line break': await token({ sub: 'a\nb' }),
    'a subject without end': await token({ sub: 'x'.repeat(256) }),
  };
};

const outOfTime: Group = async ({ provider }) => {
  const now = Math.floor(Date.now() / 1000);
  const token = (claims: Json): Promise<string> => provider.token(claims);
  return {
    expired: await token({ exp: now - 3600 }),
    'expired beyond the tolerance': await token({ exp: now - 31 }),
    'not yet valid': await token({ nbf: now + 3600 }),
    'not yet valid beyond the tolerance': await token({ nbf: now + 120 }),
    'no expiry': await token({ exp: undefined }),
    'an expiry that is a text': await token({ exp: String(now + 300) }),
    'an expiry that is null': await token({ exp: null }),
    'a beginning that is a text': await token({ nbf: 'yesterday' }),
  };
};

/** Headers that would have the verifier look elsewhere for the key. */
const strangeHeaders: Group = async ({ provider, attackerKey: attackerRsaKey, decoy }) => {
  const forged = (header: Json): Promise<string> => provider.token({}, { key: attackerRsaKey, header });
  const honest = (header: Json): Promise<string> => provider.token({}, { header });
  const known = provider.keys[0]?.kid;
  const certificate = Buffer.from('no certificate').toString('base64');
  const path = '../../../../../../dev/null';
  return {
    'an unknown kid': await forged({ kid: 'unknown' }),
    'a kid that is a path': await forged({ kid: path }),
    'a kid that is an address': await forged({ kid: `${decoy}/jwks` }),
    'a kid that is SQL': await forged({ kid: `x' union select 'k' --` }),
    'a kid that is a property of every object': await forged({ kid: '__proto__' }),
    'a kid that is empty': await forged({ kid: '' }),
    'no kid, and another key': await forged({ kid: undefined }),
    'an embedded key': await forged({ jwk: attackerRsaKey.jwk, kid: undefined }),
    'an embedded key under a known kid': await forged({ jwk: { ...attackerRsaKey.jwk, kid: known }, kid: known }),
    'jku under a known kid': await forged({ jku: `${decoy}/jwks`, kid: known }),
    jku: await forged({ jku: `${decoy}/jwks`, kid: attackerRsaKey.kid }),
    x5u: await forged({ x5u: `${decoy}/cert.pem`, kid: attackerRsaKey.kid }),
    'x5u under a known kid': await forged({ x5u: `${decoy}/cert.pem`, kid: known }),
    x5c: await forged({ x5c: [certificate], kid: known }),
    'x5t of another key': await forged({ x5t: 'abc', 'x5t#S256': 'abc', kid: known }),
    'another key under a known kid': await forged({ kid: known }),
    'crit with something unknown': await withHeader(provider, { crit: ['surprise'], surprise: true }),
    'crit with something known': await withHeader(provider, { crit: ['b64'], b64: true }),
    'crit with exp': await withHeader(provider, { crit: ['exp'], exp: 1 }),
    'crit that is empty': await withHeader(provider, { crit: [] }),
    'b64 false': await withHeader(provider, { crit: ['b64'], b64: false }),
    'a logout token': await honest({ typ: 'logout+jwt' }),
    'a security event': await honest({ typ: 'secevent+jwt' }),
  };
};

/** Signed by the provider's own key, with headers that its library would not write. */
async function withHeader(provider: TestProvider, header: Json): Promise<string> {
  const [key] = provider.keys;
  const [head, body = ''] = (await provider.token()).split('.');
  return signed(`${encode({ ...decode(head), ...header })}.${body}`, key);
}

async function signed(input: string, key: SigningKey | undefined): Promise<string> {
  if (key === undefined) throw new Error('no key');
  const signature = await crypto.subtle.sign(key.privateKey.algorithm, key.privateKey, Buffer.from(input));
  return `${input}.${Buffer.from(signature).toString('base64url')}`;
}

const tampered: Group = async ({ provider, ec, attackerEcKey }) => {
  const [head = '', body = '', signature = ''] = (await provider.token()).split('.');
  const [, otherBody = ''] = (await provider.token({ tenant_id: 'other', roles: ['admin'] })).split('.');
  const [ecHead = '', ecBody = ''] = (await provider.token({}, { key: ec })).split('.');
  const bytes = Buffer.from(signature, 'base64url');
  bytes[7] = (bytes[7] ?? 0) ^ 1;
  const claims = decode(body);
  const zeros = (size: number): string => Buffer.alloc(size).toString('base64url');
  const ecInput = Buffer.from(`${ecHead}.${ecBody}`);
  const attackerKey = attackerEcKey.privateKey;
  const der = signBytes('sha256', ecInput, { key: await pkcs8(attackerKey), format: 'der', type: 'pkcs8' });
  return {
    'a changed role': `${head}.${encode({ ...claims, roles: ['admin'] })}.${signature}`,
    'a changed expiry': `${head}.${encode({ ...claims, exp: 9_999_999_999 })}.${signature}`,
    'the claims of another token': `${head}.${otherBody}.${signature}`,
    'the tenant of another token': `${head}.${encode({ ...claims, tenant_id: 'other' })}.${signature}`,
    'a changed header': `${encode({ ...decode(head), typ: 'JWT' })}.${body}.${signature}`,
    'one wrong bit in the signature': `${head}.${body}.${bytes.toString('base64url')}`,
    'half a signature': `${head}.${body}.${signature.slice(0, signature.length / 2)}`,
    'a longer signature': `${head}.${body}.${signature}AAAA`,
    'ES256 with zeros': `${ecHead}.${ecBody}.${zeros(64)}`,
    'ES256 with zeros, empty': `${ecHead}.${ecBody}.${zeros(1)}`,
    'ES256 with zeros in DER': `${ecHead}.${ecBody}.${Buffer.from('3006020100020100', 'hex').toString('base64url')}`,
    'ES256 in DER, of another key': `${ecHead}.${ecBody}.${der.toString('base64url')}`,
    'ES256 of another key': await signedEc(ecInput, attackerKey),
  };
};

async function pkcs8(key: CryptoKey): Promise<Buffer> {
  return Buffer.from(await crypto.subtle.exportKey('pkcs8', key));
}

async function signedEc(input: Buffer, key: CryptoKey): Promise<string> {
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, Uint8Array.from(input));
  return `${input.toString()}.${Buffer.from(signature).toString('base64url')}`;
}

const malformed: Group = async ({ provider, rsa }) => {
  const good = await provider.token();
  const [head = '', body = '', signature = ''] = good.split('.');
  const encrypted = await new CompactEncrypt(Buffer.from(good))
    .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT', kid: rsa.kid })
    .encrypt(await forEncryption(rsa));
  return {
    'a token within an encrypted one': encrypted,
    'a token within a token': await signed(`${encode({ ...decode(head), cty: 'JWT' })}.${encode(good)}`, rsa),
    'cut in the middle': good.slice(0, good.length / 2),
    'two parts': `${head}.${body}`,
    'four parts': `${good}.${signature}`,
    'five empty parts': '....',
    'only dots': '..',
    padded: `${head}=.${body}=.${signature}=`,
    'a payload that is a list': await signed(`${head}.${encode([1, 2, 3])}`, rsa),
    'a payload that is a text': await signed(`${head}.${encode('"text"')}`, rsa),
    'a payload that is no JSON': await signed(`${head}.${encode('{"sub":')}`, rsa),
    'a header that is no JSON': `${encode('{"alg":')}.${body}.${signature}`,
    'a header that is a list': `${encode([1])}.${body}.${signature}`,
    'a header that is null': `${encode('null')}.${body}.${signature}`,
  };
};

async function forEncryption({ publicKey }: SigningKey): Promise<CryptoKey> {
  const spki = await crypto.subtle.exportKey('spki', publicKey);
  return crypto.subtle.importKey('spki', spki, { name: 'RSA-OAEP', hash: 'SHA-256' }, false, ['encrypt']);
}
