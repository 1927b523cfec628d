// Blanks out the secrets of this machine in text that leaves it.
import { secretVariables } from '../../../lib/system/secret-variables.ts';

/** Shorter values would hit ordinary words. */
const minLength = 8;

const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS?)$/i;

/** The values of an environment that look like secrets by their names. */
export function secretsOf(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (secretName.test(name) || secretVariables.includes(name)) ? [value] : [],
  );
}

export function scrub(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= minLength)
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}
