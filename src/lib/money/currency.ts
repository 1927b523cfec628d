// Currencies of ISO 4217, and the size of their smallest unit.
import { code as recordOf } from 'currency-codes';

/** Decimal places of the smallest unit of a currency. @returns undefined for a code that is none */
export function minorDigitsOf(code: string): number | undefined {
  return /^[A-Z]{3}$/.test(code) ? recordOf(code)?.digits : undefined;
}
